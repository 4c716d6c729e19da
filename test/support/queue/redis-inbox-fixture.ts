import { Redis } from 'ioredis';
import { openBullmqInbox } from '../../../src/adapters/queue/bullmq-inbox.js';
import type { RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import type { InboxFixture } from '../../contract/suites/inbox-contract.js';

/** Inboxes on a Redis server. */
export async function openRedisInboxFixture(server: RedisServer): Promise<InboxFixture> {
  const redis = new Redis(server.url);
  return {
    open: (settings) => openBullmqInbox({ url: server.url, ...settings }),
    flush: async () => void (await redis.flushall()),
    close: async () => {
      redis.disconnect();
      await server.close();
    },
  };
}
