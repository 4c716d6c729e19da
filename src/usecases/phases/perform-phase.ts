import type { HaltCode } from '../../domain/issue/halt-codes.js';
import { WorkspaceError, type WorkspaceProblem } from '../../ports/workspace.js';
import type { AnyPhase } from './definition.js';
import { failedResult, type PhaseResult } from './phase-result.js';
import type { PhaseRun } from './phase-run.js';
import { PHASES } from './phases.js';

/** Runs the phase of an action. Every ending is a value; only defects throw. */
export async function performPhase(run: PhaseRun): Promise<PhaseResult> {
  const { engine, action, signal } = run;
  const definition: AnyPhase = PHASES[action.phase];
  try {
    const context = await definition.context(run);
    if (context === null) return failedResult(`there is nothing for ${action.phase} to go by yet`, []);
    return await definition.run(run, context);
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped', because: 'it was told to end' };
    if (error instanceof WorkspaceError) return workspaceResult(error);
    engine.log.error({ error, phase: action.phase }, 'phase run broke');
    return failedResult(`the phase run broke: ${error instanceof Error ? error.message : String(error)}`, []);
  }
}

const CODES = {
  'unsupported-repository': 'repository-unusable',
  'invalid-config': 'repository-unusable',
  'setup-failed': 'repository-unusable',
  'refused-result': 'result-refused',
  'off-limits': 'off-limits',
  limits: 'limits',
} as const satisfies Record<WorkspaceProblem, HaltCode>;

/** The result for a workspace problem that a person must fix. */
function workspaceResult({ problem, message, remedy }: WorkspaceError): PhaseResult {
  // The message about limits names its remedies already.
  const because = problem === 'limits' ? message : `${message} ${remedy}`.trim();
  return { kind: 'needs-human', code: CODES[problem], because };
}
