import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { RedisEventLog } from '../../../src/adapters/events/redis-event-log.js';
import { failFastClient } from '../../../src/adapters/redis/redis-client.js';
import { createRedisLiveness } from '../../../src/adapters/redis/redis-liveness.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import { readGitHubSettings } from '../../../src/config/service-config.js';
import { connect } from '../../../src/entry/service/connect.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { start } from '../../../src/usecases/intent/start.js';
import { swapState } from '../../../src/usecases/issue/swap-state.js';
import { stateOf } from '../../../src/domain/state/evidence.js';
import { QUIET_LOG } from '../../support/github/github-adapter.js';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { ageHeartbeats } from '../../support/queue/age-heartbeats.js';
import { ROOT } from '../../support/source-files.js';

/* `sluice status` and `sluice runs`, beside a service whose Redis they can reach. */

const HOUR_MS = 60 * 60_000;

const shared: { pocket?: TestPocket; env?: Record<string, string>; folder?: string; server?: RedisServer } = {};

beforeAll(async () => {
  const pocket = await openPocket();
  const folder = await mkdtemp(join(tmpdir(), 'status-'));
  const server = await openRedis({ path: '', clock: systemClock, log: QUIET_LOG });
  const env = {
    PATH: process.env['PATH'] ?? '',
    APP_ID: String(pocket.app.id),
    PRIVATE_KEY: pocket.app.privateKey,
    GITHUB_API_URL: pocket.pocket.urls.api,
    SLUICE_REDIS_URL: server.url,
  };
  Object.assign(shared, { pocket, folder, server, env });
  await pocket.rest('wren').rest.issues.create({ ...pocket.at, title: 'Say hello', body: 'Greet people.' });
  const reading = readGitHubSettings(env, { readFile: () => null, isProgram: () => false, claude: null });
  if (reading.kind === 'invalid') throw new Error(reading.problems.join());
  const connection = await connect(reading.settings, folder, { clock: pocket.clock, log: QUIET_LOG });
  const ref = { ...pocket.at, number: 1 };
  const by = { id: pocket.users.wren.id, login: 'wren' };
  await start(connection, { at: pocket.clock.now(), ref, by });
  const seen = await observe(connection, ref);
  if (seen === null) throw new Error('it is gone');
  const redis = failFastClient(server.url, QUIET_LOG);
  await redis.connect();
  const store = await createRedisLiveness({ redis, prefix: 'sluice' }).beat('one');
  // However long the tests take, it has just been heard of.
  await ageHeartbeats(redis, -HOUR_MS);
  const lease = { owner: 'one', phase: 'issue', phaseRun: 'p1', until: seen.readAt + 60_000, store } as const;
  await swapState(connection, seen, { next: { ...stateOf(seen), lease }, phase: 'issue', because: 'go' });
  const events = new RedisEventLog({
    redis,
    clock: systemClock,
    log: QUIET_LOG,
    redact: (text) => text,
    folder: null,
  });
  const at = systemClock.now();
  await events.note({ at, issue: ref, phase: 'issue', phaseRun: 'p1', kind: 'message', text: 'Reading\nthe issue.' });
  await events.note({ at, issue: ref, phase: 'issue', phaseRun: 'p1', kind: 'tool', text: 'Bash' });
  const frame = { at, run: 'r', phase: 'issue', because: 'wren asked for it' } as const;
  await events.append({ ...frame, issue: ref, kind: 'run-started', by: 'wren' });
  const done = { ...frame, issue: { ...ref, number: 2 }, because: 'all hold', kind: 'done' } as const;
  await events.append({ ...done, oid: 'x', spentUsd: 1 });
  await events.close();
  redis.disconnect();
});

afterAll(async () => {
  await shared.server?.close();
  await shared.pocket?.close();
  await rm(shared.folder ?? '', { recursive: true, force: true });
});

const sluice = (args: readonly string[], more: Record<string, string> = {}) =>
  execa(process.execPath, [join(ROOT, 'build/src/entry/cli/cli.js'), ...args], {
    reject: false,
    env: { ...shared.env, ...more },
    extendEnv: false,
  });

describe('sluice status', () => {
  test('says how the run stands and what its agent does', async () => {
    const { stdout, exitCode } = await sluice(['status', 'ada/sandbox#1']);
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/\d{4}-[\d-]+T[\d:.]+Z/g, 'TIME')).toBe(
      [
        'ada/sandbox#1 (open): Say hello',
        '  status    running at issue; size not known, route pr, light review',
        '  run       by wren, since TIME',
        '  used      0 agent runs, $0.00',
        '  agent     issue: Reading the issue. · Bash',
        '  next      wait lease until TIME: issue is running',
      ].join('\n'),
    );
  });

  test('with --json is what the API says', async () => {
    const { stdout } = await sluice(['status', '--json', 'ada/sandbox#1']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'running',
      lease: { phaseRun: 'p1' },
      live: { phase: 'issue', recent: [{ text: 'Reading\nthe issue.' }, { kind: 'tool', at: expect.any(String) }] },
    });
  });

  test('does without a Redis that is not there', async () => {
    const { stdout, exitCode } = await sluice(['status', '--json', 'ada/sandbox#1'], {
      SLUICE_REDIS_URL: 'redis://127.0.0.1:9',
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'running',
      live: null,
      next: { because: expect.stringContaining('cannot be seen from here') },
    });
  });

  test('does not call a run running whose instance has stopped answering', async () => {
    const redis = failFastClient(shared.server?.url ?? '', QUIET_LOG);
    await redis.connect();
    try {
      await ageHeartbeats(redis, 2 * HOUR_MS);
      const { stdout } = await sluice(['status', '--json', 'ada/sandbox#1']);
      expect(JSON.parse(stdout)).toMatchObject({ lease: null, live: null, next: { action: 'effect' } });
    } finally {
      await ageHeartbeats(redis, -2 * HOUR_MS);
      redis.disconnect();
    }
  });
});

describe('sluice runs', () => {
  test('lists what goes on, and with --all what went on', async () => {
    const { stdout } = await sluice(['runs']);
    expect(stdout).toMatch(/^\S+Z {2}ada\/sandbox#1 {2}running at issue: wren asked for it$/);
    const { stdout: json } = await sluice(['runs', '--all', '--json']);
    expect((JSON.parse(json) as { status: string }[]).map(({ status }) => status).sort()).toEqual(['done', 'running']);
  });

  test.each([
    ['', 'set SLUICE_REDIS_URL to the Redis of your service, or ask its API'],
    ['redis://127.0.0.1:9', 'No Redis answers at 127.0.0.1:9'],
  ])('with SLUICE_REDIS_URL=%s says what to do', async (url, said) => {
    const { exitCode, stderr } = await sluice(['runs'], { SLUICE_REDIS_URL: url });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(said) });
    expect(stderr).not.toContain('    at ');
  });
});
