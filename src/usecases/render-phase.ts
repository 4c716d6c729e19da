import type { AgentPhase } from '../domain/phase.js';
import { codeContext } from './phase-runs/code.js';
import { reviewContext, verifyContext } from './phase-runs/judge-landed.js';
import { specContext } from './phase-runs/plan.js';
import { type PromptInputs, phaseContext } from './phase-runs/workbench.js';
import { renderCode } from './phases/code.js';
import { renderIssue } from './phases/issue.js';
import { renderReview } from './phases/review.js';
import { renderSpec } from './phases/spec.js';
import { renderVerify } from './phases/verify.js';

/** The prompt a phase would get now, as the phase run makes it; `null` when the issue has not come that far. */
export async function renderPhase(inputs: PromptInputs, phase: AgentPhase): Promise<string | null> {
  switch (phase) {
    case 'issue':
      return renderIssue(await phaseContext(inputs));
    case 'spec':
      return renderIfReady(await specContext(inputs), renderSpec);
    case 'code':
      return renderIfReady(await codeContext(inputs), renderCode);
    case 'review':
      return renderIfReady(await reviewContext(inputs), renderReview);
    case 'verify':
      return renderIfReady(await verifyContext(inputs), renderVerify);
  }
}

const renderIfReady = <Context>(context: Context | null, render: (context: Context) => string): string | null =>
  context === null ? null : render(context);
