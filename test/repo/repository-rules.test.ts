import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { ROOT, type SourceFile, sourceFiles } from '../support/source-files.js';

const packageSources = (): SourceFile[] =>
  sourceFiles('packages').filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));

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
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
    expect(devDependencies).toMatchObject({ nock: '15.0.0' });
    // Needed to run, so npm must not be free to leave it out.
    expect(dependencies).toMatchObject({ '@anthropic-ai/claude-code': '2.1.325' });
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
    const long = [...sourceFiles('src'), ...packageSources()].filter((file) => file.text.split('\n').length > 301);
    expect(long.map((file) => file.path)).toEqual([]);
  });
});

describe('the folders', () => {
  test('have at most twenty files of their own', () => {
    const counts = new Map<string, number>();
    for (const { path } of sourceFiles('src', 'packages', 'test', 'bench')) {
      const folder = posix.dirname(path);
      if (!folder.includes('/build')) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  test('of an outside thing each hold every adapter: none lies beside them', () => {
    expect(sourceFiles('src').filter(({ path }) => /^src\/adapters\/[^/]+\.ts$/.test(path))).toEqual([]);
  });
});

/** Words with a private meaning that were replaced by plain ones. They must not come back as names. */
const FORBIDDEN_WORDS = (
  'gesture obey obeyed wish wished desk worksite workbench leash recollection lookout ' +
  'teller ears quay postman hearer sighting happening vouched walls housekeeper workshop'
).split(' ');

/** The words an identifier or a file name is made of, in lower case. */
const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());

const EXPORTED =
  /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|function\*?|class|interface|type|let)\s+(\w+)/gm;

/** Exported names and file names that use a word nobody outside can know. */
const privateNames = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [path, ...[...text.matchAll(EXPORTED)].map((match) => match[1] ?? '')]
      .filter((name) => wordsOf(name).some((word) => FORBIDDEN_WORDS.includes(word)))
      .map((name) => `${path}: ${name}`),
  );

describe('names', () => {
  test('use no word with a private meaning', () => {
    const files = [...sourceFiles('src', 'test', 'bench'), ...packageSources()];
    expect(privateNames(files)).toEqual([]);
  });

  test.each([
    ['src/usecases/obey.ts', ''],
    ['src/x.ts', 'export const wishOf = 1;'],
    ['src/x.ts', 'export interface AccountDesk {}'],
    ['src/x.ts', 'export async function openWorksite() {}'],
  ])('one in %s is noticed (%s)', (path, text) => {
    expect(privateNames([{ path, text }])).toHaveLength(1);
  });
});

test('the generated tables of the documentation are current', async () => {
  const { exitCode, stderr } = await execa(process.execPath, [join(ROOT, 'scripts/docs.mjs'), '--check'], {
    reject: false,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('every file ARCHITECTURE.md names is there', () => {
  const named = [...read('ARCHITECTURE.md').matchAll(/`((?:src|test|packages)\/[\w./-]+\.ts)`/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
