import type { Phase } from '../issue/phase.js';
import { phasesOf, type Route, routeOf } from '../issue/route.js';
import { effectiveSize } from '../issue/given-size.js';
import type { Size } from '../issue/size.js';
import type { IssueSnapshot, PullFacts } from './snapshot.js';
import { EMPTY_STATE, type IssueState, type Spec, type Triage } from './state.js';
import type { Instant } from '../issue/instant.js';
import type { Oid } from '../issue/ids.js';

/* What proves that a phase is done: evidence about exact commits and texts, never an exit code or a claim. */

export function stateOf({ reading }: IssueSnapshot): IssueState {
  if (reading.kind === 'valid') return reading.state;
  // A fresh start continues the epoch count, so that earlier states stay older than the new ones.
  return reading.known === undefined ? EMPTY_STATE : { ...EMPTY_STATE, epoch: reading.known.epoch };
}

/** The issue as if it had this state. The state was not written, so its `oid` is only a placeholder. */
export function withState(snapshot: IssueSnapshot, state: IssueState): IssueSnapshot {
  return { ...snapshot, reading: { kind: 'valid', state, oid: snapshot.base.head } };
}

/** The size that counts. It comes from the state only, because people without permission can change labels and boards. */
export function sizeOf(snapshot: IssueSnapshot): Size | null {
  const { run, progress } = stateOf(snapshot);
  const found = progress.triage?.size ?? null;
  return run === null ? found : effectiveSize(run, found);
}

export function routeFor(snapshot: IssueSnapshot): Route {
  const { run, progress } = stateOf(snapshot);
  const { pullReason } = progress;
  return routeOf({
    size: sizeOf(snapshot),
    options: run?.options ?? {},
    baseProtected: snapshot.base.protected,
    pullReason,
  });
}

export function lastReopenedAt(snapshot: IssueSnapshot): Instant | null {
  return snapshot.events.findLast((event) => event.kind === 'reopened')?.at ?? null;
}

export function triageOf(snapshot: IssueSnapshot): Triage | null {
  return stateOf(snapshot).progress.triage;
}

/** The spec, if it was written for the current criteria. */
export function specOf(snapshot: IssueSnapshot): Spec | null {
  const { triage, spec } = stateOf(snapshot).progress;
  return spec !== null && triage !== null && spec.criteriaHash === triage.criteriaHash ? spec : null;
}

/** A permitted person's label says that the issue is ready for code as it is. */
function isSpecWaived(snapshot: IssueSnapshot): boolean {
  const waiver = stateOf(snapshot).run?.waiver ?? null;
  return waiver !== null && waiver.phase !== 'issue' && waiver.phase !== 'spec';
}

/** The issue's pull request, unless it belongs to an earlier iteration or to the time before the issue was reopened. */
export function currentPull(snapshot: IssueSnapshot): PullFacts | null {
  const { pull } = snapshot;
  const { pull: recorded, supersededPr } = stateOf(snapshot).progress;
  if (pull === null || pull.number <= supersededPr) return null;
  const reopened = lastReopenedAt(snapshot);
  // A recorded pull request stays ours after the issue is reopened, unless it was closed before.
  const since = recorded?.id === pull.id ? pull.closedAt : pull.createdAt;
  return reopened !== null && since !== null && since < reopened ? null : pull;
}

/** Work was pushed, but GitHub does not show its pull request, so it may have been merged. */
export function isPullUnread(snapshot: IssueSnapshot): boolean {
  const { pull: recorded, pushed, supersededPr } = stateOf(snapshot).progress;
  if (recorded !== null) return snapshot.pull === null;
  return pushed !== null && snapshot.pullsCut && (snapshot.pull?.number ?? 0) <= supersededPr;
}

/** The commit on base that contains the work: a merged pull request's, or the one we pushed ourselves. */
export function landedCommit(snapshot: IssueSnapshot): { readonly oid: Oid; readonly at: Instant } | null {
  const pull = currentPull(snapshot);
  // If somebody changed the pull request's base before the merge, the work has not landed here.
  if (pull?.state === 'merged' && pull.mergeCommit !== null && pull.baseRef === snapshot.base.ref)
    return { oid: pull.mergeCommit, at: pull.mergedAt ?? snapshot.readAt };
  const { landed } = stateOf(snapshot).progress;
  if (landed === null || snapshot.base.holdsLanded !== true) return null;
  const reopened = lastReopenedAt(snapshot);
  return reopened !== null && landed.at < reopened ? null : landed;
}

