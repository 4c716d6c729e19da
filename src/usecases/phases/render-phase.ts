import type { AgentPhase } from '../../domain/issue/phase.js';
import { codeContext } from './code/run-code.js';
import { reviewContext, verifyContext } from './run-judging.js';
import { specContext } from './run-planning.js';
import { type PromptInputs, phaseContext } from './phase-context.js';
import { renderCode } from './code/judge-code.js';
import { renderIssue } from './issue/judge-issue.js';
import { renderReview } from './review/judge-review.js';
import { renderSpec } from './spec/judge-spec.js';
import { renderVerify } from './verify/judge-verify.js';

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
