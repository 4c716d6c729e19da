import { sizeOf, stateOf } from '../../domain/state/evidence.js';
import { describeMalformedBoxes } from '../../domain/criteria/criterion.js';
import type { IssueState } from '../../domain/state/state.js';
import { formatCount } from '../../domain/render/phrases/figures.js';
import type { PhaseResult } from './phase-result.js';
import { issueSchema, judgeIssue, renderIssue } from './issue/judge-issue.js';
import { judgeSpec, renderSpec, type SpecContext, specSchema } from './spec/judge-spec.js';
import { resultOfJudgement, resultOfOutcome } from './agent-result.js';
import { type PromptInputs, phaseContext } from './phase-context.js';
import { withClone, type PhaseRun } from './phase-run.js';
import { runAgent } from './run-agent.js';

/* The two phases that only read: triage and spec. */

export async function runIssue(run: PhaseRun): Promise<PhaseResult> {
  const context = await phaseContext(run);
  // No agent can know what somebody meant by a command that cannot be read.
  const unreadable = describeMalformedBoxes(context.issue.body);
  if (unreadable.length > 0) return { kind: 'needs-human', code: 'verify-malformed', because: unreadable.join(' ') };
  return withClone(run, 'work', run.snapshot.base.head, async (clone) => {
    const outcome = await runAgent(run, clone, {
      prompt: renderIssue(context),
      schema: issueSchema,
      nonce: context.nonce,
    });
    if (outcome.kind !== 'succeeded') return resultOfOutcome(outcome);
    const judgement = judgeIssue(outcome.result, context);
    if (judgement.kind !== 'accepted') return resultOfJudgement(run, judgement);
    const { value: triage, handoff } = judgement;
    const next = (state: IssueState): IssueState => ({
      ...state,
      handoff,
      progress: { ...state.progress, triage, spec: null },
    });
    return {
      kind: 'done',
      next,
      because: `size ${triage.size}, ${formatCount(triage.criteria.length, 'criterion', 'criteria')}`,
    };
  });
}

/** `null` before triage. */
export async function specContext(inputs: PromptInputs): Promise<SpecContext | null> {
  const { triage } = stateOf(inputs.snapshot).progress;
  if (triage === null) return null;
  return { ...(await phaseContext(inputs)), triage, size: sizeOf(inputs.snapshot) ?? triage.size };
}

export async function runSpec(run: PhaseRun): Promise<PhaseResult> {
  const context = await specContext(run);
  if (context === null) throw new Error('a spec needs a triage');
  const { triage } = context;
  return withClone(run, 'work', run.snapshot.base.head, async (clone) => {
    const outcome = await runAgent(run, clone, {
      prompt: renderSpec(context),
      schema: specSchema,
      nonce: context.nonce,
    });
    if (outcome.kind !== 'succeeded') return resultOfOutcome(outcome);
    const judgement = judgeSpec(outcome.result, context);
    if (judgement.kind !== 'accepted') return resultOfJudgement(run, judgement);
    const { value, handoff } = judgement;
    const sized = { ...triage, size: value.size ?? triage.size };
    const next = (state: IssueState): IssueState => ({
      ...state,
      handoff,
      progress: { ...state.progress, triage: sized, spec: value.spec },
    });
    const resized = value.size === null ? '' : `, size ${triage.size} became ${value.size}`;
    return {
      kind: 'done',
      next,
      because: `${formatCount(value.spec.steps.length, 'step')} in ${formatCount(value.spec.files.length, 'file')}${resized}`,
    };
  });
}
