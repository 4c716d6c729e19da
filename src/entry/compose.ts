import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RedisAccount } from '../adapters/account/redis-account.js';
import { ClaudeAgent } from '../adapters/agent/claude-agent.js';
import { RedisEvents } from '../adapters/events/redis-events.js';
import { openBullmqInbox } from '../adapters/queue/bullmq-inbox.js';
import { openBullmqQueue } from '../adapters/queue/bullmq-queue.js';
import { askingClient, isRedisThere } from '../adapters/queue/redis-client.js';
import { createRedisHints } from '../adapters/queue/redis-hints.js';
import { createTurns, DEFAULT_TURNS, type TurnLimits } from '../adapters/queue/redis-turns.js';
import { openRedis, type RedisServer } from '../adapters/queue/redis-server.js';
import { detectSandbox } from '../adapters/sandbox/detect-sandbox.js';
import { KeyProxy } from '../adapters/sandbox/key-proxy.js';
import { credentialId, type ModelCredential } from '../adapters/sandbox/run-token.js';
import { createWorkspace } from '../adapters/workspace/clones.js';
import { parseRepoConfig } from '../config/repo-config.js';
import { isLoopback } from '../config/github-urls.js';
import { type BudgetConfig, DEFAULT_BUDGETS } from '../domain/budget.js';
import { stateOf } from '../domain/completion.js';
import type { Policy } from '../domain/policy.js';
import type { ModelConfig } from '../domain/tier.js';
import type { Clock } from '../ports/clock.js';
import type { Inbox } from '../ports/inbox.js';
import type { Log } from '../ports/log.js';
import type { Sandbox } from '../ports/sandbox.js';
import type { StateStore, Swap } from '../ports/state-store.js';
import { drive } from '../usecases/drive.js';
import type { Engine } from '../usecases/engine.js';
import { handleEvent } from '../usecases/handle-event.js';
import { createLookAgain } from '../usecases/look-again.js';
import { runPhase } from '../usecases/run-phase.js';
import { createSweep, type Sweep } from '../usecases/sweep/sweep.js';
import { tellingStates } from '../usecases/tell.js';
import { CommandFailure } from './command-failure.js';
import { connect, type GitHubConfig, IDENTITY } from './connect.js';
import { HEARD_EVENTS } from './github-event/parse-event.js';

/** Everything that differs between a demo on loopback and a service for github.com. */
export interface ServiceConfig extends GitHubConfig {
  readonly model: { readonly url: URL; readonly credential: ModelCredential };
  readonly redisUrl: string | undefined;
  /** Mirrors, clones, sockets: may be deleted while nothing runs. */
  readonly folder: string;
  /** The `claude` program itself. */
  readonly claude: string;
  /** Where `.claude-plugin` and `skills` are. */
  readonly product: string;
  readonly path: string;
  /** Lets agents run without walls around them even where strangers can reach us. */
  readonly unsafeNoSandbox?: boolean;
  readonly limits?: Partial<Omit<Policy, 'identity' | 'holds' | 'budgets'>>;
  readonly turns?: Partial<TurnLimits>;
  /** `owner/repo` or `owner/*`; none means all it is installed on. */
  readonly repositories?: readonly string[];
  /** Absent: the CLI chooses. */
  readonly models?: ModelConfig;
  readonly budgets?: BudgetConfig;
  /** Why nothing may start at all. */
  readonly stoppedBecause?: string | null;
}

/** A running engine with its workers. */
export interface Service {
  readonly engine: Engine;
  /** Looks at everything, webhook or not; it is up to whoever composed it to start it. */
  readonly sweep: Sweep;
  /** What GitHub told us and nobody has dealt with yet. */
  readonly inbox: Inbox;
  readonly identity: Policy['identity'];
  readonly redis: RedisServer['kind'];
  readonly sandbox: Sandbox['name'];
  /** Why there are no walls; `null` when there are. */
  readonly noSandboxBecause: string | null;
  /** Whether it could take work now. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Takes secrets out of what is kept about runs. */
  readonly redact: (text: string) => string;
  /** Told of every state that was swapped in. */
  readonly onSwap?: (swap: Swap) => void;
}