/** The head of the work branch if all of it has landed. It is then no longer a start for new work. */
export function landedWorkHead(snapshot: IssueSnapshot): Oid | null {
  const { landed } = stateOf(snapshot).progress;
  if (landed?.work !== undefined && landed.work === snapshot.workHead && snapshot.base.holdsLanded === true)
    return landed.work;
  const pull = currentPull(snapshot);
  return pull?.state === 'merged' && pull.head === snapshot.workHead ? pull.head : null;
}

/**
 * The commit the next code run starts from: the head of the work branch, whoever pushed it. If the branch is gone, the last
 * commit that was on it. `null`: from base.
 */
export function workStart(snapshot: IssueSnapshot): Oid | null {
  const { startsOver, wip, fix, pushed, ready } = stateOf(snapshot).progress;
  if (startsOver) return null;
  if (snapshot.workHead !== null) return landedWorkHead(snapshot) === null ? snapshot.workHead : null;
  return ready?.commit ?? wip ?? fix?.head ?? pushed?.head ?? null;
}

/** Our commits that are or were on the work branch, or wait to be pushed. The pushed one comes first. */
export function ownWork(snapshot: IssueSnapshot): readonly Oid[] {
  const { pushed, ready, wip } = stateOf(snapshot).progress;
  return [...new Set([pushed?.head, ready?.commit, wip])].filter((oid) => oid !== undefined && oid !== null);
}

/** Our review of exactly this head. */
export function reviewOf(snapshot: IssueSnapshot, head: Oid) {
  const { review } = stateOf(snapshot).progress;
  return review?.head === head ? review : null;
}

/** Who overruled our review of this head; `null` when nobody did. */
export function overrulingOf(snapshot: IssueSnapshot, head: Oid) {
  const { overruled } = stateOf(snapshot).progress;
  return overruled?.head === head && reviewOf(snapshot, head)?.verdict === 'fix' ? overruled : null;
}

/** Our review passed this head, or a person overruled it. */
export const isReviewed = (snapshot: IssueSnapshot, head: Oid): boolean =>
  reviewOf(snapshot, head)?.verdict === 'pass' || overrulingOf(snapshot, head) !== null;

/** Our verification of exactly this commit. */
export function verificationOf(snapshot: IssueSnapshot, oid: Oid) {
  const { verify } = stateOf(snapshot).progress;
  return verify?.oid === oid ? verify : null;
}

/** Landed and verified, and not reopened since. */
export function isDone(snapshot: IssueSnapshot): boolean {
  const { done } = stateOf(snapshot).progress;
  const reopened = lastReopenedAt(snapshot);
  return done !== null && (reopened === null || done.at >= reopened);
}

/** Somebody asked for a run, and it has neither ended nor stopped. */
export function isRunning(snapshot: IssueSnapshot): boolean {
  const { run, halt } = stateOf(snapshot);
  return run !== null && halt === null && !isDone(snapshot);
}

/** The phase in progress or next: the first whose evidence is missing. The `phase/*` label should show it. */
export function currentPhase(snapshot: IssueSnapshot): Exclude<Phase, 'ready'> {
  if (isDone(snapshot)) return 'done';
  if (triageOf(snapshot) === null) return 'issue';
  const route = routeFor(snapshot);
  const wantsSpec = phasesOf(route, sizeOf(snapshot)).includes('spec') && !isSpecWaived(snapshot);
  if (wantsSpec && specOf(snapshot) === null) return 'spec';
  if (landedCommit(snapshot) !== null) return 'verify';
  const pull = currentPull(snapshot);
  const { fix, wip, pushed } = stateOf(snapshot).progress;
  if (route.kind !== 'pr' || fix !== null || wip !== null || pushed === null || pull === null) return 'code';
  return isReviewed(snapshot, pull.head) ? 'merge' : 'review';
}
