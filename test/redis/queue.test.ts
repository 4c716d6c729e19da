import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { queueContract } from '../contract/queue.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisQueueFixture } from '../support/redis-house.js';

queueContract('a real server', async () =>
  openRedisQueueFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
