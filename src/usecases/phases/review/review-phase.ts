import { mustFindings } from '../../../domain/issue/finding.js';
import { currentPull, routeFor, specOf, stateOf } from '../../../domain/state/evidence.js';
import type { ReviewRecord } from '../../../domain/state/review-record.js';
import { checkCriteria } from '../check-criteria.js';
import type { PhaseDefinition } from '../definition.js';
import { phaseContext, type PromptInputs } from '../phase-context.js';
import { doneResult, type PhaseResult } from '../phase-result.js';
import { type PhaseRun, withClone } from '../phase-run.js';
import { runInClone } from '../run-in-clone.js';
import { judgeReview, renderReview, type ReviewContext, reviewSchema } from './judge-review.js';

export const reviewPhase: PhaseDefinition<ReviewContext, ReviewRecord> = {
  context: reviewContext,
  render: renderReview,
  schema: reviewSchema,
  judge: judgeReview,
  run: runReview,
};

/** Results of commands are added later, because they need a clone. `null` when there is nothing to review. */
async function reviewContext(inputs: PromptInputs): Promise<ReviewContext | null> {
  const { snapshot } = inputs;
  const { triage, review } = stateOf(snapshot).progress;
  const pull = currentPull(snapshot);
  if (triage === null || pull === null) return null;
  const route = routeFor(snapshot);
  return {
    ...(await phaseContext(inputs)),
    triage,
    spec: specOf(snapshot),
    depth: route.kind === 'pr' ? route.depth : 'light',
    head: pull.head,
    earlier: review?.findings ?? [],
    results: [],
  };
}

async function runReview(run: PhaseRun, prepared: ReviewContext): Promise<PhaseResult> {
  const criteria = prepared.triage.criteria.filter(({ stage }) => stage === 'pre-merge');
  return withClone(run, 'work', prepared.head, async (clone) => {
    const results = await checkCriteria(run, clone, criteria);
    return runInClone(run, clone, {
      definition: reviewPhase,
      context: { ...prepared, depth: run.action.depth ?? prepared.depth, results },
      finish: (review, handoff) => {
        const musts = mustFindings(review.findings).length;
        const because = musts === 0 ? `nothing must change, score ${review.score.toFixed(2)}` : `${musts} MUST`;
        return doneResult(because, handoff, { review });
      },
    });
  });
}
