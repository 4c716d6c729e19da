// Runs jest on the compiled tests. Arguments are passed on, e.g. `npm test -- journal`.
// `--fast` and `--long` choose another set of tests, `--all` runs everything, `--seeds N` asks generators for N seeds,
// `--listTests` only names the files. Ends with one line that counts, after naming every group this machine cannot run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath, notRunnable, selectionOf } from './test-sets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const { sets, seeds, given } = readArguments(process.argv.slice(2));
const lists = given.includes('--listTests');
const left = notRunnable();
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const set of sets) {
  const { status, counts } = runJest(set);
  totals.passed += counts.passed;
  // Jest can fail without a failed test: no file fits the filter, or it could not start.
  totals.failed += Math.max(counts.failed, status === 0 ? 0 : 1);
  totals.skipped += counts.skipped;
}
if (!lists) {
  for (const { files, why } of left) process.stdout.write(`not run: ${files} (${why})\n`);
  if (totals.skipped > 0) process.stdout.write(`${totals.skipped} skipped\n`);
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
}
process.exitCode = totals.failed > 0 ? 1 : 0;

function readArguments(argv) {
  const wanted = { sets: ['default'], seeds: undefined, given: [] };
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index];
    if (argument === '--fast') wanted.sets = ['fast'];
    else if (argument === '--long') wanted.sets = ['long'];
    else if (argument === '--all') wanted.sets = ['default', 'long'];
    else if (argument === '--seeds') wanted.seeds = argv[(index += 1)];
    else wanted.given.push(argument);
  }
  if (wanted.seeds !== undefined && !/^[1-9]\d{0,6}$/.test(wanted.seeds)) {
    process.stderr.write(`--seeds wants a number of seeds, not ${String(wanted.seeds)}\n`);
    process.exit(2);
  }
  return wanted;
}

function runJest(set) {
  // In its own folder, because a test of this command runs it inside another run.
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-report-'));
  const report = join(folder, 'report.json');
  const { status } = spawnSync(
    process.execPath,
    [
      '--no-warnings',
      join(root, 'node_modules/jest/bin/jest.js'),
      // Comes first, because an option with a list would take the filter as a value.
      ...given,
      ...(lists ? [] : ['--json', `--outputFile=${report}`]),
      ...selectionOf(set, left),
    ],
    {
      stdio: ['ignore', lists ? 'inherit' : 'ignore', 'inherit'],
      cwd: root,
      env: {
        ...process.env,
        SLUICE_CHROMIUM: chromiumPath(),
        ...(seeds === undefined ? {} : { SLUICE_TEST_SEEDS: seeds }),
      },
    },
  );
  const counts = readCounts(report);
  rmSync(folder, { recursive: true, force: true });
  return { status, counts };
}

function readCounts(report) {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    return {
      passed: counts.numPassedTests,
      failed: counts.numFailedTests + counts.numRuntimeErrorTestSuites,
      skipped: counts.numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
