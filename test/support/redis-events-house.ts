import { Redis } from 'ioredis';
import { RedisEvents } from '../../src/adapters/events/redis-events.js';
import { askingClient } from '../../src/adapters/queue/redis-client.js';
import type { RedisServer } from '../../src/adapters/queue/redis-server.js';
import type { EventHouse } from '../contract/events.js';
import { RecordingLog } from './recording-log.js';

/** Logs on a Redis server. */
export async function openRedisEventsHouse(server: RedisServer): Promise<EventHouse> {
  const witness = new Redis(server.url);
  const clients: Redis[] = [];
  return {
    open: async (parts) => {
      const log = new RecordingLog();
      const redis = askingClient(server.url, log);
      clients.push(redis);
      await redis.connect();
      return new RedisEvents({ redis, log, folder: null, ...parts });
    },
    flush: async () => void (await witness.flushall()),
    trim: async () => void (await witness.xtrim('sluice:events:stream', 'MAXLEN', 1)),
    close: async () => {
      for (const client of [witness, ...clients]) client.disconnect();
      await server.close();
    },
  };
}
