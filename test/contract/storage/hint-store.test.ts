import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { createRedisHintStore } from '../../../src/adapters/redis/redis-hint-store.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { Redis } from 'ioredis';
import { RecordingLog } from '../../support/recording-log.js';
import { type HintStoreFixture, hintStoreContract } from '../suites/hint-store-contract.js';

hintStoreContract('one process', async () => ({
  open: createMemoryHintStore,
  forget: async () => undefined,
  close: async () => undefined,
}));

async function openRedisFixture(path: string): Promise<HintStoreFixture> {
  const server = await openRedis({ path, clock: systemClock, log: new RecordingLog() });
  const redis = new Redis(server.url);
  return {
    open: (clock) => createRedisHintStore({ redis, prefix: 'test', clock }),
    forget: async () => void (await redis.flushall()),
    close: async () => {
      redis.disconnect();
      await server.close();
    },
  };
}

// With nothing on PATH only what npm installs is left.
hintStoreContract('the embedded Redis', () => openRedisFixture(''));
hintStoreContract('a Redis of this machine, if it has one', () => openRedisFixture(process.env['PATH'] ?? ''));
