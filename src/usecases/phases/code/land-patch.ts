import { approvedOnly } from '../../../domain/state/unasked-work.js';
import { type Oid, shortOid } from '../../../domain/issue/ids.js';
import { patchMessage } from '../../../domain/render/pull-request/pull-text.js';
import type { IssueState, Triage } from '../../../domain/state/state.js';
import type { Handoff } from '../../../domain/agent/handoff.js';
import type { ReadyWork } from '../../../domain/state/kept-work.js';
import { routeFor, stateOf } from '../../../domain/state/evidence.js';
import { confirmLanding } from '../../reconcile/confirm-landing.js';
import { failedResult, type Obstacle, type PhaseResult } from '../phase-result.js';
import { findProblems } from './judge-code.js';
import { checkCommit, testsPassOn } from './check-commit.js';
import { deliverWork, type Delivery } from './work-branch.js';
import type { PhaseRun } from '../phase-run.js';

/** Work that passed our checks, and what it was checked against. */
export interface GoodWork extends ReadyWork {
  /** The commit it started from. */
  readonly start: Oid;
  readonly handoff: Handoff | null;
  readonly triage: Triage;
  /** The repository's test command. */
  readonly test: string | null;
}

/** How often base may move under a patch before the patch is left to the next read. */
const MOST_LANDINGS = 5;

/** Pull request route: the work branch and the state move together. */
export async function pushWork(run: PhaseRun, work: GoodWork, pullReason?: string): Promise<PhaseResult> {
  const { snapshot } = run;
  const { title, summary, handoff } = work;
  const why = pullReason === undefined ? {} : { pullReason };
  // The snapshot is from before the run. The wait for checks starts now.
  const pushedAt = () => snapshot.readAt + Math.max(0, run.engine.clock.steady() - snapshot.knownAt);
  const done = (head: Oid): PhaseResult => ({
    kind: 'done',
    because: `pushed ${shortOid(head)}: ${title}`,
    next: (state) => ({
      ...state,
      handoff,
      progress: {
        ...state.progress,
        ...why,
        held: approvedOnly(state.progress.held),
        pushed: { head, base: snapshot.base.head, summary, at: pushedAt() },
        fix: null,
        wip: null,
        ready: null,
        startsOver: false,
      },
    }),
  });
  const onBranch = async (head: Oid, isNew: boolean): Promise<PhaseResult> => {
    if (!isNew) return done(head);
    // Merged with somebody else's commits it is a different tree, so it is tested again.
    const problems = findProblems(await checkCommit(run, head, work));
    return problems.length === 0 ? done(head) : keepForFix(run, { commit: head, start: work.start }, problems);
  };
  return deliverWork(run, readyDelivery(work, onBranch, neverRanResult('GitHub does not take the push now')));
}

/** Pushes work that failed its checks to the branch, so that the next attempt continues from it. */
export async function keepForFix(
  run: PhaseRun,
  work: Pick<Delivery, 'commit' | 'start'>,
  reasons: readonly string[],
  source: 'tests' | 'conflict' = 'tests',
): Promise<PhaseResult> {
  const because = `${shortOid(work.commit)} is not good enough: ${reasons[0]?.split('\n')[0] ?? ''}`;
  const remember = (state: IssueState, head: Oid): IssueState => ({
    ...state,
    progress: {
      ...state.progress,
      fix: { source, head, items: reasons },
      wip: null,
      ready: null,
      startsOver: false,
    },
  });
  return deliverWork(run, {
    ...work,
    remember,
    apart: failedResult(because, []),
    onBranch: (head) => ({ ...failedResult(because, []), next: (state) => remember(state, head) }),
  });
}

/** Patch route: one commit on the tip of base, tested as it lands, fast-forwarded together with the state. */
export async function landPatch(run: PhaseRun, work: GoodWork, landings = 0): Promise<PhaseResult> {
  const { engine, snapshot } = run;
  const { ref, base } = snapshot;
  const baseRef = `refs/heads/${base.ref}`;
  const tip = (await engine.gitHost.fetch(ref, [baseRef])).get(baseRef);
  if (tip === undefined) return keepReady(run, work, neverRanResult(`${base.ref} is gone`));
  const message = patchMessage(snapshot, `${work.title}\n\n${work.summary}`);
  const squashed = await engine.gitHost.squash(ref, { tip: work.commit, onto: tip, message });
  if (squashed === null)
    return keepForFix(run, work, [`It conflicts with what has landed on ${base.ref} since.`], 'conflict');
  const { oid, isSameTree } = squashed;
  const problems = isSameTree ? [] : findProblems(await checkCommit(run, oid, work));
  if (problems.length > 0)
    return keepForFix(run, work, [`It does not hold on top of what has landed on ${base.ref} since.`, ...problems]);
  const unguarded = landings === 0 ? await missingGuard(run, work, tip) : null;
  if (unguarded !== null) return pushWork(run, work, unguarded);
  // Read everything once more before a write that cannot be undone.
  const obstacle = await findLandingObstacle(run);
  if (obstacle !== null) return keepReady(run, work, { kind: 'stopped', because: obstacle });
  return {
    kind: 'done',
    because: `landed ${shortOid(oid)}: ${work.title}`,
    next: await landedState(run, work, oid),
    work: work.commit,
    isConfirmed: true,
    alongside: [{ ref: baseRef, expected: tip, to: oid }],
    whenStuck: (obstacle) => retryPatch(run, work, obstacle, landings),
  };
}

