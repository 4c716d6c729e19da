import { Redis } from 'ioredis';
import { RedisAccount } from '../../src/adapters/account/redis-account.js';
import type { RedisServer } from '../../src/adapters/queue/redis-server.js';
import type { AccountHouse } from '../contract/account.js';

/** Accounts on a Redis server, each with a connection of its own. */
export async function openRedisAccountHouse(server: RedisServer): Promise<AccountHouse> {
  const witness = new Redis(server.url);
  const connections: Redis[] = [witness];
  return {
    open: async (settings) => {
      const redis = new Redis(server.url);
      connections.push(redis);
      return new RedisAccount({ redis, ...settings });
    },
    flush: async () => {
      await witness.flushall();
      await witness.script('FLUSH');
    },
    close: async () => {
      for (const redis of connections) redis.disconnect();
      await server.close();
    },
  };
}
