import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { modelAccountContract } from '../suites/model-account-contract.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openRedisModelAccountFixture } from '../../support/queue/redis-model-account-fixture.js';

modelAccountContract('a real server', async () =>
  openRedisModelAccountFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
