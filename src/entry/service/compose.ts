import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RedisModelAccount } from '../../adapters/redis/model-account/redis-model-account.js';
import { RedisEventLog } from '../../adapters/events/redis-event-log.js';
import { openBullmqInbox } from '../../adapters/queue/bullmq-inbox.js';
import { openBullmqQueue } from '../../adapters/queue/bullmq-queue.js';
import { failFastClient, isRedisThere } from '../../adapters/redis/redis-client.js';
import { createRedisHintStore } from '../../adapters/redis/redis-hint-store.js';
import { createRedisLiveness } from '../../adapters/redis/redis-liveness.js';
import { createRequestQuota, DEFAULT_REQUEST_QUOTA } from '../../adapters/redis/redis-request-quota.js';
import { openRedis, type RedisServer } from '../../adapters/redis/server/redis-server.js';
import { credentialId } from '../../adapters/model-gate/run-token.js';
import { createLru } from '../../cache/lru.js';
import { DEFAULT_BUDGETS } from '../../domain/limits/budgets.js';
import { stateOf } from '../../domain/state/evidence.js';
import type { Policy } from '../../domain/limits/policy.js';
import type { ModelConfig } from '../../domain/limits/tier.js';
import type { Inbox } from '../../ports/inbox.js';
import type { Sandbox } from '../../ports/sandbox.js';
import type { StateStore } from '../../ports/state-store.js';
import { reconcile } from '../../usecases/reconcile/reconcile.js';
import type { Engine } from '../../usecases/engine.js';
import { giveUp, handleEvent } from '../../usecases/commands/handle-event.js';
import { createHeartbeat } from '../../usecases/maintenance/heartbeat.js';
import { requeueOnTransient } from '../../usecases/reconcile/requeue.js';
import { createRecentCommands } from '../../usecases/commands/recent-commands.js';
import { createLeftoverRescuer } from '../../usecases/maintenance/rescue-leftovers.js';
import { runPhase } from '../../usecases/phases/run-phase.js';
import { createSweep, type Sweep } from '../../usecases/sweep/sweep.js';
import { recordEvents } from '../../usecases/events/record-events.js';
import { createHeldRunWaker } from '../../usecases/maintenance/wake-held-runs.js';
import { type Parts, REDIS_PREFIX, type ServiceConfig } from './composition.js';
import { connect } from './connect.js';
import { HANDLED_EVENTS } from '../webhooks/may-matter.js';
import { requireSandbox, openAgentRuntime } from './agent-runtime.js';

