import { Redis } from 'ioredis';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { createRedisLiveness } from '../../../src/adapters/redis/redis-liveness.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { ManualClock } from '#pocket-github/clock';
import { MemoryLiveness } from '../../support/memory/memory-liveness.js';
import { RecordingLog } from '../../support/recording-log.js';
import { ageHeartbeats } from '../../support/queue/age-heartbeats.js';
import { type LivenessFixture, livenessContract } from '../suites/liveness-contract.js';

livenessContract('memory', async () => {
  const clock = new ManualClock();
  const liveness = new MemoryLiveness(clock);
  return {
    liveness,
    pass: async (ms) => clock.advance(ms),
    empty: async () => liveness.empty(),
    close: async () => undefined,
  };
});

async function openRedisFixture(path: string): Promise<LivenessFixture> {
  const server = await openRedis({ path, clock: systemClock, log: new RecordingLog() });
  const redis = new Redis(server.url);
  return {
    liveness: createRedisLiveness({ redis, prefix: 'test' }),
    pass: (ms) => ageHeartbeats(redis, ms, 'test'),
    empty: async () => void (await redis.flushall()),
    close: async () => {
      redis.disconnect();
      await server.close();
    },
  };
}

// With nothing on PATH only what npm installs is left.
livenessContract('the embedded Redis', () => openRedisFixture(''));
livenessContract('a Redis of this machine, if it has one', () => openRedisFixture(process.env['PATH'] ?? ''));