/** Leaves the choice to the CLI. */
const NO_MODELS: ModelConfig = { heavy: null, medium: null, light: null, fallback: null };
/** Begins every key of ours. */
const REDIS_PREFIX = 'sluice';
const COMMAND_TIMEOUT_MS = 15 * 60_000;
const SETUP_TIMEOUT_MS = 15 * 60_000;
/** From asking a process to end to ending it. */
const GRACE_MS = 3_000;
/** From telling jobs to stop to leaving them; with what follows it fits into ten seconds. */
const STOP_MS = 5_000;
/** What was heard a moment ago should become a durable intent, but not at the price of never ending. */
const HEARD_MS = 2_000;
/** A look that is under way may end; what it has not seen the next one sees. */
const SWEEP_MS = 1_000;
/** Tokens that could not be revoked in time end by themselves within the hour. */
const REVOKE_MS = 1_000;
const READY_MS = 1_000;
const MAX_BUNDLE_BYTES = 100 * 1024 * 1024;

/** Puts the parts together. Nothing below this line knows which GitHub or which model it talks to. */
export async function compose(config: ServiceConfig, parts: Parts): Promise<Service> {
  const { clock, log } = parts;
  const { folder, path } = config;
  const { sandbox, why } = await walls(config, parts);
  const redis = await openRedis({ url: config.redisUrl, path, clock, log });
  const asking = askingClient(redis.url, log);
  await asking.connect();
  const shared = createRedisHints({ redis: asking, prefix: REDIS_PREFIX, clock });
  const budgets = config.budgets ?? DEFAULT_BUDGETS;
  const limits = { ...config.limits, budgets };
  const connecting = connect(config, join(folder, 'mirrors'), { clock, log, limits, hints: shared });
  const connection = await connecting.catch(async (error: unknown) => {
    asking.disconnect();
    await redis.close();
    throw error;
  });
  const { github, gitHost, newId, testCommand, hints, instance, identity, tokens } = connection;
  const events = new RedisEvents({
    redis: asking,
    prefix: REDIS_PREFIX,
    clock,
    log,
    redact: parts.redact,
    folder: join(folder, 'events'),
  });
  const states = tellingStates(told(connection.states, parts.onSwap), { events, clock });
  const queue = await openBullmqQueue({ url: redis.url, clock, log, graceMs: STOP_MS });
  const inbox = await openBullmqInbox({ url: redis.url, clock, log, graceMs: HEARD_MS });
  const account = new RedisAccount({
    redis: asking,
    clock,
    log,
    random: Math.random,
    budgets,
    credential: credentialId(config.model.credential),
    stoppedBecause: config.stoppedBecause ?? null,
    prefix: REDIS_PREFIX,
  });
  const engine: Engine = {
    github,
    gitHost,
    states,
    workspace: createWorkspace({
      folder: join(folder, 'clones'),
      gitHost,
      sandbox,
      parseConfig: parseRepoConfig,
      config: {
        path,
        identity: IDENTITY,
        commandTimeoutMs: COMMAND_TIMEOUT_MS,
        setupTimeoutMs: SETUP_TIMEOUT_MS,
        maxBundleBytes: MAX_BUNDLE_BYTES,
      },
      log,
    }),
    agent: new ClaudeAgent({
      sandbox,
      gate: new KeyProxy({
        credential: config.model.credential,
        upstream: config.model.url,
        listen: await doorway(folder, sandbox),
        clock,
        log,
        onAnswer: (run) => void account.answered(run),
      }),
      clock,
      log,
      claude: config.claude,
      plugin: await installPlugin(config.product, folder),
      path,
    }),
    account,
    models: config.models ?? NO_MODELS,
    budgets,
    queue,
    serves: servedBy(config.repositories ?? []),
    events,
    turns: createTurns({ redis: asking, prefix: REDIS_PREFIX, clock }, { ...DEFAULT_TURNS, ...config.turns }),
    clock,
    log,
    instance,
    newId,
    testCommand,
    // Looking does not ask the account; working does.
    policyFor: async (snapshot) => {
      const policy = await connection.policyFor(snapshot);
      if (stateOf(snapshot).run === null) return policy;
      return { ...policy, holds: [...policy.holds, ...(await account.holds(snapshot.ref))] };
    },
    hints,
  };
  const lookAgain = createLookAgain(engine);
  await queue.work({
    wake: (ref) => lookAgain(ref, () => drive(engine, ref)),
    phase: (job, signal) => lookAgain(job.ref, () => runPhase(engine, job, signal)),
  });
  const sweep = createSweep({
    survey: connection.survey,
    hints: shared,
    clock,
    log,
    instance,
    random: Math.random,
    lastLook: connection.lastLook,
    wake: (ref) => queue.wake(ref),
    heard: (command) => handleEvent(engine, command),
    serves: engine.serves,
    hears: (event) => HEARD_EVENTS.includes(event),
  });
  return {
    engine,
    sweep,
    inbox,
    identity,
    redis: redis.kind,
    sandbox: sandbox.name,
    noSandboxBecause: why,
    ready: () => isRedisThere(redis.url, clock, READY_MS),
    close: async () => {
      await Promise.race([sweep.stop(), setTimeout(SWEEP_MS, undefined, { ref: false })]);
      await inbox.close();
      await queue.close();
      await Promise.race([tokens.revoke(), setTimeout(REVOKE_MS, undefined, { ref: false })]);
      await events.close();
      asking.disconnect();
      await redis.close();
    },
  };
}

