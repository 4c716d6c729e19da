import { describeMalformedBoxes } from '../../../domain/criteria/criterion.js';
import { formatCount } from '../../../domain/render/phrases/figures.js';
import type { Triage } from '../../../domain/state/state.js';
import type { PhaseDefinition } from '../definition.js';
import { phaseContext } from '../phase-context.js';
import { doneResult, type PhaseResult } from '../phase-result.js';
import { type PhaseRun, withClone } from '../phase-run.js';
import { runInClone } from '../run-in-clone.js';
import { type IssueContext, issueSchema, judgeIssue, renderIssue } from './judge-issue.js';

export const issuePhase: PhaseDefinition<IssueContext, Triage> = {
  context: phaseContext,
  render: renderIssue,
  schema: issueSchema,
  judge: judgeIssue,
  questionsCode: 'questions-open',
  run: runIssue,
};

async function runIssue(run: PhaseRun, context: IssueContext): Promise<PhaseResult> {
  // A malformed command needs its author: no agent can know what was meant.
  const unreadable = describeMalformedBoxes(context.issue.body);
  if (unreadable.length > 0) return { kind: 'needs-human', code: 'verify-malformed', because: unreadable.join(' ') };
  return withClone(run, 'work', run.snapshot.base.head, (clone) =>
    runInClone(run, clone, {
      definition: issuePhase,
      context,
      finish: (triage, handoff) =>
        doneResult(`size ${triage.size}, ${formatCount(triage.criteria.length, 'criterion', 'criteria')}`, handoff, {
          triage,
          spec: null,
        }),
    }),
  );
}
