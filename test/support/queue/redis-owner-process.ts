import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';

// A process that starts a private Redis on the PATH it is given, says where, and stays until it is killed.
const say = (): void => undefined;
const server = await openRedis({
  path: process.argv[2] ?? '',
  clock: systemClock,
  log: { info: say, warn: say, error: say },
});
process.stdout.write(`${server.url}\n`);
