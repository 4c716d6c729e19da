import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { eventLogContract } from '../contract/events.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisEventLogFixture } from '../support/redis-events-house.js';

eventLogContract('a real server', async () =>
  openRedisEventLogFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
