import type { TokenSource } from '../../../src/adapters/github/auth/token-source.js';
import type { Clone, Workspace } from '../../../src/ports/workspace.js';
import type { Engine } from '../../../src/usecases/engine.js';

/** Intercepts all calls of an instance to the outside. */
export interface PortInterceptor {
  aroundCall<T>(call: string, task: () => Promise<T>): Promise<T>;
  /** Called before each request to GitHub. */
  beforeRequest?(): Promise<void>;
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** An engine whose calls all pass the interceptor. */
export function interceptEngine(engine: Engine, interceptor: PortInterceptor): Engine {
  return {
    ...engine,
    github: interceptPort(engine.github, 'github', interceptor),
    gitHost: interceptPort(engine.gitHost, 'gitHost', interceptor),
    states: interceptPort(engine.states, 'states', interceptor, ['swap', 'history']),
    workspace: interceptWorkspace(engine.workspace, interceptor),
    agent: interceptPort(engine.agent, 'agent', interceptor),
    queue: interceptPort(engine.queue, 'queue', interceptor, ['wake', 'startPhase', 'wakeAt']),
    requestQuota: interceptPort(engine.requestQuota, 'turns', interceptor),
  };
}

/** Intercepts tokens, because every request to GitHub needs one first. */
export function interceptTokens(tokens: TokenSource, interceptor: PortInterceptor): TokenSource {
  return {
    tokenFor: async (repo) => {
      await interceptor.beforeRequest?.();
      return tokens.tokenFor(repo);
    },
    refused: (repo, token) => tokens.refused(repo, token),
    identity: () => tokens.identity(),
    minted: () => tokens.minted(),
    revoke: () => tokens.revoke(),
  };
}

function interceptWorkspace(workspace: Workspace, interceptor: PortInterceptor): Workspace {
  return {
    open: async (request) => {
      const clone = await interceptor.aroundCall('workspace.open', () => workspace.open(request));
      return interceptPort<Clone>(clone, 'clone', interceptor, ['run', 'collect', 'dispose']);
    },
  };
}

/** All methods, or those named; the rest goes straight through. */
export function interceptPort<T extends object>(
  port: T,
  name: string,
  interceptor: PortInterceptor,
  only?: readonly string[],
): T {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as Method;
      if (typeof key !== 'string' || (only !== undefined && !only.includes(key))) return method;
      return (...given: unknown[]) => interceptor.aroundCall(`${name}.${key}`, () => method(...given));
    },
  });
}
