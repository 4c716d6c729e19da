import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { accountContract } from '../contract/account.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisAccountHouse } from '../support/redis-account-house.js';

accountContract('a real server', async () =>
  openRedisAccountHouse(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