async function landedState(
  { engine, snapshot }: PhaseRun,
  { commit, handoff }: GoodWork,
  oid: Oid,
): Promise<(state: IssueState) => IssueState> {
  const { ref, workHead, readAt } = snapshot;
  // Removes the work branch if the landed commit contains it. Later commits by others stay.
  const isSpent = workHead !== null && (await engine.gitHost.contains(ref, commit, workHead));
  const landed = { oid, at: readAt, ...(isSpent ? { work: workHead } : {}) };
  return (state) => ({
    ...state,
    handoff,
    progress: {
      ...state.progress,
      held: approvedOnly(state.progress.held),
      landed,
      fix: null,
      wip: null,
      ready: null,
      startsOver: false,
    },
  });
}

/** If base moved: squash and test again. If base refuses us: try a pull request. */
async function retryPatch(run: PhaseRun, work: GoodWork, obstacle: Obstacle, landings: number): Promise<PhaseResult> {
  const { ref } = run.snapshot.base;
  if (obstacle.kind === 'blocked') {
    if (landings < MOST_LANDINGS) return landPatch(run, work, landings + 1);
    return keepReady(run, work, neverRanResult(`${ref} moved ${landings + 1} times while the work was about to land`));
  }
  if (obstacle.isPassing)
    return keepReady(run, work, neverRanResult(`GitHub does not take the push to ${ref} now: ${obstacle.why}`));
  return pushWork(run, work, `GitHub refused the push to ${ref}: ${obstacle.why}`);
}

/** Why the patch may not land now, after everything was read again. */
async function findLandingObstacle({ engine, snapshot, phaseRun }: PhaseRun): Promise<string | null> {
  const confirmation = await confirmLanding(engine, {
    ref: snapshot.ref,
    phaseRun,
    isStill: (action) => action.kind === 'run' && action.phase === 'code',
  });
  if (confirmation.kind === 'changed') return `the work was about to land, but ${confirmation.because}`;
  const { snapshot: now } = confirmation;
  if (routeFor(now).kind !== 'patch') return 'the work was about to land, but it has to go through a pull request now';
  if (now.base.ref !== snapshot.base.ref)
    return `the work was about to land, but the base branch is ${now.base.ref} now`;
  const isSameText = stateOf(now).run?.authorised.hash === stateOf(snapshot).run?.authorised.hash;
  return isSameText ? null : 'the work was about to land, but the issue was edited';
}

/** Why no test would keep a bad change off base; `null` when one would. */
async function missingGuard(run: PhaseRun, { test }: GoodWork, tip: Oid): Promise<string | null> {
  if (test === null || (await testsPassOn(run, tip, test))) return null;
  return `the test command fails on ${run.snapshot.base.ref} itself (${shortOid(tip)}), so it guards nothing`;
}

/** Keeps good work that may not land now on its branch. Later it can land without an agent. */
async function keepReady(run: PhaseRun, work: GoodWork, result: PhaseResult): Promise<PhaseResult> {
  const onBranch = (head: Oid): PhaseResult => ({ ...result, next: (state) => rememberReady(work)(state, head) });
  return deliverWork(run, readyDelivery(work, onBranch, result));
}

const neverRanResult = (because: string): PhaseResult => ({ kind: 'never-ran', because });

function readyDelivery(work: GoodWork, onBranch: Delivery['onBranch'], apart: PhaseResult): Delivery {
  const { commit, start } = work;
  return { commit, start, onBranch, apart, remember: rememberReady(work) };
}

const rememberReady =
  ({ title, summary, handoff }: GoodWork) =>
  (state: IssueState, commit: Oid): IssueState => ({
    ...state,
    handoff,
    progress: {
      ...state.progress,
      ready: { commit, title, summary },
      fix: null,
      wip: null,
      startsOver: false,
    },
  });
