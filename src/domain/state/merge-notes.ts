import type { Oid } from '../issue/ids.js';
import type { IssueState } from './state.js';
import type { Instant } from '../issue/instant.js';

/* What the state remembers about a merge that has not gone through yet. */

/** The last merge of a head that GitHub refused, and when it may be tried again. */
export interface MergeRefusal {
  readonly head: Oid;
  /** GitHub's own words. */
  readonly why: string;
  /** Refusals in a row because a branch was just being moved. They do not count as failed tries. */
  readonly moved: number;
  readonly notBefore: Instant;
}

/** Something GitHub usually reports within seconds, but has not. */
export interface Silence {
  readonly about: 'mergeability' | 'head' | 'pull';
  readonly head: Oid;
  readonly since: Instant;
}

/** A head of the pull request that we did not push, and when GitHub first showed it. Commit dates are not used, as authors set them. */
export interface ShownHead {
  readonly head: Oid;
  readonly at: Instant;
}

/** A merge GitHub has just refused. */
export interface RefusedMerge {
  readonly kind: 'moved' | 'refused';
  readonly head: Oid;
  readonly why: string;
  readonly at: Instant;
}

const SHORTEST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30_000;
const KEPT_WORDS = 1_000;

/** The state after a refusal. A refusal because of a moved branch does not count as a try. */
export function withMergeRefusal(state: IssueState, refused: RefusedMerge, issue: number): IssueState {
  const { head, why, at, kind } = refused;
  const { counters } = state;
  const before = state.refusal?.head === head ? state.refusal : null;
  const moved = kind === 'moved' ? (before?.moved ?? 0) + 1 : (before?.moved ?? 0);
  const mergeTries = kind === 'moved' ? Math.max(0, counters.mergeTries - 1) : counters.mergeTries;
  const notBefore = at + pauseAfter(moved + mergeTries, issue);
  return {
    ...state,
    counters: { ...counters, mergeTries },
    refusal: { head, why: why.slice(0, KEPT_WORDS), moved, notBefore },
  };
}

/** Longer each time, and different for each issue, so that runs that collided on a base branch do not collide again. */
function pauseAfter(refusals: number, issue: number): number {
  const share = ((issue * 7919 + refusals * 104_729) % 1_000) / 1_000;
  const pause = SHORTEST_PAUSE_MS * 2 ** (refusals - 1) * (1 + share / 2);
  return Math.min(LONGEST_PAUSE_MS, Math.round(pause));
}
