import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppTokens } from '../../src/adapters/github/app-tokens.js';
import { createGitHub } from '../../src/adapters/github/github.js';
import { Recollection, withRecollection } from '../../src/adapters/github/recollection.js';
import { createMemoryHints } from '../../src/adapters/memory-hints.js';
import { withMemory } from '../../src/adapters/state/remembered-states.js';
import { createStateMarks, sealsOf } from '../../src/adapters/state/state-mark.js';
import { createStateStore } from '../../src/adapters/state/state-ref.js';
import { DEFAULT_BUDGETS } from '../../src/domain/budget.js';
import type { RepoRef } from '../../src/domain/ids.js';
import { DEFAULT_LIMITS } from '../../src/domain/policy.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Agent } from '../../src/ports/agent.js';
import type { GitHost } from '../../src/ports/git-host.js';
import type { HintStore } from '../../src/ports/hint-store.js';
import type { Liveness } from '../../src/ports/liveness.js';
import type { Log } from '../../src/ports/log.js';
import type { JobHandlers } from '../../src/ports/queue.js';
import { BoundedSet } from '../../src/usecases/bounded-set.js';
import { drive } from '../../src/usecases/drive.js';
import type { Engine } from '../../src/usecases/engine.js';
import { createHeartbeat } from '../../src/usecases/heartbeat.js';
import { createRecentCommands } from '../../src/usecases/recent-commands.js';
import { runPhase } from '../../src/usecases/run-phase.js';
import { type Tap, tapEngine, tapTokens } from './crash-tap.js';
import type { CrashWorld } from './crash-world.js';
import { MemoryAccount, MemoryBooks } from './memory-account.js';
import { MemoryEvents } from './memory-events.js';
import { GitDouble } from './git-double.js';
import { MemoryLiveness } from './memory-liveness.js';
import { MemoryNotes } from './memory-notes.js';
import { MemoryQueue } from './memory-queue.js';
import type { MemoryStore } from './memory-store.js';
import { memoryTurns } from './memory-turns.js';
import { workspaceDouble } from './workspace-double.js';

export interface InstanceOptions {
  readonly agent: (clock: Clock) => Agent;
  readonly store: MemoryStore;
  /** What the account has learned, where that outlives an instance. */
  readonly books?: MemoryBooks;
  /** What Redis would remember, where that outlives an instance. */
  readonly hints?: HintStore;
  /** Signs of life, where they are shared with other instances. */
  readonly liveness?: Liveness;
  readonly log: Log;
  /** Told when an agent begins. */
  readonly onRun?: (engine: Engine) => void;
  readonly tap?: Tap;
  /** What lies between Sluice and git. */
  readonly gitHost?: (usual: GitHost) => GitHost;
  /** Deliberate damage. */
  readonly breakEngine?: (engine: Engine) => Engine;
  readonly breakHandlers?: (handlers: JobHandlers, engine: Engine) => JobHandlers;
}

/** One process of the service with a disk of its own: nothing of it outlives it. */
export interface Instance {
  readonly engine: Engine;
  readonly queue: MemoryQueue;
  /** How many agents it has started. */
  runs(): number;
  end(): Promise<void>;
}

const IDENTITY = { name: 'Sluice', email: 'sluice@users.noreply.example.com' };

export async function startInstance(
  world: Pick<CrashWorld, 'app' | 'pocket'> & { readonly clock: Clock },
  options: InstanceOptions,
): Promise<Instance> {
  const { clock, app, pocket } = world;
  const { log, tap, onRun } = options;
  const { api: apiUrl, graphql: graphqlUrl } = pocket.urls;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-crash-'));
  const ownTokens = createAppTokens({ apiUrl, appId: app.id, privateKey: app.privateKey, clock, log });
  const tokens = tap === undefined ? ownTokens : tapTokens(ownTokens, tap);
  const identity = { accountId: app.botId, appId: app.id };
  const token = async (repo: RepoRef): Promise<string> => (await tokens.tokenFor(repo)).text;
  const git = new GitDouble({ pocket, token, identity: IDENTITY, clock });
  const gitHost = options.gitHost?.(git) ?? git;
  const instance = `crash-${randomUUID()}`;
  const signing = { keys: { current: { id: 'k1', secret: 'a signing secret' } }, acceptUnsigned: false };
  const hints = options.hints ?? createMemoryHints(clock);
  const marks = createStateMarks(signing);
  const stored = createStateStore({ gitHost, signing, owner: instance, clock, log });
  const recollection = new Recollection({ clock });
  const queue = new MemoryQueue({ clock, log, store: options.store });
  const account = new MemoryAccount({
    clock,
    log,
    budgets: DEFAULT_BUDGETS,
    random: () => 0.5,
    books: options.books ?? new MemoryBooks(),
  });
  const liveness = options.liveness ?? new MemoryLiveness(clock);
  const heartbeat = createHeartbeat({ liveness, instance, clock, log, wake: (ref) => queue.wake(ref) });
  const life: { engine: Engine | null; runs: number } = { engine: null, runs: 0 };
  const agent = options.agent(clock);
  const counted: Agent = {
    run: (job) => {
      life.runs += 1;
      if (life.engine !== null) onRun?.(life.engine);
      return agent.run(job);
    },
  };
  const whole: Engine = {
    github: createGitHub({ apiUrl, graphqlUrl, tokens, identity, clock, log, recollection }),
    gitHost,
    states: withRecollection(withMemory(stored, { gitHost, hints, host: apiUrl, marks, log }), recollection),
    workspace: workspaceDouble({ gitHost: git, folder }),
    agent: counted,
    queue,
    events: new MemoryEvents({ clock }),
    clock,
    log,
    instance,
    newId: randomUUID,
    testCommand: async () => 'true',
    protectedPatterns: async () => [],
    policyFor: async (snapshot) => ({
      ...DEFAULT_LIMITS,
      hasTests: true,
      identity,
      budgets: DEFAULT_BUDGETS,
      holds: await account.holds(snapshot.ref),
      owner: await heartbeat.ownerOf(snapshot),
      seals: sealsOf(marks),
    }),
    account,
    models: { heavy: null, medium: null, light: null, fallback: null },
    budgets: DEFAULT_BUDGETS,
    greenCommits: new BoundedSet(100),
    justSeen: new Map(),
    hints: new Map(),
    serves: () => true,
    liveness,
    notes: new MemoryNotes(),
    turns: memoryTurns(clock),
    recent: createRecentCommands(clock),
  };
  const broken = options.breakEngine?.(whole) ?? whole;
  const engine = tap === undefined ? broken : tapEngine(broken, tap);
  life.engine = engine;
  const handlers: JobHandlers = {
    wake: (ref) => drive(engine, ref),
    phase: (job, signal) => runPhase(engine, job, signal),
  };
  if (options.liveness !== undefined) await heartbeat.start();
  await queue.work(options.breakHandlers?.(handlers, engine) ?? handlers);
  return {
    engine,
    queue,
    runs: () => life.runs,
    end: async () => {
      if (options.liveness !== undefined) await heartbeat.stop();
      queue.kill();
      // Whatever was under way may write a last file.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}
