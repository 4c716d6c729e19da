import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { findProgram } from '../../src/adapters/redis/server/find-program.js';
import { ROOT } from '../support/source-files.js';

const at = { folder: '', bare: '' };

beforeAll(async () => {
  at.folder = await mkdtemp(join(tmpdir(), 'test-command-'));
  at.bare = join(at.folder, 'bin');
  await mkdir(at.bare);
  await symlink(process.execPath, join(at.bare, 'node'));
  const git = await findProgram('git', process.env['PATH'] ?? '');
  if (git === null) throw new Error('there is no git on PATH');
  await symlink(git, join(at.bare, 'git'));
});

afterAll(() => rm(at.folder, { recursive: true, force: true }));

/** `npm test` without its build, on a machine that has Node and git only. */
function testCommand(...given: readonly string[]) {
  return execa(process.execPath, [join(ROOT, 'scripts/test.mjs'), ...given], {
    cwd: ROOT,
    reject: false,
    env: { PATH: at.bare, HOME: at.folder, SLUICE_CHROMIUM: '/nowhere/chromium' },
    extendEnv: false,
  });
}

async function filesOf(...given: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await testCommand('--listTests', ...given);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((file) => relative(join(ROOT, 'build'), file))
    .sort();
}

describe('the test command on a bare machine', () => {
  test('runs only what fits the filter', async () => {
    expect(await filesOf('test/issues/labels', 'domain/issue/size')).toEqual([
      'packages/pocket-github/test/issues/labels.test.js',
      'test/unit/domain/issue/size.test.js',
    ]);
  });

  test('leaves out what needs a program that is not there, and what is long', async () => {
    const files = await filesOf();
    expect(files).toEqual(
      expect.arrayContaining(['test/unit/domain/issue/size.test.js', 'test/system/end-to-end/demo.test.js']),
    );
    expect(files.filter((file) => /\.(?:bwrap|chromium|long|redis)\./.test(file))).toEqual([]);
  });

  test('every file is in the default set or in the long one, none in both', async () => {
    const [usual, long] = [await filesOf(), await filesOf('--long')];
    expect(long.length).toBeGreaterThan(0);
    expect(long.filter((file) => !/\.long(?:\.[a-z]+)*\.test\.js$/.test(file))).toEqual([]);
    expect(await filesOf('--all')).toEqual([...usual, ...long].sort());
  });

  test('the fast set is part of the default one, without chaos and without the real command line', async () => {
    const [usual, fast] = [await filesOf(), await filesOf('--fast')];
    expect(fast.length).toBeGreaterThan(0);
    expect(fast.filter((file) => !usual.includes(file))).toEqual([]);
    expect(fast.filter((file) => /chaos|end-to-end|\/cli\/|-cli\.|^packages\//.test(file))).toEqual([]);
  });

  test('ends with the sum of its runs, and names what it left out', async () => {
    const { exitCode, stdout } = await testCommand('domain/issue/size');
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^not run: \*\.bwrap\.test\.ts \(no bubblewrap/),
      expect.stringMatching(/^not run: \*\.chromium\.test\.ts \(no Chromium/),
      expect.stringMatching(/^not run: \*\.redis\.test\.ts \(no redis-server/),
    ]);
    expect(lines.slice(3)).toEqual([expect.stringMatching(/^[1-9]\d* passed, 0 failed$/)]);
  });

  test('a run that ran nothing has failed', async () => {
    const { exitCode, stdout } = await testCommand('there-is-no-such-test');
    expect({ exitCode, last: stdout.split('\n').at(-1) }).toEqual({ exitCode: 1, last: '0 passed, 1 failed' });
  });
});
