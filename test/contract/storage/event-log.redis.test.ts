import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { eventLogContract } from '../suites/event-log-contract.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openRedisEventLogFixture } from '../../support/queue/redis-event-log-fixture.js';

eventLogContract('a real server', async () =>
  openRedisEventLogFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
