import type { Oid } from '../../domain/ids.js';
import type { Triage } from '../../domain/state.js';
import type { CodeFacts } from '../phases/code.js';
import { checkCriteria, inOrder, withClone, type Workbench } from './workbench.js';

/** What a commit is held against. */
interface Checks {
  readonly triage: Triage;
  /** The repository's test command. */
  readonly test: string | null;
}

/** The repository's tests and the pre-merge criteria, in a clean clone of exactly this commit. */
export async function checkCommit(bench: Workbench, commit: Oid, { triage, test }: Checks): Promise<CodeFacts> {
  return withClone(bench, 'check', commit, async (clone) => {
    const pending = triage.criteria.filter(({ stage }) => stage === 'pre-merge');
    // What is looked for has to be in the commit: looked for after the tests, it could be something they have just written.
    const seen = await checkCriteria(bench, clone, pending, 'looks');
    const tested = test === null ? null : await clone.run(test, bench.signal);
    const results = inOrder(pending, [...seen, ...(await checkCriteria(bench, clone, pending, 'commands'))]);
    if (test !== null && tested?.passed === true) bench.engine.greenCommits.add(greenKey(bench, commit, test));
    return { commit, test: tested, results };
  });
}

/** Whether the test command passes on a commit of base. Found out once; a commit we tested before it landed is known to. */
export async function isGreenOn(bench: Workbench, base: Oid, test: string): Promise<boolean> {
  const { greenCommits } = bench.engine;
  const key = greenKey(bench, base, test);
  if (greenCommits.has(key)) return true;
  const { passed } = await withClone(bench, 'base', base, (clone) => clone.run(test, bench.signal));
  if (passed) greenCommits.add(key);
  return passed;
}

const greenKey = ({ snapshot }: Workbench, commit: Oid, test: string): string =>
  [snapshot.repositoryId, commit, test].join(' ');
