import { trimOutput } from '../../domain/criteria/command-output.js';
import type { Criterion, CriterionResult } from '../../domain/criteria/criterion.js';
import type { Clone } from '../../ports/workspace.js';
import type { PhaseRun } from './phase-run.js';

/**
 * Runs the criteria that have a command, on the clone's commit. File criteria come first, because commands run the agent's code, which may
 * write files.
 */
export async function checkCriteria(
  { signal }: PhaseRun,
  clone: Clone,
  criteria: readonly Criterion[],
  which: 'files' | 'commands' | 'all' = 'all',
): Promise<readonly CriterionResult[]> {
  const isCommand = ({ verify }: Criterion): boolean => verify?.kind === 'command';
  const looks = which === 'commands' ? [] : criteria.filter((criterion) => !isCommand(criterion));
  const commands = which === 'files' ? [] : criteria.filter(isCommand);
  const results: CriterionResult[] = [];
  for (const { id, verify } of [...looks, ...commands]) {
    if (verify === null) continue;
    const { passed, timedOut = false, overLimit = false, output } = await clone.check(verify, signal);
    // A command that was cut off has no known result.
    const verdict = passed ? 'PASS' : timedOut || overLimit ? 'UNCERTAIN' : 'FAIL';
    results.push({ id, verdict, evidence: trimOutput(passed, output) });
  }
  return orderResults(criteria, results);
}

/** Results in the order of their criteria. */
export function orderResults(
  criteria: readonly Criterion[],
  results: readonly CriterionResult[],
): readonly CriterionResult[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return criteria.flatMap(({ id }) => byId.get(id) ?? []);
}
