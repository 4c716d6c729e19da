import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppTokens } from '../../../src/adapters/github/auth/app-tokens.js';
import { ReadYourWrites, withReadYourWrites } from '../../../src/adapters/github/snapshot/read-your-writes.js';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { withRememberedStates } from '../../../src/adapters/state/remembered-states.js';
import { createStateSealFormat, stateSeals } from '../../../src/adapters/state/state-seal.js';
import { createStateStore } from '../../../src/adapters/state/state-store.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import type { RepoRef } from '../../../src/domain/issue/ids.js';
import { DEFAULT_LIMITS } from '../../../src/domain/limits/policy.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Agent } from '../../../src/ports/agent.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { HintStore } from '../../../src/ports/hint-store.js';
import type { Liveness } from '../../../src/ports/liveness.js';
import type { Log } from '../../../src/ports/log.js';
import type { JobHandlers } from '../../../src/ports/queue.js';
import { createLru } from '../../../src/cache/lru.js';
import { reconcile } from '../../../src/usecases/reconcile/reconcile.js';
import type { Engine } from '../../../src/usecases/engine.js';
import { createHeartbeat } from '../../../src/usecases/maintenance/heartbeat.js';
import { createRecentCommands } from '../../../src/usecases/commands/recent-commands.js';
import { createRelations } from '../../../src/usecases/issue/related-work.js';
import { runPhase } from '../../../src/usecases/phases/run-phase.js';
import { type PortInterceptor, interceptEngine, interceptTokens } from './port-interceptor.js';
import type { CrashWorld } from '../../chaos/support/crash/crash-world.js';
import { MemoryModelAccount, MemoryAccountStore } from '../memory/memory-model-account.js';
import { MemoryEventLog } from '../memory/memory-event-log.js';
import { GitDouble } from '../git/git-double.js';
import { MemoryLiveness } from '../memory/memory-liveness.js';
import { MemoryRunNotes } from '../memory/memory-run-notes.js';
import { MemoryQueue } from '../memory/memory-queue.js';
import type { MemoryQueueStore } from '../memory/memory-queue-store.js';
import { memoryRequestQuota } from '../memory/memory-request-quota.js';
import { workspaceDouble } from '../git/workspace-double.js';
import { createTestGitHub } from '../github/github-adapter.js';

export interface EngineInstanceOptions {
  readonly agent: (clock: Clock) => Agent;
  readonly store: MemoryQueueStore;
  /** What the account has learned, where that outlives an instance. */
  readonly accountStore?: MemoryAccountStore;
  /** What Redis would remember, where that outlives an instance. */
  readonly hints?: HintStore;
  /** Signs of life, where they are shared with other instances. */
  readonly liveness?: Liveness;
  readonly log: Log;
  /** Called when an agent starts. */
  readonly onRun?: (engine: Engine) => void;
  readonly interceptor?: PortInterceptor;
  /** Wraps the git host. */
  readonly gitHost?: (usual: GitHost) => GitHost;
  /** Breaks the engine on purpose. */
  readonly breakEngine?: (engine: Engine) => Engine;
  readonly breakHandlers?: (handlers: JobHandlers, engine: Engine) => JobHandlers;
}

/** One process of the service with its own disk, which is lost with it. */
export interface EngineInstance {
  readonly engine: Engine;
  readonly queue: MemoryQueue;
  /** How many agents it has started. */
  runs(): number;
  end(): Promise<void>;
}

const IDENTITY = { name: 'Sluice', email: 'sluice@users.noreply.example.com' };

export async function startEngineInstance(
  world: Pick<CrashWorld, 'app' | 'pocket'> & { readonly clock: Clock },
  options: EngineInstanceOptions,
): Promise<EngineInstance> {
  const { clock, app, pocket } = world;
  const { log, interceptor, onRun } = options;
  const { api: apiUrl } = pocket.urls;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-crash-'));
  const ownTokens = createAppTokens({ apiUrl, appId: app.id, privateKey: app.privateKey, clock, log });
  const tokens = interceptor === undefined ? ownTokens : interceptTokens(ownTokens, interceptor);
  const identity = { accountId: app.botId, appId: app.id };
  const token = async (repo: RepoRef): Promise<string> => (await tokens.tokenFor(repo)).text;
  const git = new GitDouble({ pocket, token, identity: IDENTITY, clock });
  const gitHost = options.gitHost?.(git) ?? git;
  const isUnrelated = createRelations(gitHost);
  const instance = `crash-${randomUUID()}`;
  const signing = { keys: { current: { id: 'k1', secret: 'a signing secret' } }, acceptUnsigned: false };
  const hints = options.hints ?? createMemoryHintStore(clock);
  const seals = createStateSealFormat(signing);
  const stored = createStateStore({ gitHost, signing, owner: instance, clock, log });
  const readYourWrites = new ReadYourWrites({ clock });
  const queue = new MemoryQueue({ clock, log, store: options.store });
  const modelAccount = new MemoryModelAccount({
    clock,
    log,
    budgets: DEFAULT_BUDGETS,
    random: () => 0.5,
    store: options.accountStore ?? new MemoryAccountStore(),
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
    github: createTestGitHub({ apiUrl, tokens, identity, clock, log, readYourWrites }),
    gitHost,
    states: withReadYourWrites(
      withRememberedStates(stored, { gitHost, hints, host: apiUrl, seals, log }),
      readYourWrites,
    ),
    workspace: workspaceDouble({ gitHost: git, folder }),
    agent: counted,
    queue,
    events: new MemoryEventLog({ clock }),
    clock,
    log,
    instance,
    newId: randomUUID,
    testCommand: async () => 'true',
    protectedPatterns: async () => [],
    policyFor: async (snapshot) => ({
      ...DEFAULT_LIMITS,
      hasTests: true,
      workUnrelated: await isUnrelated(snapshot),
      identity,
      budgets: DEFAULT_BUDGETS,
      holds: await modelAccount.holds(snapshot.ref),
      owner: await heartbeat.ownerOf(snapshot),
      seals: stateSeals(seals),
    }),
    modelAccount,
    models: { heavy: null, medium: null, light: null, fallback: null },
    budgets: DEFAULT_BUDGETS,
    greenCommits: createLru(100),
    recentSnapshots: createLru(100),
    hints: createLru(100),
    serves: () => true,
    liveness,
    runNotes: new MemoryRunNotes(),
    requestQuota: memoryRequestQuota(clock),
    recentCommands: createRecentCommands(clock),
  };
  const broken = options.breakEngine?.(whole) ?? whole;
  const engine = interceptor === undefined ? broken : interceptEngine(broken, interceptor);
  life.engine = engine;
  const handlers: JobHandlers = {
    wake: (ref) => reconcile(engine, ref),
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
      // Work in progress may still write a file.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}
