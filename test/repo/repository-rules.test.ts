import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { ROOT, sourceFiles } from '../support/source-files.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the repository', () => {
  test.each([
    'package.json',
    'tsconfig.json',
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'LICENSE',
    '.ci/run',
  ])('has %s', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  test('its lock file names no download address', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>;
    };
    const resolved = Object.entries(lock.packages).filter(
      ([, entry]) => entry.resolved !== undefined && entry.link !== true,
    );
    expect(resolved.map(([name]) => name)).toEqual([]);
  });

  test('pins the packages whose next version breaks on Node 20', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    expect(devDependencies).toMatchObject({ nock: '15.0.0', '@anthropic-ai/claude-code': '2.1.325' });
  });

  test('tracks neither dependencies nor build output', async () => {
    const { stdout } = await execa('git', ['ls-files', 'node_modules', 'build'], { cwd: ROOT });
    expect(stdout).toBe('');
  });

  test('never reads a variable called REDIS_URL, which Probot would act on', () => {
    const name = ['REDIS', 'URL'].join('_');
    const pattern = new RegExp(`(?<!SLUICE_)${name}`);
    expect(
      sourceFiles('src')
        .filter((file) => pattern.test(file.text))
        .map((file) => file.path),
    ).toEqual([]);
  });

  test('keeps process.env in the entry points', () => {
    const readers = sourceFiles('src').filter(
      (file) => /process\.env(?!\['PATH'\])/.test(file.text) && !file.path.startsWith('src/entry/'),
    );
    expect(readers.map((file) => file.path)).toEqual([]);
  });

  test('has no file past 300 lines', () => {
    const long = sourceFiles('src').filter((file) => file.text.split('\n').length > 301);
    expect(long.map((file) => file.path)).toEqual([]);
  });
});

test('the generated tables of the documentation are current', async () => {
  const { exitCode, stderr } = await execa(process.execPath, [join(ROOT, 'scripts/docs.mjs'), '--check'], {
    reject: false,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});
