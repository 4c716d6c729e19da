import type { Oid } from '../../../domain/issue/ids.js';
import type { Triage } from '../../../domain/state/state.js';
import type { CodeFacts } from './judge-code.js';
import { checkCriteria, orderResults } from '../check-criteria.js';
import { withClone, type PhaseRun } from '../phase-run.js';

/** What a commit is checked against. */
interface Checks {
  readonly triage: Triage;
  /** The repository's test command. */
  readonly test: string | null;
}

/** The repository's tests and the pre-merge criteria, in a clean clone of exactly this commit. */
export async function checkCommit(run: PhaseRun, commit: Oid, { triage, test }: Checks): Promise<CodeFacts> {
  return withClone(run, 'check', commit, async (clone) => {
    const pending = triage.criteria.filter(({ stage }) => stage === 'pre-merge');
    // File criteria run before the tests, because the tests could write the files they look for.
    const seen = await checkCriteria(run, clone, pending, 'files');
    const tested = test === null ? null : await clone.run(test, run.signal);
    const results = orderResults(pending, [...seen, ...(await checkCriteria(run, clone, pending, 'commands'))]);
    if (test !== null && tested?.passed === true) run.engine.greenCommits.set(greenKey(run, commit, test), true);
    return { commit, test: tested, results };
  });
}

/**
 * Whether the test command passes on a commit of base. Run once and remembered; a commit that we tested before it landed is known already.
 */
export async function testsPassOn(run: PhaseRun, base: Oid, test: string): Promise<boolean> {
  const { greenCommits } = run.engine;
  const key = greenKey(run, base, test);
  if (greenCommits.get(key) === true) return true;
  const { passed } = await withClone(run, 'base', base, (clone) => clone.run(test, run.signal));
  if (passed) greenCommits.set(key, true);
  return passed;
}

const greenKey = ({ snapshot }: PhaseRun, commit: Oid, test: string): string =>
  [snapshot.repositoryId, commit, test].join(' ');
