// Breaks each defence once and checks that its test fails. A mutant is one change of the compiled code; all are listed in
// `test/mutants/*.json`. `npm run mutants -- size` tries only those whose name contains “size”.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needsOf, notRunnable } from './test-sets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'test/mutants');
const [filter = ''] = process.argv.slice(2);

const mutants = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  .filter(({ name }) => name.includes(filter));

const left = notRunnable();
const totals = { passed: 0, failed: 0 };
for (const mutant of mutants) {
  const verdict = tried(mutant);
  if (verdict !== 'bites' && verdict !== 'not runnable here') totals.failed += 1;
  if (verdict === 'bites') totals.passed += 1;
  process.stdout.write(`${verdict}: ${mutant.name} (${mutant.test})\n`);
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;

/** A mutant works when its test passes without it and fails with it. `npm test` shows that it passes without it. */
function tried({ file, from, to, test, fails }) {
  if (left.some(({ need }) => needsOf(test).includes(need))) return 'not runnable here';
  const path = join(root, 'build', file);
  const code = readFileSync(path, 'utf8');
  if (code.split(from).length !== 2) return `“${from}” is not there exactly once in ${file}`;
  writeFileSync(
    path,
    code.replace(from, () => to),
  );
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--no-warnings', join(root, 'node_modules/jest/bin/jest.js'), test],
      { cwd: root, encoding: 'utf8', timeout: 180_000 },
    );
    if (status === 0) return 'SURVIVES';
    return stderr.includes('●') && stderr.includes(fails) ? 'bites' : 'fails for another reason';
  } finally {
    writeFileSync(path, code);
  }
}
