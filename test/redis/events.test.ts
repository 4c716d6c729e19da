import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { eventsContract } from '../contract/events.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisEventsHouse } from '../support/redis-events-house.js';

eventsContract('a real server', async () =>
  openRedisEventsHouse(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
