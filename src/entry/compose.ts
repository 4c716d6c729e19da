import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RedisAccount } from '../adapters/account/redis-account.js';
import { RedisEvents } from '../adapters/events/redis-events.js';
import { openBullmqInbox } from '../adapters/queue/bullmq-inbox.js';
import { openBullmqQueue } from '../adapters/queue/bullmq-queue.js';
import { askingClient, isRedisThere } from '../adapters/queue/redis-client.js';
import { createRedisHints } from '../adapters/queue/redis-hints.js';
import { createRedisLiveness } from '../adapters/queue/redis-liveness.js';
import { createTurns, DEFAULT_TURNS } from '../adapters/queue/redis-turns.js';
import { openRedis, type RedisServer } from '../adapters/queue/redis-server.js';
import { credentialId } from '../adapters/sandbox/run-token.js';
import { DEFAULT_BUDGETS } from '../domain/budget.js';
import { stateOf } from '../domain/completion.js';
import type { Policy } from '../domain/policy.js';
import type { ModelConfig } from '../domain/tier.js';
import type { Inbox } from '../ports/inbox.js';
import type { Sandbox } from '../ports/sandbox.js';
import type { StateStore } from '../ports/state-store.js';
import { BoundedSet } from '../usecases/bounded-set.js';
import { drive } from '../usecases/drive.js';
import type { Engine } from '../usecases/engine.js';
import { giveUp, handleEvent } from '../usecases/handle-event.js';
import { createHeartbeat } from '../usecases/heartbeat.js';
import { createLookAgain } from '../usecases/look-again.js';
import { createRecentCommands } from '../usecases/recent-commands.js';
import { createRescuer } from '../usecases/rescue.js';
import { runPhase } from '../usecases/run-phase.js';
import { createSweep, type Sweep } from '../usecases/sweep/sweep.js';
import { tellingStates } from '../usecases/tell.js';
import { createWakeWaiting } from '../usecases/wake-waiting.js';
import { type Parts, REDIS_PREFIX, type ServiceConfig } from './composition.js';
import { connect } from './connect.js';
import { HEARD_EVENTS } from './github-event/parse-event.js';
import { findWalls, openWorksite } from './worksite.js';

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
  /** What holds commands back here. */
  readonly guards: Sandbox['guards'];
  /** Why there are no walls; `null` when there are. */
  readonly noSandboxBecause: string | null;
  /** Whether it could take work now. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** Leaves the choice to the CLI. */
const NO_MODELS: ModelConfig = { heavy: null, medium: null, light: null, fallback: null };
/** From telling jobs to stop to leaving them: an agent may take three seconds to end, and saving its work twenty. */
const STOP_MS = 24_000;
/** What was heard a moment ago should become a durable intent, but not at the price of never ending. */
const HEARD_MS = 2_000;
/** A look that is under way may end; what it has not seen the next one sees. */
const SWEEP_MS = 1_000;
/** Tokens that could not be revoked in time end by themselves within the hour. */
const REVOKE_MS = 1_000;
const READY_MS = 1_000;
/** Commits whose tests are known to pass. */
const GREEN_COMMITS = 1_000;

/** Puts the parts together. Nothing below this line knows which GitHub or which model it talks to. */
export async function compose(config: ServiceConfig, parts: Parts): Promise<Service> {
  const { clock, log } = parts;
  const { folder, path } = config;
  // Before anything is opened: without walls nothing may start.
  const walls = await findWalls(config, parts);
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
  const { github, gitHost, newId, testCommand, protectedPatterns, hints, instance, identity, commitsBy, tokens } =
    connection;
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
  const liveness = createRedisLiveness({ redis: asking, prefix: REDIS_PREFIX });
  const heartbeat = createHeartbeat({ liveness, instance, clock, log, wake: (ref) => queue.wake(ref) });
  const site = await openWorksite(config, { ...parts, walls, gitHost, account, commitsBy });
  const engine: Engine = {
    github,
    gitHost,
    states,
    workspace: site.workspace,
    agent: site.agent,
    account,
    models: config.models ?? NO_MODELS,
    budgets,
    queue,
    serves: servedBy(config.repositories ?? []),
    events,
    turns: createTurns({ redis: asking, prefix: REDIS_PREFIX, clock }, { ...DEFAULT_TURNS, ...config.turns }),
    recent: createRecentCommands(clock),
    liveness,
    notes: site.notes,
    clock,
    log,
    instance,
    newId,
    testCommand,
    protectedPatterns,
    // Looking does not ask the account; working does.
    policyFor: async (snapshot) => {
      const policy = await connection.policyFor(snapshot);
      if (stateOf(snapshot).run === null) return policy;
      const holds = [...policy.holds, ...(await account.holds(snapshot.ref))];
      return { ...policy, holds, owner: await heartbeat.ownerOf(snapshot) };
    },
    greenCommits: new BoundedSet(GREEN_COMMITS),
    justSeen: new Map(),
    hints,
  };
  const lookAgain = createLookAgain(engine);
  await heartbeat.start();
  // Before anybody works: the next run goes on from what is found.
  const rescuer = createRescuer(engine, site.leftovers);
  await rescuer.start();
  const wakeWaiting = createWakeWaiting(engine);
  await queue.work({
    wake: (ref) => lookAgain(ref, () => drive(engine, ref)),
    phase: (job, signal) => lookAgain(job.ref, () => runPhase(engine, job, signal)),
  });
  wakeWaiting.start();
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
    gaveUp: (command, error) => giveUp(engine, command, error),
    serves: engine.serves,
    hears: (event) => HEARD_EVENTS.includes(event),
  });
  return {
    engine,
    sweep,
    inbox,
    identity,
    redis: redis.kind,
    sandbox: site.sandbox,
    guards: site.guards,
    noSandboxBecause: site.noSandboxBecause,
    ready: () => isRedisThere(redis.url, clock, READY_MS),
    close: async () => {
      rescuer.stop();
      wakeWaiting.stop();
      await Promise.race([sweep.stop(), setTimeout(SWEEP_MS, undefined, { ref: false })]);
      await inbox.close();
      await queue.close();
      await heartbeat.stop();
      site.close();
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

function told(states: StateStore, onSwap: Parts['onSwap']): StateStore {
  if (onSwap === undefined) return states;
  const swap: StateStore['swap'] = async (request) => {
    const result = await states.swap(request);
    if (result.kind === 'swapped') onSwap(request);
    return result;
  };
  return { ...states, swap };
}
