import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { createMemoryHints } from '../../src/adapters/memory-hints.js';
import { createRedisHints } from '../../src/adapters/queue/redis-hints.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { Redis } from 'ioredis';
import { RecordingLog } from '../support/recording-log.js';
import { type HintHouse, hintStoreContract } from './hint-store.js';

hintStoreContract('one process', async () => ({
  open: createMemoryHints,
  forget: async () => undefined,
  close: async () => undefined,
}));

async function openRedisHouse(path: string): Promise<HintHouse> {
  const server = await openRedis({ path, clock: systemClock, log: new RecordingLog() });
  const redis = new Redis(server.url);
  return {
    open: (clock) => createRedisHints({ redis, prefix: 'test', clock }),
    forget: async () => void (await redis.flushall()),
    close: async () => {
      redis.disconnect();
      await server.close();
    },
  };
}

// With nothing on PATH only what npm installs is left.
hintStoreContract('the embedded Redis', () => openRedisHouse(''));
hintStoreContract('a Redis of this machine, if it has one', () => openRedisHouse(process.env['PATH'] ?? ''));
