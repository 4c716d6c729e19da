import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { Redis } from 'ioredis';
import { RedisModelAccount } from '../../../src/adapters/redis/model-account/redis-model-account.js';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { readGitHubSettings } from '../../../src/config/service-config.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import { connect } from '../../../src/entry/service/connect.js';
import { start } from '../../../src/usecases/intent/start.js';
import { pushTo } from '#pocket-github/test/branches';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { ROOT } from '../../support/source-files.js';

/* The commands that only look, as somebody with the service's environment uses them: no Redis, no model, no claude. */

const CLI = join(ROOT, 'build/src/entry/cli/cli.js');
const QUIET = { info: () => {}, warn: () => {}, error: () => {} };

const shared: { pocket?: TestPocket; env?: Record<string, string>; folder?: string } = {};

beforeAll(async () => {
  const pocket = await openPocket();
  const folder = await mkdtemp(join(tmpdir(), 'look-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    APP_ID: String(pocket.app.id),
    PRIVATE_KEY: pocket.app.privateKey,
    GITHUB_API_URL: pocket.pocket.urls.api,
  };
  Object.assign(shared, { pocket, env, folder });
  await pocket.rest('wren').rest.issues.create({ ...pocket.at, title: 'Say hello', body: 'Greet people.' });
  await pocket.rest('wren').rest.issues.create({ ...pocket.at, title: 'Nobody asked', body: '' });
  const reading = readGitHubSettings(env, { readFile: () => null, isProgram: () => false, claude: null });
  if (reading.kind === 'invalid') throw new Error(reading.problems.join());
  const connection = await connect(reading.settings, folder, { clock: pocket.clock, log: QUIET });
  const by = { id: pocket.users.wren.id, login: 'wren' };
  await start(connection, { at: pocket.clock.now(), ref: { ...pocket.at, number: 1 }, by });
});

afterAll(async () => {
  await shared.pocket?.close();
  await rm(shared.folder ?? '', { recursive: true, force: true });
});

const sluice = (...args: readonly string[]) =>
  execa(process.execPath, [CLI, ...args], { reject: false, env: shared.env ?? {}, extendEnv: false });

describe('sluice explain', () => {
  test('says what is next and why', async () => {
    const { stdout, exitCode } = await sluice('explain', 'ada/sandbox#2');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'ada/sandbox#2 (open): Nobody asked',
      '  at       issue; size not known, route pr, light review, 0 agent runs so far',
      '  next     wait (not-driven)',
      '  because  nobody asked Sluice to drive this issue',
      expect.stringMatching(
        /^  sandbox  .*; on this machine commands are held by .*file limits, memory, process and disk/,
      ),
    ]);
  });

  test('sees a kill switch where it is told of the service’s Redis', async () => {
    const server = await openRedis({ path: '', clock: systemClock, log: QUIET });
    const redis = new Redis(server.url);
    try {
      const parts = { redis, clock: systemClock, log: QUIET, random: () => 0, prefix: 'sluice' };
      const account = new RedisModelAccount({ ...parts, budgets: DEFAULT_BUDGETS, credential: null });
      const explain = () =>
        execa(process.execPath, [CLI, 'explain', '--json', 'ada/sandbox#1'], {
          env: { ...shared.env, SLUICE_REDIS_URL: server.url },
          extendEnv: false,
        });
      expect(JSON.parse((await explain()).stdout)).toMatchObject({ afterwards: { kind: 'run', phase: 'issue' } });
      await account.setKillSwitch(true, 'ada', 'the bill');
      expect(JSON.parse((await explain()).stdout)).toMatchObject({
        afterwards: { kind: 'wait', on: 'hold', hold: 'kill-switch', because: expect.stringContaining('the bill') },
      });
    } finally {
      redis.disconnect();
      await server.close();
    }
    expect((await sluice('explain', 'ada/sandbox#1')).stderr).toContain('without SLUICE_REDIS_URL');
  });

  test('names a configuration that cannot be read, and where it is wrong', async () => {
    const { pocket } = shared;
    if (pocket === undefined) throw new Error('there is no pocket');
    const configure = (text: string | null) => pushTo(pocket, 'main', { files: { '.github/sluice.yml': text } });
    await configure('test: npm test\nmerge: [never\n');
    try {
      const { stdout } = await sluice('explain', 'ada/sandbox#1');
      expect(stdout).toContain('  then     wait (config)');
      expect(stdout).toMatch(/ {2}because {2}`\.github\/sluice\.yml` on main cannot be read: .* at line 3, column 1/);
    } finally {
      await configure(null);
    }
    expect((await sluice('explain', 'ada/sandbox#1')).stdout).toContain('  then     run issue');
  });

  test('with --json the decision is data', async () => {
    const { stdout } = await sluice('explain', '--json', 'ada/sandbox#1');
    expect(JSON.parse(stdout)).toMatchObject({
      issue: 'ada/sandbox#1',
      title: 'Say hello',
      state: 'open',
      place: 'issue',
      size: null,
      stateRef: 'valid',
      sandbox: { guards: expect.arrayContaining(['rlimits', 'watcher']) },
      action: {
        kind: 'effect',
        effect: { kind: 'project' },
        because: expect.stringContaining('does not show the state'),
      },
    });
  });

  test.each([
    [['ada/sandbox#99'], 1, 'there is no issue ada/sandbox#99'],
    [['ada/nothing#1'], 1, 'there is no issue ada/nothing#1, or the App is not installed'],
    [['sandbox#1'], 1, 'An issue is written owner/repo#number.'],
  ])('%j is one clear message', async (args, code, complaint) => {
    const { exitCode, stderr } = await sluice('explain', ...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(complaint) });
    expect(stderr).not.toContain('    at ');
  });
});

test('sluice history shows who asked, from the state ref', async () => {
  const { stdout } = await sluice('history', 'ada/sandbox#1');
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}[0-9a-f]{7} {2}issue {5}wren asked for it$/);
  const { stdout: json } = await sluice('history', '--json', 'ada/sandbox#1');
  expect(JSON.parse(json)).toEqual([
    { oid: expect.any(String), at: expect.any(String), because: 'wren asked for it', trusted: true, phase: 'issue' },
  ]);
  expect((await sluice('history', 'ada/sandbox#2')).stdout).toBe('ada/sandbox#2 has no history yet');
});

describe('sluice prompt', () => {
  test('prints what the agent would be told', async () => {
    const { stdout } = await sluice('prompt', 'issue', 'ada/sandbox#1');
    expect(stdout).toMatch(/^\/sluice:issue ada\/sandbox#1 \S+ [0-9a-z]+\n/);
    expect(stdout).toContain('Title: Say hello\n\nGreet people.');
  });

  test('says when there is nothing to go by yet', async () => {
    const { exitCode, stderr } = await sluice('prompt', 'review', 'ada/sandbox#1');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'sluice: ada/sandbox#1 is at issue: there is nothing for review to go by yet',
    });
  });

  test('knows its phases', async () => {
    expect((await sluice('prompt', 'merge', 'ada/sandbox#1')).stderr).toContain(
      'Allowed choices are issue, spec, code, review, verify.',
    );
  });
});
