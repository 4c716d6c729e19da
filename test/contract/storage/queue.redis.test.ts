import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { queueContract } from '../suites/queue-contract.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openRedisQueueFixture } from '../../support/queue/redis-queue-fixture.js';

queueContract('a real server', async () =>
  openRedisQueueFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
