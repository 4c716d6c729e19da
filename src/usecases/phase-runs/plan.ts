import { sizeOf, stateOf } from '../../domain/completion.js';
import { malformedBoxes } from '../../domain/criteria.js';
import type { IssueState } from '../../domain/state.js';
import { count } from '../../domain/words/figures.js';
import type { PhaseResult } from '../phase-result.js';
import { issueSchema, judgeIssue, renderIssue } from '../phases/issue.js';
import { judgeSpec, renderSpec, type SpecContext, specSchema } from '../phases/spec.js';
import {
  type Desk,
  notAccepted,
  phaseContext,
  runAgent,
  withClone,
  withoutResult,
  type Workbench,
} from './workbench.js';

/* The two phases that only read: triage and spec. */

export async function runIssue(bench: Workbench): Promise<PhaseResult> {
  const context = await phaseContext(bench);
  // No agent can know what somebody meant by a command that cannot be read.
  const unreadable = malformedBoxes(context.issue.body);
  if (unreadable.length > 0) return { kind: 'needs-human', code: 'verify-malformed', because: unreadable.join(' ') };
  return withClone(bench, 'work', bench.snapshot.base.head, async (clone) => {
    const outcome = await runAgent(bench, clone, {
      prompt: renderIssue(context),
      schema: issueSchema,
      nonce: context.nonce,
    });
    if (outcome.kind !== 'succeeded') return withoutResult(outcome);
    const judgement = judgeIssue(outcome.result, context);
    if (judgement.kind !== 'accepted') return notAccepted(bench, judgement);
    const { value: triage, handoff } = judgement;
    const next = (state: IssueState): IssueState => ({
      ...state,
      handoff,
      progress: { ...state.progress, triage, spec: null },
    });
    return {
      kind: 'done',
      next,
      because: `size ${triage.size}, ${count(triage.criteria.length, 'criterion', 'criteria')}`,
    };
  });
}

/** `null` before triage. */
export async function specContext(desk: Desk): Promise<SpecContext | null> {
  const { triage } = stateOf(desk.snapshot).progress;
  if (triage === null) return null;
  return { ...(await phaseContext(desk)), triage, size: sizeOf(desk.snapshot) ?? triage.size };
}

export async function runSpec(bench: Workbench): Promise<PhaseResult> {
  const context = await specContext(bench);
  if (context === null) throw new Error('a spec needs a triage');
  const { triage } = context;
  return withClone(bench, 'work', bench.snapshot.base.head, async (clone) => {
    const outcome = await runAgent(bench, clone, {
      prompt: renderSpec(context),
      schema: specSchema,
      nonce: context.nonce,
    });
    if (outcome.kind !== 'succeeded') return withoutResult(outcome);
    const judgement = judgeSpec(outcome.result, context);
    if (judgement.kind !== 'accepted') return notAccepted(bench, judgement);
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
      because: `${count(value.spec.steps.length, 'step')} in ${count(value.spec.files.length, 'file')}${resized}`,
    };
  });
}
