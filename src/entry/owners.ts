import { systemClock } from '../adapters/clock/system-clock.js';
import { askingClient, awaitRedis } from '../adapters/queue/redis-client.js';
import { createRedisLiveness } from '../adapters/queue/redis-liveness.js';
import { stateOf } from '../domain/completion.js';
import { type OwnerLife, UNKNOWN_OWNER } from '../domain/lease-owner.js';
import type { Lease } from '../domain/state.js';
import { REDIS_PREFIX } from './composition.js';
import type { Connection } from './connect.js';

const CONNECT_MS = 2_000;

/** Lets a command that only looks say whether the owner of a lease still answers, where it is told of the service's Redis. */
export function withOwners(connection: Connection, redisUrl: string | null): Connection {
  if (redisUrl === null) return connection;
  return {
    ...connection,
    policyFor: async (snapshot) => {
      const policy = await connection.policyFor(snapshot);
      const { lease } = stateOf(snapshot);
      return lease === null ? policy : { ...policy, owner: await ownerOf(lease, redisUrl) };
    },
  };
}

/** A hint: a Redis that does not answer proves nothing. */
async function ownerOf({ owner, store }: Lease, url: string): Promise<OwnerLife> {
  try {
    await awaitRedis(url, systemClock, CONNECT_MS);
  } catch {
    return UNKNOWN_OWNER;
  }
  const redis = askingClient(url, null);
  try {
    await redis.connect();
    return await createRedisLiveness({ redis, prefix: REDIS_PREFIX }).lifeOf(owner, store);
  } catch {
    return UNKNOWN_OWNER;
  } finally {
    redis.disconnect();
  }
}
