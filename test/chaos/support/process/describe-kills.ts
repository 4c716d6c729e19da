import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../../src/adapters/redis/server/redis-server.js';
import { QUIET } from '../../../support/git/git-host.js';
import { ServiceProcessHarness } from './service-process-harness.js';
import { LEASE_IS_OVER_MS, LIMIT_MS } from '../crash/describe-crashes.js';
import { PATCH, PULL } from '../crash/scenarios.js';
import type { QueueFate } from '../crash/crash-points.js';

/*
 * The same with nothing in place of anything: `sluice serve` as a process, killed with SIGKILL in the middle of GitHub's answer to
 * one of its requests, and started again on the same disk. The sweep has to find what Redis has forgotten.
 */

const SEED = 20260105;
const CASES = [
  { scenario: PATCH, size: 'S' },
  { scenario: PULL, size: 'M' },
] as const;

/** Numbers between 0 and 1 that are the same each time. */
function* chances(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** As long as GitHub's clock was put forward: whatever was to be forgotten by then is. */
async function putRedisForward(client: Redis, ms: number): Promise<void> {
  for (const key of await client.keys('*')) {
    const left = await client.pttl(key);
    if (left >= 0 && left <= ms) await client.del(key);
  }
}

/** Kills it once in each part of the way, as many as there are fates for Redis. */
export function describeKills(fates: readonly QueueFate[]): void {
  const servers: RedisServer[] = [];
  beforeAll(async () => {
    servers.push(await openRedis({ url: undefined, path: process.env['PATH'] ?? '', clock: systemClock, log: QUIET }));
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });
  const redisUrl = (): string => servers[0]?.url ?? '';

  describe.each(CASES)('sluice serve in the $scenario.name scenario', ({ scenario, size }) => {
    const seen = { requests: 0 };

    async function withHarness(task: (harness: ServiceProcessHarness, client: Redis) => Promise<void>): Promise<void> {
      const client = new Redis(redisUrl());
      await client.flushall();
      const harness = await ServiceProcessHarness.open(size, redisUrl());
      try {
        await harness.start();
        await harness.say('/auto');
        await task(harness, client);
      } finally {
        await harness.close();
        client.disconnect();
      }
    }

    test(
      'undisturbed ends as it should',
      () =>
        withHarness(async (harness) => {
          await harness.untilRest();
          seen.requests = harness.requests();
          expect(await harness.end()).toEqual(scenario.wanted);
        }),
      LIMIT_MS,
    );

    const random = chances(SEED * scenario.name.length);
    // One in each part of the way, somewhere.
    const percents = fates.map((_, index) => Math.round(((index + random.next().value) / fates.length) * 95));
    test.each(fates.map((fate, index) => [fate, percents[index] ?? 0] as const))(
      'killed with SIGKILL, with Redis %s, after %d of a hundred requests, ends the same',
      (fate, percent) =>
        withHarness(async (harness, client) => {
          const wasKilled = await harness.killAtRequest(1 + Math.floor((percent / 100) * seen.requests));
          expect(wasKilled).toBe(true);
          harness.advanceClock(LEASE_IS_OVER_MS);
          await (fate === 'kept' ? putRedisForward(client, LEASE_IS_OVER_MS) : client.flushall());
          await harness.start();
          await harness.untilRest();
          expect(await harness.end()).toEqual(scenario.wanted);
        }),
      LIMIT_MS,
    );
  });
}
