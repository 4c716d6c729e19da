import type { Phase } from '../issue/phase.js';
import { phasesOf, type Route, routeOf } from '../issue/route.js';
import { effectiveSize } from '../issue/given-size.js';
import type { Size } from '../issue/size.js';
import type { IssueSnapshot, PullFacts } from './snapshot.js';
import { EMPTY_STATE, type IssueState, type Spec, type Triage } from './state.js';
import type { Instant } from '../issue/instant.js';
import type { Oid } from '../issue/ids.js';

/* What counts as done, phase by phase: evidence for the exact thing, never an exit code or a claim. */

export function stateOf({ reading }: IssueSnapshot): IssueState {
  if (reading.kind === 'valid') return reading.state;
  // Whoever starts afresh goes on counting: what was written before must stay older than what is written now.
  return reading.known === undefined ? EMPTY_STATE : { ...EMPTY_STATE, epoch: reading.known.epoch };
}

/** The issue as if it had this state. Nothing with this state was written, so its commit stands for none. */
export function withState(snapshot: IssueSnapshot, state: IssueState): IssueSnapshot {
  return { ...snapshot, reading: { kind: 'valid', state, oid: snapshot.base.head } };
}

/** The size that counts. Only the state says it: labels and boards can be changed by people who may not ask for a run. */
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

/** The spec, if it was written for the criteria as they are now. */
export function specOf(snapshot: IssueSnapshot): Spec | null {
  const { triage, spec } = stateOf(snapshot).progress;
  return spec !== null && triage !== null && spec.criteriaHash === triage.criteriaHash ? spec : null;
}

/** A permitted person's label says that the issue is ready for code as it stands. */
function isSpecWaived(snapshot: IssueSnapshot): boolean {
  const waiver = stateOf(snapshot).run?.waiver ?? null;
  return waiver !== null && waiver.phase !== 'issue' && waiver.phase !== 'spec';
}

/** The issue's pull request, unless an earlier iteration or an earlier life of the issue owns it. */
export function currentPull(snapshot: IssueSnapshot): PullFacts | null {
  const { pull } = snapshot;
  const { pull: recorded, supersededPr } = stateOf(snapshot).progress;
  if (pull === null || pull.number <= supersededPr) return null;
  const reopened = lastReopenedAt(snapshot);
  // One that is written down is ours through a reopening of the issue, unless it had ended by then.
  const since = recorded?.id === pull.id ? pull.closedAt : pull.createdAt;
  return reopened !== null && since !== null && since < reopened ? null : pull;
}

/** Work was pushed and GitHub does not show its pull request: nobody can tell whether it has been merged by now. */
export function isPullUnread(snapshot: IssueSnapshot): boolean {
  const { pull: recorded, pushed, supersededPr } = stateOf(snapshot).progress;
  if (recorded !== null) return snapshot.pull === null;
  return pushed !== null && snapshot.pullsCut && (snapshot.pull?.number ?? 0) <= supersededPr;
}

/** The commit on base that holds the work: a merged pull request's, or the one we pushed ourselves. */
export function landedCommit(snapshot: IssueSnapshot): { readonly oid: Oid; readonly at: Instant } | null {
  const pull = currentPull(snapshot);
  // One that somebody pointed elsewhere at the last moment has landed there, not here.
  if (pull?.state === 'merged' && pull.mergeCommit !== null && pull.baseRef === snapshot.base.ref)
    return { oid: pull.mergeCommit, at: pull.mergedAt ?? snapshot.readAt };
  const { landed } = stateOf(snapshot).progress;
  if (landed === null || snapshot.base.holdsLanded !== true) return null;
  const reopened = lastReopenedAt(snapshot);
  return reopened !== null && landed.at < reopened ? null : landed;
}

/** Where the work branch stands if all of it has landed: from then on it can only mislead. */
export function landedWorkHead(snapshot: IssueSnapshot): Oid | null {
  const { landed } = stateOf(snapshot).progress;
  if (landed?.work !== undefined && landed.work === snapshot.workHead && snapshot.base.holdsLanded === true)
    return landed.work;
  const pull = currentPull(snapshot);
  return pull?.state === 'merged' && pull.head === snapshot.workHead ? pull.head : null;
}

/**
 * The commit the next code run goes on from: what is on the work branch, whoever put it there. Where the branch is gone, the last
 * commit that was on it. `null`: from base.
 */
export function workStart(snapshot: IssueSnapshot): Oid | null {
  const { startsOver, wip, fix, pushed, ready } = stateOf(snapshot).progress;
  if (startsOver) return null;
  if (snapshot.workHead !== null) return landedWorkHead(snapshot) === null ? snapshot.workHead : null;
  return ready?.commit ?? wip ?? fix?.head ?? pushed?.head ?? null;
}

/** Commits of ours that are or were on the work branch, or wait to get there; the one that was pushed first. */
export function ownWork(snapshot: IssueSnapshot): readonly Oid[] {
  const { pushed, ready, wip } = stateOf(snapshot).progress;
  return [...new Set([pushed?.head, ready?.commit, wip])].filter((oid) => oid !== undefined && oid !== null);
}

/** Our review of exactly this head. */
export function reviewOf(snapshot: IssueSnapshot, head: Oid) {
  const { review } = stateOf(snapshot).progress;
  return review?.head === head ? review : null;
}

/** Who lets this head through in spite of what our review of it found. */
export function overrulingOf(snapshot: IssueSnapshot, head: Oid) {
  const { overruled } = stateOf(snapshot).progress;
  return overruled?.head === head && reviewOf(snapshot, head)?.verdict === 'fix' ? overruled : null;
}

/** Nothing our review found keeps this head from being merged. */
export const isReviewed = (snapshot: IssueSnapshot, head: Oid): boolean =>
  reviewOf(snapshot, head)?.verdict === 'pass' || overrulingOf(snapshot, head) !== null;

/** Our verification of exactly this commit. */
export function verificationOf(snapshot: IssueSnapshot, oid: Oid) {
  const { verify } = stateOf(snapshot).progress;
  return verify?.oid === oid ? verify : null;
}

/** Landed and found good, and not reopened since. */
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

/** The phase in progress or next: the first whose evidence is missing. This is what the `phase/*` label ought to say. */
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
