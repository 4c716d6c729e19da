import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import {
  RedisModelAccount,
  type RedisModelAccountOptions,
} from '../../../../../src/adapters/redis/model-account/redis-model-account.js';
import { systemClock } from '../../../../../src/adapters/clock/system-clock.js';
import { failFastClient } from '../../../../../src/adapters/redis/redis-client.js';
import { openRedis, type RedisServer } from '../../../../../src/adapters/redis/server/redis-server.js';
import { DEFAULT_BUDGETS } from '../../../../../src/domain/limits/budgets.js';
import { ManualClock } from '#pocket-github/clock';
import { RecordingLog } from '../../../../support/recording-log.js';

const REPO = { owner: 'ada', repo: 'sandbox' };
const WANTED = { usd: 2, ms: 60_000 };
const END = { kind: 'quota', costUsd: 1 } as const;

describe('an account in Redis', () => {
  const at: { server?: RedisServer; redis: Redis[] } = { redis: [] };

  beforeEach(async () => {
    at.server = await openRedis({ path: '', clock: systemClock, log: new RecordingLog() });
  });

  afterEach(async () => {
    for (const redis of at.redis.splice(0)) redis.disconnect();
    await at.server?.close();
  });

  const open = async (options: Partial<RedisModelAccountOptions> = {}) => {
    const [clock, log] = [new ManualClock(), new RecordingLog()];
    const redis = failFastClient(at.server?.url ?? '', log);
    at.redis.push(redis);
    await redis.connect();
    const usual = { redis, clock, log, random: () => 0, budgets: DEFAULT_BUDGETS, credential: 'key-1' };
    return { account: new RedisModelAccount({ ...usual, ...options }), redis, clock, log };
  };

  test('that cannot be reached lets nothing start for a moment, and loses what it is told', async () => {
    const { account, redis, clock, log } = await open();
    redis.disconnect();
    const hold = { on: 'slots', until: clock.now() + 30_000, because: expect.stringContaining('cannot be read') };
    expect(await account.holds(REPO)).toEqual([hold]);
    expect(await account.admit('run-1', REPO, WANTED)).toEqual({ kind: 'held', hold });
    await account.recordAnswer('run-1');
    await account.recordEnd('run-1', REPO, END);
    expect(log.said('run cost not counted for the day')).toHaveLength(1);
    await expect(account.report()).rejects.toThrow();
    await expect(account.clear('ada')).rejects.toThrow();
    await expect(account.setKillSwitch(true, 'ada', 'x')).rejects.toThrow();
  });

  test.each(['not json', '{}', '{"credential":"key-1","condition":{"kind":"resting","until":"never"}}'])(
    'that holds %j is fine',
    async (text) => {
      const { account, redis } = await open();
      await redis.set('sluice:model-account', text);
      expect(await account.admit('run-1', REPO, WANTED)).toEqual({ kind: 'admitted', usd: 2 });
      await account.recordEnd('run-1', REPO, END);
      expect(await account.holds(REPO)).toMatchObject([{ on: 'quota' }]);
    },
  );

  test('whose keys are of another type is fine, and mends itself', async () => {
    const { account, redis, clock, log } = await open();
    await redis.lpush('sluice:model-account', 'x');
    await redis.set('sluice:reserved', 'x');
    await redis.set(`sluice:spend:${new Date(clock.now()).toISOString().slice(0, 10)}`, 'x');
    expect(await account.admit('run-1', REPO, WANTED)).toEqual({ kind: 'admitted', usd: 2 });
    await account.recordEnd('run-1', REPO, END);
    expect(await account.holds(REPO)).toMatchObject([{ on: 'quota' }]);
    expect(log.said('run cost not counted for the day')).toHaveLength(1);
  });

  test('whose reservations cannot be read counts none of them', async () => {
    const { account, redis } = await open();
    await redis.hset('sluice:reserved', 'run-0', 'much', 'run-9', '99999999999999 lots ada/sandbox');
    expect(await account.admit('run-1', REPO, WANTED)).toEqual({ kind: 'admitted', usd: 2 });
    expect((await account.report()).today).toMatchObject({ service: { usd: 0, reservedUsd: 2 } });
  });

  test('whose switch cannot be read is stopped', async () => {
    const { account, redis } = await open();
    await redis.set('sluice:kill-switch', 'please');
    expect(await account.admit('run-1', REPO, WANTED)).toMatchObject({ hold: { on: 'kill-switch' } });
  });

  test('that the configuration stops stays so', async () => {
    const { account } = await open({ stoppedBecause: 'SLUICE_KILL_SWITCH is set' });
    await account.setKillSwitch(false, 'ada', 'go');
    expect(await account.holds(REPO)).toEqual([
      {
        on: 'kill-switch',
        until: null,
        because: expect.stringContaining('the configuration stopped the service: SLUICE_KILL_SWITCH is set'),
      },
    ]);
  });

  test('keeps nothing for ever but the switch, and no credential', async () => {
    const { account, redis } = await open();
    await account.recordEnd('run-1', REPO, END);
    await account.setKillSwitch(true, 'ada', 'x');
    const lives = await Promise.all((await redis.keys('*')).map(async (key) => [key, await redis.ttl(key)] as const));
    expect(lives).toHaveLength(3);
    expect(lives.filter(([, ttl]) => ttl < 0).map(([key]) => key)).toEqual(['sluice:kill-switch']);
  });

  test('shows an operator whatever account there is', async () => {
    const { account } = await open();
    const { account: visitor } = await open({ credential: null });
    await account.recordEnd('run-1', REPO, { kind: 'auth', costUsd: 0, why: '401' });
    expect((await visitor.report()).breaker).toMatchObject({ kind: 'tripped' });
    await visitor.clear('ada');
    expect((await account.report()).breaker).toEqual({ kind: 'closed' });
  });
});
