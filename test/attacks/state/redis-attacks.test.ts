import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisModelAccount } from '../../../src/adapters/redis/model-account/redis-model-account.js';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { RedisEventLog } from '../../../src/adapters/events/redis-event-log.js';
import { JOBS, parseDue } from '../../../src/adapters/queue/jobs.js';
import { createRedisHintStore } from '../../../src/adapters/redis/redis-hint-store.js';
import { createRedisLiveness } from '../../../src/adapters/redis/redis-liveness.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import { createRequestQuota } from '../../../src/adapters/redis/redis-request-quota.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import type { RunEvent } from '../../../src/domain/events/run-event.js';
import { createHeartbeat } from '../../../src/usecases/maintenance/heartbeat.js';
import { redeliverFailed } from '../../../src/usecases/sweep/redelivery.js';
import { Watermarks } from '../../../src/usecases/sweep/watermarks.js';
import { ManualClock } from '#pocket-github/clock';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { RecordingLog } from '../../support/recording-log.js';

/* Somebody has written into our Redis. Nothing of it may permit what an empty one would not, and nothing of it may stop us for ever. */

const HOUR = 3_600_000;
const WRITES = [{ ms: 60_000, max: 2 }];
const issue = { owner: 'ada', repo: 'sandbox', number: 7 };
const ada = { owner: 'ada', repo: 'sandbox' };
const at = {} as { server: RedisServer; redis: Redis; clock: ManualClock; log: RecordingLog };

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
  at.log = new RecordingLog();
});

describe('a poisoned count of our writes', () => {
  const spend = () => createRedisHintStore({ ...at, prefix: 'x' }).spend('writes', 1, WRITES);

  test.each([
    ['words', (redis: Redis) => redis.rpush('x:hint:writes', '1', 'soon', 'nan')],
    ['a time that never comes', (redis: Redis) => redis.rpush('x:hint:writes', '9e15', '9e15', '9e15')],
    ['no time at all', (redis: Redis) => redis.rpush('x:hint:writes', 'nan', 'inf')],
    ['something else entirely', (redis: Redis) => redis.hset('x:hint:writes', 'a', 'b')],
  ])('that holds %s keeps nobody from writing, and is counted afresh', async (_, poison) => {
    await poison(at.redis);
    expect([await spend(), await spend()]).toEqual([null, null]);
    expect(await spend()).toBe(at.clock.now() + 60_000);
  });
});

describe('a poisoned right to sweep', () => {
  const hold = (who: string) => createRedisHintStore({ ...at, prefix: 'x' }).acquire('sweep', who, 90_000);

  test.each([
    ['is held until the end of time', (redis: Redis) => redis.set('x:hint:sweep', `nobody ${'9'.repeat(15)}`)],
    ['is of another type', (redis: Redis) => redis.sadd('x:hint:sweep', 'nobody')],
    ['has no end', (redis: Redis) => redis.set('x:hint:sweep', 'nobody')],
  ])('that %s is taken over, and then held by one alone', async (_, poison) => {
    await poison(at.redis);
    expect(await hold('one')).toBe(true);
    expect(await hold('other')).toBe(false);
  });

  test('a hint of another type is no hint', async () => {
    await at.redis.lpush('x:hint:seen', '1');
    expect(await createRedisHintStore({ ...at, prefix: 'x' }).get('seen')).toBeNull();
  });
});

describe('a poisoned line', () => {
  const turns = () => createRequestQuota({ ...at, prefix: 'x' }, { startsPerHour: 1, commandsPerHour: 1 });
  const LINE = 'x:quota:start:ada/sandbox';

  test.each([
    ['this very issue at no time', (redis: Redis) => redis.zadd(LINE, '+inf', '7')],
    ['others at no time', (redis: Redis) => redis.zadd(LINE, '+inf', '1', '1e300', '2')],
    ['something else entirely', (redis: Redis) => redis.set(LINE, 'x')],
  ])('that holds %s lets an issue start in its turn', async (_, poison) => {
    await poison(at.redis);
    expect(await turns().reserveStart(issue)).toBeNull();
    expect(await turns().reserveStart({ ...issue, number: 8 })).toBe(at.clock.now() + HOUR);
  });
});

