import type { TokenSource } from '../../src/adapters/github/token-source.js';
import type { Clone, Workspace } from '../../src/ports/workspace.js';
import type { Engine } from '../../src/usecases/engine.js';

/** Stands between an instance and everything outside it. */
export interface Tap {
  around<T>(call: string, task: () => Promise<T>): Promise<T>;
  /** Right before each request to GitHub a call is made of. */
  inside?(): Promise<void>;
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** An engine whose every word to the outside passes the tap. */
export function tapEngine(engine: Engine, tap: Tap): Engine {
  return {
    ...engine,
    github: tapPort(engine.github, 'github', tap),
    gitHost: tapPort(engine.gitHost, 'gitHost', tap),
    states: tapPort(engine.states, 'states', tap, ['swap', 'history']),
    workspace: tapWorkspace(engine.workspace, tap),
    agent: tapPort(engine.agent, 'agent', tap),
    queue: tapPort(engine.queue, 'queue', tap, ['wake', 'startPhase', 'wakeAt']),
    turns: tapPort(engine.turns, 'turns', tap),
  };
}

/** Whatever goes to GitHub needs a token first. */
export function tapTokens(tokens: TokenSource, tap: Tap): TokenSource {
  return {
    tokenFor: async (repo) => {
      await tap.inside?.();
      return tokens.tokenFor(repo);
    },
    refused: (repo, token) => tokens.refused(repo, token),
    identity: () => tokens.identity(),
    minted: () => tokens.minted(),
    revoke: () => tokens.revoke(),
  };
}

function tapWorkspace(workspace: Workspace, tap: Tap): Workspace {
  return {
    open: async (request) => {
      const clone = await tap.around('workspace.open', () => workspace.open(request));
      return tapPort<Clone>(clone, 'clone', tap, ['run', 'collect', 'dispose']);
    },
  };
}

/** All methods, or those named; the rest goes straight through. */
export function tapPort<T extends object>(port: T, name: string, tap: Tap, only?: readonly string[]): T {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as Method;
      if (typeof key !== 'string' || (only !== undefined && !only.includes(key))) return method;
      return (...given: unknown[]) => tap.around(`${name}.${key}`, () => method(...given));
    },
  });
}
