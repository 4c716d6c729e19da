import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { inboxContract } from '../contract/inbox.js';
import { openRedisInboxFixture } from '../support/inbox-house.js';
import { RecordingLog } from '../support/recording-log.js';

inboxContract('a real server', async () =>
  openRedisInboxFixture(
    await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() }),
  ),
);
