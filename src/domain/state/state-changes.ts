import type { IssueState, Transition } from './state.js';

/** Older ones are given up: their host is not coming back. */
const KEPT_UNCOUNTED = 10;

/** The lease is taken from whoever held it and has not concluded: what that run cost is still to be counted. */
export function withoutLease(state: IssueState): IssueState {
  const { lease, uncounted } = state;
  if (lease === null) return state;
  return { ...state, lease: null, uncounted: [...uncounted, lease.phaseRun].slice(-KEPT_UNCOUNTED) };
}

/** What a run that was cut off had cost, counted once however often it is told; `null` when there is nothing to count. */
export function withLateCost(state: IssueState, phaseRun: string, costUsd: number): IssueState | null {
  const { uncounted, spentUsd } = state;
  if (!uncounted.includes(phaseRun)) return null;
  return { ...state, spentUsd: spentUsd + costUsd, uncounted: uncounted.filter((one) => one !== phaseRun) };
}

const KEPT_TRANSITIONS = 80;

/** Adds to the story; the oldest lines go first, the very first stays. */
export function withTransition(state: IssueState, transition: Transition): IssueState {
  const [first, ...rest] = [...state.transitions, transition];
  const kept = rest.slice(-(KEPT_TRANSITIONS - 1));
  return { ...state, transitions: first === undefined ? kept : [first, ...kept] };
}
