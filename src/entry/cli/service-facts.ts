import type { Redis } from 'ioredis';
import { RedisModelAccount } from '../../adapters/redis/model-account/redis-model-account.js';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { failFastClient, awaitRedis } from '../../adapters/redis/redis-client.js';
import { createRedisLiveness } from '../../adapters/redis/redis-liveness.js';
import type { BudgetConfig } from '../../domain/limits/budgets.js';
import { stateOf } from '../../domain/state/evidence.js';
import type { RepoRef } from '../../domain/issue/ids.js';
import { type OwnerLife, UNKNOWN_OWNER } from '../../domain/state/lease-owner.js';
import type { Hold } from '../../domain/limits/policy.js';
import type { Lease } from '../../domain/state/state.js';
import { REDIS_PREFIX } from '../service/composition.js';
import type { Connection } from '../service/connect.js';

const CONNECT_MS = 2_000;
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The service's own store. */
export interface ServiceStore {
  readonly redisUrl: string;
  readonly budgets: BudgetConfig;
  /** Why the configuration forbids every start. */
  readonly stoppedBecause: string | null;
}

/**
 * Lets a read-only command decide like the service: whether the owner of a lease is alive, the state of the model account, and the kill
 * switch. If Redis does not answer, nothing is known.
 */
export function withServiceFacts(connection: Connection, store: ServiceStore | null): Connection {
  if (store === null) return connection;
  return {
    ...connection,
    policyFor: async (snapshot) => {
      const policy = await connection.policyFor(snapshot);
      const { lease, run } = stateOf(snapshot);
      if (run === null) return policy;
      const facts = await askRedis(store.redisUrl, async (redis) => ({
        owner: lease === null ? UNKNOWN_OWNER : await ownerOf(redis, lease),
        holds: await holdsOf(redis, store, snapshot.ref),
      }));
      return facts === null ? policy : { ...policy, owner: facts.owner, holds: [...policy.holds, ...facts.holds] };
    },
  };
}

const ownerOf = (redis: Redis, { owner, store }: Lease): Promise<OwnerLife> =>
  createRedisLiveness({ redis, prefix: REDIS_PREFIX }).lifeOf(owner, store);

function holdsOf(redis: Redis, { budgets, stoppedBecause }: ServiceStore, repo: RepoRef): Promise<readonly Hold[]> {
  const parts = { redis, clock: systemClock, log: QUIET, random: Math.random, prefix: REDIS_PREFIX };
  return new RedisModelAccount({ ...parts, budgets, stoppedBecause, credential: null }).holds(repo);
}

async function askRedis<T>(url: string, task: (redis: Redis) => Promise<T>): Promise<T | null> {
  try {
    await awaitRedis(url, systemClock, CONNECT_MS);
  } catch {
    return null;
  }
  const redis = failFastClient(url, null);
  try {
    await redis.connect();
    return await task(redis);
  } catch {
    return null;
  } finally {
    redis.disconnect();
  }
}
