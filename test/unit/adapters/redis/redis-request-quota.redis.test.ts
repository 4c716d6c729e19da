import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../../src/adapters/redis/server/redis-server.js';
import { createRequestQuota } from '../../../../src/adapters/redis/redis-request-quota.js';
import { ManualClock } from '#pocket-github/clock';
import type { RequestQuota } from '../../../../src/ports/request-quota.js';
import { RecordingLog } from '../../../support/recording-log.js';

/* Lines and limits in Redis, shared by all instances. */

const HOUR = 3_600_000;
const issue = (number: number, repo = 'sandbox') => ({ owner: 'ada', repo, number });
const twenty = Array.from({ length: 20 }, (_, index) => index);

describe('turns', () => {
  const at = {} as { server: RedisServer; redis: Redis; clock: ManualClock; one: RequestQuota; other: RequestQuota };

  beforeAll(async () => {
    at.server = await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() });
    at.redis = new Redis(at.server.url);
  });
  afterAll(async () => {
    at.redis.disconnect();
    await at.server.close();
  });
  beforeEach(async () => {
    await at.redis.flushall();
    at.clock = new ManualClock();
    const turns = (): RequestQuota =>
      createRequestQuota(
        { redis: at.redis, prefix: 'test', clock: at.clock },
        { startsPerHour: 2, commandsPerHour: 10 },
      );
    at.one = turns();
    at.other = turns();
  });

  test('of twenty issues asked for at once two start now, and two more every hour', async () => {
    const now = at.clock.now();
    const given = await Promise.all(
      twenty.map((number) => (number % 2 ? at.one : at.other).reserveStart(issue(number))),
    );
    const hours = given.map((time) => ((time ?? now) - now) / HOUR).toSorted((a, b) => a - b);
    expect(hours).toEqual(twenty.map((index) => Math.floor(index / 2)));
  });

  test('an issue has one place, however often it is asked for', async () => {
    await Promise.all(twenty.map(() => at.one.reserveStart(issue(1))));
    expect(await at.other.reserveStart(issue(2))).toBeNull();
    const third = await at.one.reserveStart(issue(3));
    at.clock.advance(HOUR / 2);
    expect(await at.other.reserveStart(issue(3))).toBe(third);
  });

  test('repositories have lines of their own, whatever the case of their names', async () => {
    const now = at.clock.now();
    await at.one.reserveStart(issue(1));
    await at.one.reserveStart(issue(2, 'Sandbox'));
    expect(await at.one.reserveStart(issue(3))).toBe(now + HOUR);
    expect(await at.one.reserveStart(issue(3, 'other'))).toBeNull();
  });

  test('a place is free again an hour later', async () => {
    await at.one.reserveStart(issue(1));
    await at.one.reserveStart(issue(2));
    at.clock.advance(HOUR);
    expect(await at.one.reserveStart(issue(3))).toBeNull();
  });

  test('of twenty comments of a stranger at once on an issue one is answered, and that one again when it is heard again', async () => {
    const answer = (id: number) => (id % 2 ? at.one : at.other).claimAnswer(issue(1), 7, `comment-${id}`);
    const answered = await Promise.all(twenty.map(answer));
    expect(answered.filter(Boolean)).toHaveLength(1);
    expect(await answer(answered.indexOf(true))).toBe(true);
    expect([await at.one.claimAnswer(issue(2), 7, 'x'), await at.one.claimAnswer(issue(1), 8, 'y')]).toEqual([
      true,
      true,
    ]);
    at.clock.advance(HOUR);
    expect(await at.one.claimAnswer(issue(1), 7, 'z')).toBe(true);
  });

  test('of twenty commands of a person at once ten have room, the others are told when', async () => {
    const now = at.clock.now();
    const told = await Promise.all(twenty.map((id) => (id % 2 ? at.one : at.other).countCommand(7, `comment-${id}`)));
    expect(told.filter((until) => until === null)).toHaveLength(10);
    expect(new Set(told.filter((until) => until !== null))).toEqual(new Set([now + HOUR]));
    expect(await at.one.countCommand(8, 'comment-1')).toBeNull();
    at.clock.advance(HOUR);
    expect(await at.one.countCommand(7, 'comment-99')).toBeNull();
  });

  test('a command that is heard again does not count again, and what had no room takes none', async () => {
    for (const _ of twenty) expect(await at.one.countCommand(7, 'the same')).toBeNull();
    for (const id of twenty.slice(0, 9)) expect(await at.one.countCommand(7, `another-${id}`)).toBeNull();
    expect(await at.one.countCommand(7, 'one more')).not.toBeNull();
    expect(await at.other.countCommand(7, 'the same')).toBeNull();
    at.clock.advance(HOUR);
    expect(await at.one.countCommand(7, 'one more')).toBeNull();
  });

  test('nothing stays for ever', async () => {
    await at.one.reserveStart(issue(1));
    await at.one.countCommand(7, 'a comment');
    for (const key of await at.redis.keys('*')) expect(await at.redis.pexpiretime(key)).toBeGreaterThan(0);
  });
});
