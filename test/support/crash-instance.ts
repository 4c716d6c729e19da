import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHost } from '../../src/adapters/git/git-host.js';
import { createAppTokens } from '../../src/adapters/github/app-tokens.js';
import { createGitHub } from '../../src/adapters/github/github.js';
import { Recollection, withRecollection } from '../../src/adapters/github/recollection.js';
import { createStateStore } from '../../src/adapters/state/state-ref.js';
import { DEFAULT_BUDGETS } from '../../src/domain/budget.js';
import { formatRepo } from '../../src/domain/ids.js';
import { DEFAULT_LIMITS } from '../../src/domain/policy.js';
import type { Size } from '../../src/domain/size.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';
import type { JobHandlers } from '../../src/ports/queue.js';
import { drive } from '../../src/usecases/drive.js';
import type { Engine } from '../../src/usecases/engine.js';
import { runPhase } from '../../src/usecases/run-phase.js';
import { crashAgent } from './crash-agent.js';
import { type Tap, tapEngine } from './crash-tap.js';
import { crashWorkspace } from './crash-workspace.js';
import type { CrashWorld } from './crash-world.js';
import { MemoryAccount, MemoryBooks } from './memory-account.js';
import { MemoryEvents } from './memory-events.js';
import { MemoryQueue } from './memory-queue.js';
import type { MemoryStore } from './memory-store.js';

export interface InstanceOptions {
  readonly size: Size;
  readonly store: MemoryStore;
  readonly log: Log;
  readonly tap?: Tap;
  /** Deliberate damage. */
  readonly breakEngine?: (engine: Engine) => Engine;
  readonly breakHandlers?: (handlers: JobHandlers, engine: Engine) => JobHandlers;
}

/** One process of the service with a disk of its own: nothing of it outlives it. */
export interface Instance {
  readonly engine: Engine;
  readonly queue: MemoryQueue;
  end(): Promise<void>;
}

const IDENTITY = { name: 'Sluice', email: 'sluice@users.noreply.example.com' };
const LONG = 15 * 60_000;

export async function startInstance(
  world: Pick<CrashWorld, 'app' | 'pocket'> & { readonly clock: Clock },
  options: InstanceOptions,
): Promise<Instance> {
  const { clock, app, pocket } = world;
  const { log, size } = options;
  const { api: apiUrl, graphql: graphqlUrl, html } = pocket.urls;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-crash-'));
  const tokens = createAppTokens({ apiUrl, appId: app.id, privateKey: app.privateKey, clock, log });
  const identity = { accountId: app.botId, appId: app.id };
  const gitHost = createGitHost({
    folder: join(folder, 'mirrors'),
    remoteUrl: (repo) => `${html}/${formatRepo(repo)}.git`,
    token: async (repo) => (await tokens.tokenFor(repo)).text,
    identity: IDENTITY,
    clock,
    log,
    deadlineMs: LONG,
  });
  const instance = `crash-${randomUUID()}`;
  const signing = { keys: { current: { id: 'k1', secret: 'a signing secret' } }, acceptUnsigned: false };
  const recollection = new Recollection({ clock });
  const queue = new MemoryQueue({ clock, log, store: options.store });
  const account = new MemoryAccount({
    clock,
    log,
    budgets: DEFAULT_BUDGETS,
    random: () => 0.5,
    books: new MemoryBooks(),
  });
  const whole: Engine = {
    github: createGitHub({ apiUrl, graphqlUrl, tokens, identity, clock, log, recollection }),
    gitHost,
    states: withRecollection(createStateStore({ gitHost, signing, owner: instance, log }), recollection),
    workspace: crashWorkspace(gitHost, folder),
    agent: crashAgent(clock, size),
    queue,
    events: new MemoryEvents({ clock }),
    clock,
    log,
    instance,
    newId: randomUUID,
    testCommand: async () => null,
    policyFor: async ({ ref }) => ({
      ...DEFAULT_LIMITS,
      identity,
      budgets: DEFAULT_BUDGETS,
      holds: await account.holds(ref),
    }),
    account,
    models: { heavy: null, medium: null, light: null, fallback: null },
    budgets: DEFAULT_BUDGETS,
    hints: new Map(),
    serves: () => true,
    turns: { commandsPerHour: 10, start: async () => clock.now(), command: async () => null },
  };
  const broken = options.breakEngine?.(whole) ?? whole;
  const engine = options.tap === undefined ? broken : tapEngine(broken, options.tap);
  const handlers: JobHandlers = {
    wake: (ref) => drive(engine, ref),
    phase: (job, signal) => runPhase(engine, job, signal),
  };
  await queue.work(options.breakHandlers?.(handlers, engine) ?? handlers);
  return {
    engine,
    queue,
    end: async () => {
      queue.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
