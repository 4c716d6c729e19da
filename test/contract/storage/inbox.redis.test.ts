import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { inboxContract } from '../suites/inbox-contract.js';
import { openRedisInboxFixture } from '../../support/queue/redis-inbox-fixture.js';
import { RecordingLog } from '../../support/recording-log.js';

inboxContract('a real server', async () =>
  openRedisInboxFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
