import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { Redis } from 'ioredis';
import { RedisModelAccount } from '../../../src/adapters/redis/model-account/redis-model-account.js';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import { ROOT } from '../../support/source-files.js';
import { RecordingLog } from '../../support/recording-log.js';

/* `sluice account`, as an operator with nothing but the address of Redis uses it. */

const WANTED = { usd: 2, ms: 60_000 };
const REPO = { owner: 'ada', repo: 'sandbox' };
const shared: { server?: RedisServer; redis?: Redis } = {};

beforeAll(async () => {
  shared.server = await openRedis({ path: '', clock: systemClock, log: new RecordingLog() });
  shared.redis = new Redis(shared.server.url);
});

beforeEach(async () => {
  await shared.redis?.flushall();
});

afterAll(async () => {
  shared.redis?.disconnect();
  await shared.server?.close();
});

/** The service's own. */
function account(): RedisModelAccount {
  const { redis } = shared;
  if (redis === undefined) throw new Error('not open');
  const parts = { redis, clock: systemClock, log: new RecordingLog(), random: () => 0 };
  return new RedisModelAccount({ ...parts, budgets: DEFAULT_BUDGETS, credential: 'key-1' });
}

async function sluice(args: readonly string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [join(ROOT, 'build/src/entry/cli/cli.js'), 'account', ...args],
    { reject: false, extendEnv: false, env: { SLUICE_REDIS_URL: shared.server?.url ?? '', ...env } },
  );
  return { exitCode, stdout, stderr };
}

describe('sluice account', () => {
  test('shows that all is well', async () => {
    expect(await sluice([])).toEqual({
      exitCode: 0,
      stdout: 'account  available\nservice  running\ntoday    $0.00 of $300.00 since midnight UTC\nagents   may start',
      stderr: '',
    });
  });

  test('shows what is wrong and what was spent, and clears it', async () => {
    await account().recordEnd('run-1', REPO, { kind: 'auth', costUsd: 1.5, why: '401 invalid x-api-key' });
    const { stdout } = await sluice([], { SLUICE_BUDGET_SERVICE_DAY: '1' });
    expect(stdout.split('\n')).toEqual([
      'account  stopped',
      'service  running',
      'today    $1.50 of $1.00 since midnight UTC',
      '         ada/sandbox: $1.50 of $100.00',
      expect.stringMatching(
        /^waits {4}for a person: the model’s API refuses the credential \(401 invalid x-api-key\); /,
      ),
      expect.stringMatching(/^waits {4}until \d{4}-.*T00:00:00\.000Z: the service spent \$1\.50 of \$1\.00/),
    ]);
    expect((await sluice(['--clear'])).stdout).toContain('agents   may start');
    expect(await account().admit('run-2', REPO, WANTED)).toMatchObject({ kind: 'admitted' });
  });

  test('stops everything and lets it go on', async () => {
    const { stdout } = await sluice(['--json', '--stop-all', 'the bill']);
    expect(JSON.parse(stdout)).toMatchObject({ killSwitch: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) } });
    expect(JSON.parse(stdout)).toMatchObject({
      breaker: { kind: 'closed' },
      killSwitch: { why: 'the bill', by: expect.any(String) },
      holds: [{ on: 'kill-switch', until: null }],
      today: { service: { usd: 0, limitUsd: 300 } },
    });
    expect(await account().admit('run-1', REPO, WANTED)).toMatchObject({ hold: { on: 'kill-switch' } });
    expect((await sluice(['--resume-all'])).stdout).toContain('service  running');
    expect(await account().admit('run-1', REPO, WANTED)).toMatchObject({ kind: 'admitted' });
  });

  test.each([
    [[], { SLUICE_REDIS_URL: '' }, 'SLUICE_REDIS_URL is missing: set it to the Redis of your service'],
    [[], { SLUICE_REDIS_URL: 'http://127.0.0.1' }, 'SLUICE_REDIS_URL is not usable'],
    [[], { SLUICE_REDIS_URL: 'redis://:secret@127.0.0.1:9' }, 'No Redis answers at 127.0.0.1:9'],
    [['--stop-all', '--resume-all'], {}, "cannot be used with option '--resume-all'"],
  ])('%j with %j is one clear message', async (args, env, complaint) => {
    const { exitCode, stdout, stderr } = await sluice(args, env);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining(complaint),
    });
    expect(stderr).not.toMatch(/secret| {4}at /);
  });
});
