import { routeFor, specOf, stateOf } from '../../../domain/state/evidence.js';
import { pullTitle } from '../../../domain/render/pull-request/pull-text.js';
import type { Oid } from '../../../domain/issue/ids.js';
import type { Triage } from '../../../domain/state/state.js';
import { type Clone, OffLimitsError, WorkspaceError } from '../../../ports/workspace.js';
import type { PhaseResult } from '../phase-result.js';
import {
  type CodeContext,
  type CodeFacts,
  codeSchema,
  isBlocked,
  judgeCode,
  findProblems,
  renderCode,
} from './judge-code.js';
import { checkCommit } from './check-commit.js';
import { findStart } from './find-start.js';
import { holdWork } from './hold-work.js';
import { type GoodWork, keepForFix, landPatch, pushWork } from './land-patch.js';
import { saveUnfinishedWork, keepUnfinishedWork } from './unfinished-work.js';
import { resultOfJudgement, resultOfOutcome } from '../agent-result.js';
import { checkCriteria } from '../check-criteria.js';
import { type PromptInputs, phaseContext } from '../phase-context.js';
import { withClone, type PhaseRun } from '../phase-run.js';
import { runAgent } from '../run-agent.js';

/** `null` before triage. */
export async function codeContext(inputs: PromptInputs): Promise<CodeContext | null> {
  const { snapshot, engine } = inputs;
  const { triage, fix } = stateOf(snapshot).progress;
  if (triage === null) return null;
  const { at: start, aside, held } = await findStart(engine, snapshot);
  const route = routeFor(snapshot).kind;
  return { ...(await phaseContext(inputs)), triage, spec: specOf(snapshot), route, start, fix, aside, held };
}

/** Runs the agent, checks its commit, and lands or pushes it together with the state. */
export async function runCode(run: PhaseRun, context: CodeContext): Promise<PhaseResult> {
  const ready = await findReadyWork(run, context);
  if (ready !== null) return landReadyWork(run, context, ready);
  const { triage, start } = context;
  const written = await withClone(run, 'work', start, async (clone) => {
    const outcome = await runAgent(run, clone, {
      prompt: renderCode(context),
      schema: codeSchema,
      nonce: context.nonce,
      missing: (result) => missingWork(run, clone, result),
    });
    if (outcome.kind === 'no-op' && (await holdsAlready(run, clone, triage))) return NOTHING_TO_DO;
    if (outcome.kind !== 'succeeded') {
      const isFull = outcome.kind === 'failed' && outcome.cause === 'limits';
      const commit = await saveUnfinishedWork(run, clone, isFull ? 'essentials' : 'all');
      return keepUnfinishedWork(run, resultOfOutcome(outcome), commit === null ? null : { commit, start });
    }
    const collected = await collectWork(run, clone);
    const commit = collected instanceof OffLimitsError ? collected.commit : collected;
    if (commit !== null) run.commits.push(commit);
    if (collected instanceof OffLimitsError) return holdWork(run, collected, outcome.result);
    return { kind: 'written', commit: collected, outcome } as const;
  });
  if (written.kind !== 'written') return written;
  const { commit, outcome } = written;
  const facts = commit === null ? NOTHING_WRITTEN : await checkCommit(run, commit, context);
  const judgement = judgeCode(outcome.result, facts);
  if (judgement.kind === 'rejected' && commit !== null) return keepForFix(run, { commit, start }, judgement.reasons);
  if (judgement.kind !== 'accepted') return resultOfJudgement(judgement);
  const { value, handoff } = judgement;
  return land(run, context, { ...value, start, handoff, triage, test: context.test });
}

const NOTHING_WRITTEN: CodeFacts = { commit: null, test: null, results: [] };

/** Work that passed before and only has to be delivered: it could not be pushed, or its branch is gone. */
async function findReadyWork({ engine, snapshot }: PhaseRun, context: CodeContext): Promise<GoodWork | null> {
  const { start, triage, test } = context;
  const { handoff, progress } = stateOf(snapshot);
  const { ready, pushed, fix, wip } = progress;
  const around = { start, handoff, triage, test };
  if (ready !== null) {
    const isInStart = await engine.gitHost.contains(snapshot.ref, start, ready.commit);
    return isInStart ? { ...around, ...ready, commit: start } : null;
  }
  if (pushed === null || fix !== null || wip !== null || snapshot.workHead !== null || start === snapshot.base.head)
    return null;
  return { ...around, commit: start, title: pullTitle(snapshot), summary: pushed.summary };
}

/** Tests ready work again, since base or the branch may have moved, and lands it. */
async function landReadyWork(run: PhaseRun, context: CodeContext, work: GoodWork): Promise<PhaseResult> {
  const problems = findProblems(await checkCommit(run, work.commit, context));
  return problems.length === 0 ? land(run, context, work) : keepForFix(run, work, problems);
}

async function land(run: PhaseRun, { route }: CodeContext, work: GoodWork): Promise<PhaseResult> {
  run.engine.log.info({ commit: work.commit, route }, 'work passed our checks');
  return route === 'patch' ? landPatch(run, work) : pushWork(run, work);
}

const NOTHING_TO_DO: PhaseResult = {
  kind: 'needs-human',
  code: 'nothing-to-do',
  because: 'the agent changed nothing, and every criterion holds without a change',
};

/** Whether commands, not the agent, show that the criteria hold already. */
async function holdsAlready(run: PhaseRun, clone: Clone, { criteria }: Triage): Promise<boolean> {
  if (criteria.some(({ verify }) => verify === null)) return false;
  const results = await checkCriteria(run, clone, criteria);
  return results.every(({ verdict }) => verdict === 'PASS');
}

const collectWork = ({ snapshot, signal }: PhaseRun, clone: Clone): Promise<Oid | OffLimitsError | null> =>
  clone.collect(`Work on #${snapshot.ref.number}`, signal).catch((error: unknown) => {
    if (error instanceof OffLimitsError) return error;
    throw error;
  });

/** Why a result counts as no work: it has neither a commit nor a reason for having none. */
async function missingWork(run: PhaseRun, clone: Clone, result: unknown): Promise<string | null> {
  if (isBlocked(result)) return null;
  try {
    return (await collectWork(run, clone)) === null ? 'no commit and no change in the checkout' : null;
  } catch (error) {
    // There is work, but it is refused. The refusal is reported after the agent has ended: another try would not help.
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}
