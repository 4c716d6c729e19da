import type { AgentPhase } from '../domain/phase.js';
import { codeContext } from './phase-runs/code.js';
import { reviewContext, verifyContext } from './phase-runs/judge-landed.js';
import { specContext } from './phase-runs/plan.js';
import { type Desk, phaseContext } from './phase-runs/workbench.js';
import { renderCode } from './phases/code.js';
import { renderIssue } from './phases/issue.js';
import { renderReview } from './phases/review.js';
import { renderSpec } from './phases/spec.js';
import { renderVerify } from './phases/verify.js';

/** The prompt a phase would get now, as the phase run makes it; `null` when the issue has not come that far. */
export async function renderPhase(desk: Desk, phase: AgentPhase): Promise<string | null> {
  switch (phase) {
    case 'issue':
      return renderIssue(await phaseContext(desk));
    case 'spec':
      return rendered(await specContext(desk), renderSpec);
    case 'code':
      return rendered(await codeContext(desk), renderCode);
    case 'review':
      return rendered(await reviewContext(desk), renderReview);
    case 'verify':
      return rendered(await verifyContext(desk), renderVerify);
  }
}

const rendered = <Context>(context: Context | null, render: (context: Context) => string): string | null =>
  context === null ? null : render(context);
