import { routeFor, specOf, stateOf } from '../../domain/completion.js';
import type { Oid } from '../../domain/ids.js';
import { patchMessage } from '../../domain/pull-text.js';
import type { FixRequest, IssueState, Triage } from '../../domain/state.js';
import type { Clone } from '../../ports/workspace.js';
import { failed, type PhaseResult } from '../phase-result.js';
import {
  type CodeContext,
  type CodeFacts,
  codeSchema,
  isBlocked,
  judgeCode,
  type JudgedCode,
  renderCode,
} from '../phases/code.js';
import type { Judgement } from '../phases/judgement.js';
import { rescue, withWork, workPush } from './unfinished.js';
import {
  checkCriteria,
  type Desk,
  notAccepted,
  phaseContext,
  runAgent,
  withClone,
  withoutResult,
  type Workbench,
} from './workbench.js';

/** `null` before triage. */
export async function codeContext(desk: Desk): Promise<CodeContext | null> {
  const { snapshot } = desk;
  const { triage, fix, wip } = stateOf(snapshot).progress;
  if (triage === null) return null;
  const start = wip ?? fix?.head ?? snapshot.base.head;
  const route = routeFor(snapshot).kind;
  return { ...(await phaseContext(desk)), triage, spec: specOf(snapshot), route, start, fix };
}

/** Has the change written, checks it on the exact commit, and lands or pushes it together with the state. */
export async function runCode(bench: Workbench): Promise<PhaseResult> {
  const { snapshot, engine } = bench;
  const context = await codeContext(bench);
  if (context === null) throw new Error('code needs a triage');
  const { triage, route, start } = context;
  const written = await withClone(bench, 'work', start, async (clone) => {
    const outcome = await runAgent(bench, clone, {
      prompt: renderCode(context),
      schema: codeSchema,
      nonce: context.nonce,
      missing: (result) => missingWork(bench, clone, result),
    });
    if (outcome.kind === 'no-op' && (await holdsAlready(bench, clone, triage))) return NOTHING_TO_DO;
    if (outcome.kind !== 'succeeded') return withWork(bench, withoutResult(outcome), await rescue(bench, clone));
    const commit = await clone.collect(`Work on #${snapshot.ref.number}`, bench.signal);
    return { kind: 'written', commit, outcome } as const;
  });
  if (written.kind !== 'written') return written;
  const facts = await checked(bench, written.commit, triage, context.test);
  const judgement = judgeCode(written.outcome.result, facts);
  if (judgement.kind === 'rejected' && written.commit !== null) return kept(bench, written.commit, judgement.reasons);
  if (judgement.kind !== 'accepted') return notAccepted(bench, judgement);
  engine.log.info({ commit: judgement.value.commit, route }, 'work is good on our side');
  return route === 'patch' ? landPatch(bench, judgement, triage, context.test) : pushWork(bench, judgement);
}

const NOTHING_TO_DO: PhaseResult = {
  kind: 'needs-human',
  code: 'nothing-to-do',
  because: 'the agent changed nothing, and every criterion holds without a change',
};

/** Whether commands, not the agent, say that all that is asked for is there already. */
async function holdsAlready(bench: Workbench, clone: Clone, { criteria }: Triage): Promise<boolean> {
  if (criteria.some(({ verify }) => verify === null)) return false;
  const results = await checkCriteria(bench, clone, criteria);
  return results.every(({ verdict }) => verdict === 'PASS');
}

/** A result without a commit or a change is no work, unless it says why there is none. */
async function missingWork({ snapshot, signal }: Workbench, clone: Clone, result: unknown): Promise<string | null> {
  if (isBlocked(result)) return null;
  const commit = await clone.collect(`Work on #${snapshot.ref.number}`, signal);
  return commit === null ? 'no commit and no change in the checkout' : null;
}

/** The repository's tests and the pre-merge criteria, in a clean clone of exactly this commit. */
async function checked(bench: Workbench, commit: Oid | null, triage: Triage, test: string | null): Promise<CodeFacts> {
  if (commit === null) return { commit, test: null, results: [] };
  return withClone(bench, 'check', commit, async (clone) => ({
    commit,
    test: test === null ? null : await clone.run(test, bench.signal),
    results: await checkCriteria(
      bench,
      clone,
      triage.criteria.filter(({ stage }) => stage === 'pre-merge'),
    ),
  }));
}

type Accepted = Extract<Judgement<JudgedCode>, { kind: 'accepted' }>;

/** Pull request route: the work branch and the state move together. */
function pushWork({ snapshot }: Workbench, { value, handoff }: Accepted): PhaseResult {
  const pushed = { head: value.commit, base: snapshot.base.head, summary: value.summary, at: snapshot.readAt };
  const next = (state: IssueState): IssueState => ({
    ...state,
    handoff,
    progress: { ...state.progress, pushed, fix: null, wip: null },
  });
  return {
    kind: 'done',
    next,
    because: `pushed ${value.commit.slice(0, 7)}: ${value.title}`,
    alongside: [workPush(snapshot, value.commit)],
  };
}

/** Patch route: one commit on the tip of base, tested there if base has moved, fast-forwarded together with the state. */
async function landPatch(
  bench: Workbench,
  { value, handoff }: Accepted,
  triage: Triage,
  test: string | null,
): Promise<PhaseResult> {
  const { engine, snapshot } = bench;
  const baseRef = `refs/heads/${snapshot.base.ref}`;
  const tip = (await engine.gitHost.fetch(snapshot.ref, [baseRef])).get(baseRef);
  if (tip === undefined) return failed(`${snapshot.base.ref} is gone`, []);
  const message = patchMessage(snapshot, `${value.title}\n\n${value.summary}`);
  const oid = await engine.gitHost.squash(snapshot.ref, {
    tip: value.commit,
    from: snapshot.base.head,
    onto: tip,
    message,
  });
  if (oid === null)
    return kept(bench, value.commit, [`It conflicts with what has landed on ${snapshot.base.ref} since.`]);
  if (tip !== snapshot.base.head) {
    const again = await checked(bench, oid, triage, test);
    const broken = again.test?.passed === false || again.results.some(({ verdict }) => verdict === 'FAIL');
    if (broken)
      return kept(bench, value.commit, [`It does not hold on top of what has landed on ${snapshot.base.ref} since.`]);
  }
  // Work that was kept on its branch is in it now; what somebody else put there is not.
  const { fix, wip } = stateOf(snapshot).progress;
  const work = snapshot.workHead !== null && snapshot.workHead === (wip ?? fix?.head) ? snapshot.workHead : undefined;
  const landed = { oid, at: snapshot.readAt, ...(work === undefined ? {} : { work }) };
  const next = (state: IssueState): IssueState => ({
    ...state,
    handoff,
    progress: { ...state.progress, landed, fix: null, wip: null },
  });
  return {
    kind: 'done',
    next,
    because: `landed ${oid.slice(0, 7)}: ${value.title}`,
    alongside: [{ ref: baseRef, expected: tip, to: oid }],
  };
}

/** Not good enough yet: the work goes to its branch so that nothing is lost, and the next attempt goes on from it. */
function kept({ snapshot }: Workbench, commit: Oid, reasons: readonly string[]): PhaseResult {
  const fix: FixRequest = { source: 'tests', head: commit, items: reasons };
  const next = (state: IssueState): IssueState => ({ ...state, progress: { ...state.progress, fix, wip: null } });
  const because = `${commit.slice(0, 7)} is not good enough: ${reasons[0]?.split('\n')[0] ?? ''}`;
  return { ...failed(because, []), next, alongside: [workPush(snapshot, commit)] };
}
