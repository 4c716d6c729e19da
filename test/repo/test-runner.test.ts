import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { ROOT } from '../support/source-files.js';

/* The runner of this very suite (docs/decisions/0010-test-runner.md): a test that fails, hangs or cannot be loaded is never called green. */

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-runner-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

/** Runs one test file with Jest and our runner. */
async function runFile(code: string, ...given: readonly string[]): Promise<Report & { readonly exitCode: number }> {
  await writeFile(join(folder, 'one.test.mjs'), `import { afterAll, expect, test } from '@jest/globals';\n${code}`);
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.mjs'],
    moduleFileExtensions: ['mjs', 'js'],
    transform: {},
    testTimeout: 300,
    runner: join(ROOT, 'scripts/jest-runner/runner.mjs'),
  };
  const report = join(folder, 'report.json');
  const { exitCode } = await execa(
    process.execPath,
    [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--config',
      JSON.stringify(config),
      '--json',
      '--outputFile',
      report,
    ].concat(given),
    { cwd: ROOT, reject: false },
  );
  return { ...(JSON.parse(await readFile(report, 'utf8')) as Report), exitCode: exitCode ?? -1 };
}

test('counts what passes and what fails', async () => {
  const ended = await runFile("test('a', () => expect(1).toBe(1)); test('b', () => expect(1).toBe(2));");
  expect(ended).toMatchObject({ numPassedTests: 1, numFailedTests: 1, exitCode: 1 });
});

test('runs only what fits a name', async () => {
  const ended = await runFile("test('wanted', () => {}); test('other', () => expect(1).toBe(2));", '-t', 'wanted');
  expect(ended).toMatchObject({ numPassedTests: 1, numFailedTests: 0, numPendingTests: 1, exitCode: 0 });
});

test.each([
  ['a test that never ends', "test('a', () => new Promise(() => {}));"],
  [
    'a promise nobody awaits',
    "test('a', async () => { Promise.reject(new Error('lost')); await new Promise(setImmediate); });",
  ],
  ['a broken clean-up', "test('a', () => {}); afterAll(() => { throw new Error('broken'); });"],
  ['a file that cannot be loaded', "import './not-there.mjs'; test('a', () => {});"],
  ['a process that ends', "test('a', () => process.exit(0));"],
])('%s fails', async (_, code) => {
  const ended = await runFile(code);
  expect(ended.exitCode).toBe(1);
  expect(ended.numFailedTests + ended.numRuntimeErrorTestSuites).toBeGreaterThan(0);
});