describe('a poisoned account', () => {
  const account = () =>
    new RedisModelAccount({
      ...at,
      prefix: 'x',
      random: () => 0.5,
      credential: 'c',
      budgets: { ...DEFAULT_BUDGETS, repoDayUsd: 3, serviceDayUsd: 5 },
    });
  const day = () => `x:spend:${new Date(at.clock.now()).toISOString().slice(0, 10)}`;
  const wanted = { usd: 1_000, ms: HOUR };

  test.each([['nan'], ['-1000'], ['-inf'], ['0x-9'], ['much']])(
    'where %s was spent grants no more than the day allows',
    async (spent) => {
      await at.redis.hset(day(), 'ada/sandbox', spent, 'ada/other', spent);
      expect(await account().admit('run-1', ada, wanted)).toEqual({ kind: 'admitted', usd: 3 });
    },
  );

  test.each([['nan'], ['-1000']])('where %s is set aside grants no more than the day allows', async (usd) => {
    await at.redis.hset('x:reserved', 'run-0', `${at.clock.now() + HOUR} ${usd} ada/sandbox`);
    expect(await account().admit('run-1', ada, wanted)).toEqual({ kind: 'admitted', usd: 3 });
  });

  test.each([
    ['of another type', (redis: Redis) => redis.lpush('x:kill-switch', 'on')],
    ['nobody can read', (redis: Redis) => redis.set('x:kill-switch', '{')],
  ])('whose kill switch is %s lets nothing start', async (_, poison) => {
    await poison(at.redis);
    expect(await account().admit('run-1', ada, wanted)).toMatchObject({ kind: 'held', hold: { on: 'kill-switch' } });
    await account().setKillSwitch(false, 'ada', 'it was nobody');
    expect(await account().admit('run-1', ada, wanted)).toMatchObject({ kind: 'admitted' });
  });
});

describe('poisoned events', () => {
  const open: RedisEventLog[] = [];
  const events = () => {
    const log = new RedisEventLog({ ...at, redact: (text) => text, folder: null, prefix: 'x' });
    open.push(log);
    return log;
  };
  afterEach(async () => {
    for (const log of open.splice(0)) await log.close();
  });
  const resumed = (): RunEvent => ({
    kind: 'resumed',
    at: at.clock.now(),
    issue,
    run: 'r',
    phase: 'code',
    because: 'it goes on',
  });
  const keys = async () => (await at.redis.keys('x:*')).toSorted();

  test('that nobody can read do not keep a reader at the same page for ever', async () => {
    const log = events();
    await log.append(resumed());
    const [stream = ''] = (await keys()).filter((key) => key.endsWith('stream'));
    const [first] = await log.since('0-0', 10);
    if (first?.kind !== 'event') throw new Error('it was not kept');
    for (let row = 0; row < 25; row += 1) await at.redis.xadd(stream, '*', 'event', '{"kind":"of another version"}');
    at.clock.advance(1_000);
    await log.append({ ...resumed(), issue: { ...issue, number: 8 } });
    expect(await log.since(first.id, 10)).toMatchObject([{ kind: 'event', event: { issue: { number: 8 } } }]);
  });

  test.each([[1e300], [-1], [9e15]])('an entry of the moment %s is left out of the list of runs', async (moment) => {
    const log = events();
    await log.append(resumed());
    const [entry] = await log.runs();
    const [key = ''] = (await keys()).filter((name) => name.endsWith('sandbox#7'));
    await at.redis.set(key, JSON.stringify({ ...entry, at: moment }));
    expect(await log.runs()).toEqual([]);
  });

  test.each([['999999999999999-999999999999999'], ['-'], ['('], ['+'], ['0-0 COUNT 1'], ['1'.repeat(5_000)]])(
    'going on from the id %s tells of a gap and shows what there is',
    async (id) => {
      const log = events();
      await log.append(resumed());
      expect(await log.since(id.slice(0, 5_000), 10)).toMatchObject([{ kind: 'gap' }, { kind: 'event' }]);
    },
  );
});

