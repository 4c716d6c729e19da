import { WorkspaceError } from '../ports/workspace.js';
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

/** What a person has to see to before the phase can run. */
function unusable({ problem, message, remedy }: WorkspaceError): PhaseResult {
  if (problem === 'limits') return { kind: 'needs-human', code: 'limits', because: message };
  const code = problem === 'off-limits' ? 'off-limits' : 'repository-unusable';
  return { kind: 'needs-human', code, because: `${message} ${remedy}` };
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