/** Names are compared as GitHub does, without case. */
function servedBy(patterns: readonly string[]): Engine['serves'] {
  const names = new Set(patterns.map((pattern) => pattern.toLowerCase()));
  return ({ owner, repo }) =>
    names.size === 0 || names.has(`${owner}/${repo}`.toLowerCase()) || names.has(`${owner}/*`.toLowerCase());
}

/** The best sandbox there is. Without one, only a GitHub that strangers cannot reach is served. */
async function walls({ apiUrl, path, unsafeNoSandbox = false }: ServiceConfig, { clock, log }: Parts) {
  const detected = await detectSandbox({ path, clock, graceMs: GRACE_MS });
  const { why } = detected;
  if (why === null) return detected;
  if (!isLoopback(apiUrl) && !unsafeNoSandbox) {
    throw new CommandFailure(
      `there is no sandbox for agents here: ${why} Without one an issue’s author could run anything with your rights. ` +
        '`--unsafe-no-sandbox` goes on all the same.',
    );
  }
  log.warn({ why }, 'there is no sandbox: agents run with the rights of this process');
  return detected;
}

function told(states: StateStore, onSwap: Parts['onSwap']): StateStore {
  if (onSwap === undefined) return states;
  const swap: StateStore['swap'] = async (request) => {
    const result = await states.swap(request);
    if (result.kind === 'swapped') onSwap(request);
    return result;
  };
  return { ...states, swap };
}

/** Unix sockets reach into a sandbox without a network; without a sandbox a port on loopback does. */
async function doorway(folder: string, sandbox: Sandbox) {
  if (sandbox.name === 'none') return { kind: 'loopback' } as const;
  const sockets = join(folder, 's');
  await mkdir(sockets, { recursive: true });
  return { kind: 'sockets', folder: sockets } as const;
}

/** The skills alone, so that a sandbox shows nothing else of the product. */
async function installPlugin(product: string, folder: string): Promise<string> {
  const plugin = join(folder, 'plugin');
  for (const part of ['.claude-plugin', 'skills'])
    await cp(join(product, part), join(plugin, part), { recursive: true });
  return plugin;
}
