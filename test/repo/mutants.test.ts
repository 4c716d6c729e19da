import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT, sourceFiles } from '../support/source-files.js';

/* `npm run mutants` takes long, so it is not part of every run. This keeps its list usable: a mutant whose text is gone breaks nothing. */

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly test: string;
  readonly fails: string;
}

const folder = join(ROOT, 'test/mutants');
const mutants = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Mutant[]);

const timesIn = (text: string, part: string): number => text.split(part).length - 1;

test('the text each mutant changes stands exactly once in its file', () => {
  expect(mutants.length).toBeGreaterThan(100);
  const stale = mutants.filter(({ file, from }) => {
    const path = join(ROOT, 'build', file);
    return !existsSync(path) || timesIn(readFileSync(path, 'utf8'), from) !== 1;
  });
  expect(stale.map(({ name }) => name)).toEqual([]);
});

test('each mutant names one test file, in which the test that fails stands', () => {
  const files = sourceFiles('test', 'packages').filter(({ path }) => path.endsWith('.test.ts'));
  const wrong = mutants.filter(({ test: path }) => files.filter((file) => file.path.includes(path)).length !== 1);
  expect(wrong.map(({ name, test: path }) => `${name}: ${path}`)).toEqual([]);
});