/** A running engine with its workers. */
export interface Service {
  readonly engine: Engine;
  /** The sweep; the caller starts it. */
  readonly sweep: Sweep;
  /** Events from GitHub that were not handled yet. */
  readonly inbox: Inbox;
  readonly identity: Policy['identity'];
  readonly redis: RedisServer['kind'];
  readonly sandbox: Sandbox['name'];
  /** The guards that work here. */
  readonly guards: Sandbox['guards'];
  /** Why there is no sandbox; `null` when there is one. */
  readonly noSandboxBecause: string | null;
  /** Whether it could take work now. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** Leaves the choice to the CLI. */
const NO_MODELS: ModelConfig = { heavy: null, medium: null, light: null, fallback: null };
/** From telling jobs to stop to leaving them: an agent may take three seconds to end, and saving its work twenty. */
const STOP_MS = 24_000;
/** Recent events should become durable intents, but closing must end. */
const INBOX_CLOSE_MS = 2_000;
/** A sweep in progress may end; the next one covers the rest. */
const SWEEP_MS = 1_000;
/** Tokens that could not be revoked in time end by themselves within the hour. */
const REVOKE_MS = 1_000;
const READY_MS = 1_000;
/** Commits whose tests are known to pass. */
const GREEN_COMMITS = 1_000;
/** More than are queued at once by one process. */
const RECENT_SNAPSHOTS = 200;

/** Puts the parts together. Nothing below this line knows which GitHub or which model it talks to. */
export async function compose(config: ServiceConfig, parts: Parts): Promise<Service> {
  const { clock, log } = parts;
  const { folder, path } = config;
  // Before anything is opened: without a sandbox nothing may start.
  const detected = await requireSandbox(config, parts);
  const redis = await openRedis({ url: config.redisUrl, path, clock, log });
  const failFastRedis = failFastClient(redis.url, log);
  await failFastRedis.connect();
  const shared = createRedisHintStore({ redis: failFastRedis, prefix: REDIS_PREFIX, clock });
  const budgets = config.budgets ?? DEFAULT_BUDGETS;
  const limits = { ...config.limits, budgets };
  const connecting = connect(config, join(folder, 'mirrors'), { clock, log, limits, hints: shared });
  const connection = await connecting.catch(async (error: unknown) => {
    failFastRedis.disconnect();
    await redis.close();
    throw error;
  });
  const { github, gitHost, newId, testCommand, protectedPatterns, hints, instance, identity, commitsBy, tokens } =
    connection;
  const events = new RedisEventLog({
    redis: failFastRedis,
    prefix: REDIS_PREFIX,
    clock,
    log,
    redact: parts.redact,
    folder: join(folder, 'events'),
  });
  const states = recordEvents(withSwapListener(connection.states, parts.onSwap), { events, clock });
  const queue = await openBullmqQueue({ url: redis.url, clock, log, graceMs: STOP_MS });
  const inbox = await openBullmqInbox({ url: redis.url, clock, log, graceMs: INBOX_CLOSE_MS });
  const modelAccount = new RedisModelAccount({
    redis: failFastRedis,
    clock,
    log,
    random: Math.random,
    budgets,
    credential: credentialId(config.model.credential),
    stoppedBecause: config.stoppedBecause ?? null,
    prefix: REDIS_PREFIX,
  });
  const liveness = createRedisLiveness({ redis: failFastRedis, prefix: REDIS_PREFIX });
  const heartbeat = createHeartbeat({ liveness, instance, clock, log, wake: (ref) => queue.wake(ref) });
  const runtime = await openAgentRuntime(config, { ...parts, detected, gitHost, account: modelAccount, commitsBy });
  const engine: Engine = {
    github,
    gitHost,
    states,
    workspace: runtime.workspace,
    agent: runtime.agent,
    modelAccount,
    models: config.models ?? NO_MODELS,
    budgets,
    queue,
    serves: servedBy(config.repositories ?? []),
    events,
    requestQuota: createRequestQuota(
      { redis: failFastRedis, prefix: REDIS_PREFIX, clock },
      { ...DEFAULT_REQUEST_QUOTA, ...config.requestQuota },
    ),
    recentCommands: createRecentCommands(clock),
    liveness,
    runNotes: runtime.notes,
    clock,
    log,
    instance,
    newId,
    testCommand,
    protectedPatterns,
    // Reading does not ask the account; working does.
    policyFor: async (snapshot) => {
      const policy = await connection.policyFor(snapshot);
      if (stateOf(snapshot).run === null) return policy;
      const holds = [...policy.holds, ...(await modelAccount.holds(snapshot.ref))];
      return { ...policy, holds, owner: await heartbeat.ownerOf(snapshot) };
    },
    greenCommits: createLru(GREEN_COMMITS),
    recentSnapshots: createLru(RECENT_SNAPSHOTS),
    hints,
  };
  const lookAgain = requeueOnTransient(engine);
  await heartbeat.start();
  // Before any work begins, because the next run continues from what is found.
  const rescuer = createLeftoverRescuer(engine, runtime.leftovers);
  await rescuer.start();
  const wakeWaiting = createHeldRunWaker(engine);
  await queue.work({
    wake: (ref) => lookAgain(ref, () => reconcile(engine, ref)),
    phase: (job, signal) => lookAgain(job.ref, () => runPhase(engine, job, signal)),
  });
  wakeWaiting.start();
  const sweep = createSweep({
    scanner: connection.scanner,
    hints: shared,
    clock,
    log,
    instance,
    random: Math.random,
    lastRead: connection.lastRead,
    wake: (ref) => queue.wake(ref),
    handleCommand: (command) => handleEvent(engine, command),
    giveUp: (command, error) => giveUp(engine, command, error),
    serves: engine.serves,
    handlesEvent: (event) => HANDLED_EVENTS.includes(event),
  });
  return {
    engine,
    sweep,
    inbox,
    identity,
    redis: redis.kind,
    sandbox: runtime.sandbox,
    guards: runtime.guards,
    noSandboxBecause: runtime.noSandboxBecause,
    ready: () => isRedisThere(redis.url, clock, READY_MS),
    close: async () => {
      rescuer.stop();
      wakeWaiting.stop();
      await Promise.race([sweep.stop(), setTimeout(SWEEP_MS, undefined, { ref: false })]);
      await inbox.close();
      await queue.close();
      await heartbeat.stop();
      runtime.close();
      await Promise.race([tokens.revoke(), setTimeout(REVOKE_MS, undefined, { ref: false })]);
      await events.close();
      failFastRedis.disconnect();
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

function withSwapListener(states: StateStore, onSwap: Parts['onSwap']): StateStore {
  if (onSwap === undefined) return states;
  const swap: StateStore['swap'] = async (request) => {
    const result = await states.swap(request);
    if (result.kind === 'swapped') onSwap(request);
    return result;
  };
  return { ...states, swap };
}
