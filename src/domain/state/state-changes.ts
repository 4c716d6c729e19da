import type { IssueState, Transition } from './state.js';

/** Older ones are dropped: their host is probably gone. */
const KEPT_UNCOUNTED = 10;

/** Takes the lease away from a run that has not concluded. Its cost still has to be counted. */
export function withoutLease(state: IssueState): IssueState {
  const { lease, uncounted } = state;
  if (lease === null) return state;
  return { ...state, lease: null, uncounted: [...uncounted, lease.phaseRun].slice(-KEPT_UNCOUNTED) };
}

/** Adds the cost of an interrupted run, only once even if reported again; `null` when there is nothing to count. */
export function withLateCost(state: IssueState, phaseRun: string, costUsd: number): IssueState | null {
  const { uncounted, spentUsd } = state;
  if (!uncounted.includes(phaseRun)) return null;
  return { ...state, spentUsd: spentUsd + costUsd, uncounted: uncounted.filter((one) => one !== phaseRun) };
}

const KEPT_TRANSITIONS = 80;

/** Adds a transition. When there are too many, the oldest are dropped, except the very first. */
export function withTransition(state: IssueState, transition: Transition): IssueState {
  const [first, ...rest] = [...state.transitions, transition];
  const kept = rest.slice(-(KEPT_TRANSITIONS - 1));
  return { ...state, transitions: first === undefined ? kept : [first, ...kept] };
}
