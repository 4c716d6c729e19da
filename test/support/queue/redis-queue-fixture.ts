import { Redis } from 'ioredis';
import { openBullmqQueue } from '../../../src/adapters/queue/bullmq-queue.js';
import type { RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import type { QueueFixture } from '../../contract/suites/queue-contract.js';

/** Queues on a Redis server. */
export async function openRedisQueueFixture(server: RedisServer): Promise<QueueFixture> {
  const redis = new Redis(server.url);
  return {
    open: (settings) => openBullmqQueue({ url: server.url, ...settings }),
    flush: async () => {
      await redis.flushall();
      // A server that came back empty does not know the scripts either.
      await redis.script('FLUSH');
    },
    poison: async () => {
      await addJob(redis, 'no-hash', null);
      await addJob(redis, 'wrong-shape', { name: 'wake', data: '{"owner":7}', opts: '{}' });
      await addJob(redis, 'wrong-name', { name: 'constructor', data: '{}', opts: '{}' });
      await addJob(redis, 'torn-data', { name: 'wake', data: '{"owner":"ad', opts: '{}' });
      await addJob(redis, 'torn-options', { name: 'wake', data: '{}', opts: '{"attempts":' });
      await redis.zadd('sluice:due', 0, 'not json');
    },
    close: async () => {
      redis.disconnect();
      await server.close();
    },
  };
}

async function addJob(redis: Redis, id: string, fields: Record<string, string> | null): Promise<void> {
  if (fields !== null) await redis.hset(`sluice:wake:${id}`, fields);
  await redis.lpush('sluice:wake:wait', id);
  await redis.zadd('sluice:wake:marker', 0, '0');
}
