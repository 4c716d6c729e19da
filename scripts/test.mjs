// Runs jest on the compiled tests. Arguments are passed on, e.g. `npm test -- journal`.
// Ends with one line that counts, and names every group of tests this machine cannot run.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const report = join(root, 'build', 'test-report.json');
const chromium = process.env.SLUICE_CHROMIUM ?? '/usr/bin/chromium';

const onPath = (...names) =>
  names.some((name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))));

const left = [];
if (!existsSync(chromium)) {
  left.push({ folder: 'test/browser/', why: `no Chromium at ${chromium}; install it or set SLUICE_CHROMIUM` });
}
if (!onPath('redis-server', 'valkey-server')) {
  left.push({
    folder: 'test/redis/',
    why: 'no redis-server or valkey-server on PATH; the embedded one is tested all the same',
  });
}
if (!onPath('bwrap')) {
  left.push({
    folder: 'test/sandbox/',
    why: 'no bubblewrap (bwrap) on PATH; what runs without it is tested all the same',
  });
}

const jest = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${report}`,
    ...left.map(({ folder }) => `--testPathIgnorePatterns=${folder}`),
    ...process.argv.slice(2),
  ],
  { stdio: ['ignore', 'ignore', 'inherit'], cwd: root, env: { ...process.env, SLUICE_CHROMIUM: chromium } },
);

for (const { folder, why } of left) process.stdout.write(`not run: ${folder} (${why})\n`);
const counts = JSON.parse(readFileSync(report, 'utf8'));
const skipped = counts.numPendingTests > 0 ? `, ${counts.numPendingTests} skipped` : '';
const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
process.stdout.write(`${counts.numPassedTests} passed, ${failed} failed${skipped}\n`);
process.exitCode = jest.status ?? 1;
