import { shortOid } from '../../domain/issue/ids.js';
import { currentPull, landedCommit, routeFor, specOf, stateOf } from '../../domain/state/evidence.js';
import { mustFindings } from '../../domain/issue/finding.js';
import type { CriterionResult } from '../../domain/criteria/criterion.js';
import type { IssueState, Landed } from '../../domain/state/state.js';
import type { Handoff } from '../../domain/agent/handoff.js';
import { formatCount } from '../../domain/render/phrases/figures.js';
import { failedResult, type PhaseResult } from './phase-result.js';
import { judgeReview, renderReview, type ReviewContext, reviewSchema } from './review/judge-review.js';
import { criteriaToJudge, judgeVerify, renderVerify, type VerifyContext, verifySchema } from './verify/judge-verify.js';
import {
  checkCriteria,
  type PromptInputs,
  resultOfJudgement,
  phaseContext,
  runAgent,
  withClone,
  resultOfOutcome,
  type PhaseRun,
} from './phase-run.js';

/* The two phases that judge work that is there: review of a head, verification of the landed commit. */

/** Without the results of commands, which take a clone. `null` when there is nothing to review. */
export async function reviewContext(inputs: PromptInputs): Promise<ReviewContext | null> {
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

export async function runReview(run: PhaseRun): Promise<PhaseResult> {
  const prepared = await reviewContext(run);
  if (prepared === null) return failedResult('there is nothing to review', []);
  return withClone(run, 'work', prepared.head, async (clone) => {
    const results = await checkCriteria(
      run,
      clone,
      prepared.triage.criteria.filter(({ stage }) => stage === 'pre-merge'),
    );
    const context = { ...prepared, depth: run.action.depth ?? prepared.depth, results };
    const outcome = await runAgent(run, clone, {
      prompt: renderReview(context),
      schema: reviewSchema,
      nonce: context.nonce,
    });
    if (outcome.kind !== 'succeeded') return resultOfOutcome(outcome);
    const judgement = judgeReview(outcome.result, context);
    if (judgement.kind !== 'accepted') return resultOfJudgement(run, judgement);
    const { value, handoff } = judgement;
    const next = (state: IssueState): IssueState => ({
      ...state,
      handoff,
      progress: { ...state.progress, review: value },
    });
    const musts = mustFindings(value.findings).length;
    return {
      kind: 'done',
      next,
      because: musts === 0 ? `nothing must change, score ${value.score.toFixed(2)}` : `${musts} MUST`,
    };
  });
}

/** Without the results of commands, which take a clone. `null` when nothing has landed. */
export async function verifyContext(inputs: PromptInputs): Promise<VerifyContext | null> {
  const { triage } = stateOf(inputs.snapshot).progress;
  const landed = landedCommit(inputs.snapshot);
  if (triage === null || landed === null) return null;
  return { ...(await phaseContext(inputs)), triage, oid: landed.oid, results: [] };
}

export async function runVerify(run: PhaseRun): Promise<PhaseResult> {
  const prepared = await verifyContext(run);
  const landed = landedCommit(run.snapshot);
  if (prepared === null || landed === null) return failedResult('there is nothing to verify', []);
  const { triage } = prepared;
  return withClone(run, 'work', landed.oid, async (clone) => {
    const results = await checkCriteria(run, clone, triage.criteria);
    if (criteriaToJudge(triage).length === 0) return verifiedResult(landed, results, prepared.handoff);
    const context = { ...prepared, results };
    const outcome = await runAgent(run, clone, {
      prompt: renderVerify(context),
      schema: verifySchema,
      nonce: context.nonce,
    });
    if (outcome.kind !== 'succeeded') return resultOfOutcome(outcome);
    const judgement = judgeVerify(outcome.result, context);
    if (judgement.kind !== 'accepted') return resultOfJudgement(run, judgement);
    return verifiedResult(landed, judgement.value, judgement.handoff);
  });
}

function verifiedResult(landed: Landed, results: readonly CriterionResult[], handoff: Handoff | null): PhaseResult {
  const { oid } = landed;
  const passed = results.filter(({ verdict }) => verdict === 'PASS').length;
  // Nothing is left to decide: what verification found and that the run is over are one fact.
  const done = results.every(({ verdict }) => verdict === 'PASS' || verdict === 'SKIPPED') ? landed : null;
  const next = (state: IssueState): IssueState => ({
    ...state,
    handoff,
    progress: { ...state.progress, verify: { oid, results }, done },
  });
  return {
    kind: 'done',
    next,
    because: `${passed} of ${formatCount(results.length, 'criterion holds', 'criteria hold')} on ${shortOid(oid)}`,
  };
}