describe('poisoned jobs', () => {
  test.each([
    [{ owner: '..', repo: '..', number: 1 }],
    [{ owner: 'ada', repo: '..', number: 1 }],
    [{ owner: 'ada/../../app', repo: 'x', number: 1 }],
    [{ owner: ' ada', repo: 'x', number: 1 }],
    [{ owner: 'ada', repo: 'x?y', number: 1 }],
    [{ owner: 'ada', repo: 'x', number: 2 ** 31 }],
    [{ owner: 'ada', repo: 'x', number: 1.5 }],
    [{ owner: 'ada', repo: 'x', number: -1 }],
    [{ owner: 'ada', repo: 'x', number: 1e300 }],
  ])('about %j are not read, as a job or as a timer', (ref) => {
    expect(JOBS.wake.schema.safeParse(ref).success).toBe(false);
    expect(JOBS.phase.schema.safeParse({ ref, phase: 'code' }).success).toBe(false);
    expect(parseDue(JSON.stringify(ref))).toBeNull();
  });
});

describe('poisoned hints of the sweep', () => {
  const poisoned = (key: string, value: unknown) => {
    const hints = createMemoryHintStore(at.clock);
    return hints.set(key, JSON.stringify(value), HOUR).then(() => hints);
  };

  test.each([[{ upTo: 9e15 }], [{ upTo: 0, behind: { 'ada/sandbox': 'long ago' } }], [{ upTo: 1e300, behind: 7 }]])(
    '%j leave a time from which on a repository is looked at, and it is not to come',
    async (stored) => {
      const marks = new Watermarks(await poisoned('sweep 1', stored), { id: 1, owner: 'ada' });
      await marks.load();
      const since = marks.since(ada, at.clock.now());
      expect(since).toBeLessThan(at.clock.now());
      expect(since).toBeGreaterThan(0);
    },
  );

  test.each([[{ upTo: 9e15, dealt: [] }], [{ upTo: 0, dealt: [null] }], [{ upTo: 0, dealt: { length: 1 } }]])(
    '%j keep no failed delivery from being delivered again',
    async (stored) => {
      const hints = await poisoned('sweep deliveries', stored);
      const again: string[] = [];
      const failed = { id: 1, guid: 'g', event: 'issues', at: at.clock.now() - 1_000 };
      const scanner = {
        failedDeliveries: async (since: number) => (failed.at >= since ? [failed] : []),
        redeliver: async ({ guid }: { readonly guid: string }) => void again.push(guid),
      };
      await redeliverFailed({ scanner, hints, clock: at.clock, log: at.log, handlesEvent: () => true });
      expect(again).toEqual(['g']);
    },
  );
});

test.each([
  ['a sign of another type', (redis: Redis) => redis.lpush('x:alive:other', 'left')],
  ['words for a sign', (redis: Redis) => redis.set('x:alive:other', 'here soon')],
  ['a store of another type', (redis: Redis) => redis.lpush('x:store', '1')],
])('%s proves nobody dead', async (_, poison) => {
  const liveness = createRedisLiveness({ ...at, prefix: 'x' });
  const store = await liveness.beat('other');
  await at.redis.del('x:alive:other', 'x:store');
  await poison(at.redis);
  const heartbeat = createHeartbeat({ liveness, instance: 'me', ...at, wake: async () => undefined });
  await heartbeat.start();
  const life = await liveness.lifeOf('other', store).catch(() => ({ kind: 'unknown' }));
  await heartbeat.stop();
  expect(life).toEqual({ kind: 'unknown' });
});
