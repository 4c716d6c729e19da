import type { ErrorCode } from '../domain/errors.js';
import { WorkspaceError, type WorkspaceProblem } from '../ports/workspace.js';
import { failed, type PhaseResult } from './phase-result.js';
import { runCode } from './phase-runs/code.js';
import { runReview, runVerify } from './phase-runs/judge-landed.js';
import { runIssue, runSpec } from './phase-runs/plan.js';
import type { RunAction, Workbench } from './phase-runs/workbench.js';

/** Runs the phase an action names. Every ending is a value; defects of ours still throw. */
export async function performPhase(bench: Workbench): Promise<PhaseResult> {
  const { engine, action, signal } = bench;
  try {
    return await runnerOf(action)(bench);
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped', because: 'it was told to end' };
    if (error instanceof WorkspaceError) return unusable(error);
    engine.log.error({ error, phase: action.phase }, 'phase run broke');
    return failed(`the phase run broke: ${error instanceof Error ? error.message : String(error)}`, []);
  }
}

const CODES = {
  'unsupported-repository': 'repository-unusable',
  'invalid-config': 'repository-unusable',
  'setup-failed': 'repository-unusable',
  'refused-result': 'result-refused',
  'off-limits': 'off-limits',
  limits: 'limits',
} as const satisfies Record<WorkspaceProblem, ErrorCode>;

/** What a person has to see to before the phase can run. */
function unusable({ problem, message, remedy }: WorkspaceError): PhaseResult {
  // What to do about limits stands with their error, and names both ways.
  const because = problem === 'limits' ? message : `${message} ${remedy}`.trim();
  return { kind: 'needs-human', code: CODES[problem], because };
}

function runnerOf({ phase }: RunAction): (bench: Workbench) => Promise<PhaseResult> {
  switch (phase) {
    case 'issue':
      return runIssue;
    case 'spec':
      return runSpec;
    case 'code':
      return runCode;
    case 'review':
      return runReview;
    case 'verify':
      return runVerify;
  }
}
