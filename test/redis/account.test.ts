import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { modelAccountContract } from '../contract/account.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisModelAccountFixture } from '../support/redis-account-house.js';

modelAccountContract('a real server', async () =>
  openRedisModelAccountFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
