import { Redis } from 'ioredis';
import { RedisEventLog } from '../../../src/adapters/events/redis-event-log.js';
import { failFastClient } from '../../../src/adapters/redis/redis-client.js';
import type { RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import type { EventLogFixture } from '../../contract/suites/event-log-contract.js';
import { RecordingLog } from '../recording-log.js';

/** Logs on a Redis server. */
export async function openRedisEventLogFixture(server: RedisServer): Promise<EventLogFixture> {
  const observer = new Redis(server.url);
  const clients: Redis[] = [];
  return {
    open: async (parts) => {
      const log = new RecordingLog();
      const redis = failFastClient(server.url, log);
      clients.push(redis);
      await redis.connect();
      return new RedisEventLog({ redis, log, folder: null, ...parts });
    },
    flush: async () => void (await observer.flushall()),
    trim: async () => void (await observer.xtrim('sluice:events:stream', 'MAXLEN', 1)),
    close: async () => {
      for (const client of [observer, ...clients]) client.disconnect();
      await server.close();
    },
  };
}
