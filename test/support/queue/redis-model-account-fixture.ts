import { Redis } from 'ioredis';
import { RedisModelAccount } from '../../../src/adapters/redis/model-account/redis-model-account.js';
import type { RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import type { ModelAccountFixture } from '../../contract/suites/model-account-contract.js';

/** Accounts on a Redis server, each with a connection of its own. */
export async function openRedisModelAccountFixture(server: RedisServer): Promise<ModelAccountFixture> {
  const observer = new Redis(server.url);
  const connections: Redis[] = [observer];
  return {
    open: async (settings) => {
      const redis = new Redis(server.url);
      connections.push(redis);
      return new RedisModelAccount({ redis, ...settings });
    },
    flush: async () => {
      await observer.flushall();
      await observer.script('FLUSH');
    },
    close: async () => {
      for (const redis of connections) redis.disconnect();
      await server.close();
    },
  };
}
