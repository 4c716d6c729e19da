import { stateOf } from '../../domain/state/evidence.js';
import { workBranch } from '../../domain/issue/ids.js';
import { withPullRecord } from '../../domain/state/own-pull.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { TransitionKind } from '../../domain/state/transition-kind.js';
import type { IssueState, Transition } from '../../domain/state/state.js';
import { boundState } from '../../domain/state/bounded-state.js';
import { withTransition } from '../../domain/state/state-changes.js';
import type { Phase } from '../../domain/issue/phase.js';
import { GitHostError, type RefPush } from '../../ports/git-host.js';
import type { SwapResult } from '../../ports/state-store.js';
import type { Observer } from '../engine.js';
import { rememberHints, subjectOf } from './observe.js';

/** A change of state, and the event to record about it. */
export interface StateChange {
  readonly next: IssueState;
  readonly phase: Phase;
  readonly because: string;
  /** Absent when nothing depends on it; `null` when no event is due. */
  readonly kind?: TransitionKind | null;
  readonly figures?: Pick<Transition, 'ms' | 'costUsd' | 'attempt' | 'record'>;
  readonly alongside?: readonly RefPush[];
}

export type StateSwapResult =
  | { readonly kind: 'swapped'; readonly snapshot: IssueSnapshot }
  | Exclude<SwapResult, { kind: 'swapped' }>;

/** Swaps a new state in on top of the snapshot's. The returned snapshot has the new state. */
export async function swapState(
  engine: Observer,
  snapshot: IssueSnapshot,
  change: StateChange,
): Promise<StateSwapResult> {
  const { reading } = snapshot;
  const next = boundState(withPullRecord(snapshot, withTransitionOf(snapshot, change)));
  const knownAt = engine.clock.steady();
  const result = await engine.states.swap({
    subject: subjectOf(snapshot),
    expected: reading.kind === 'none' ? null : reading.oid,
    next,
    because: change.because,
    ...(change.alongside === undefined ? {} : { alongside: change.alongside }),
  });
  // No branch was to move with it, so the caller cannot try anything else.
  if (result.kind === 'refused' && change.alongside === undefined)
    throw new GitHostError(
      `GitHub refuses to keep the state (${result.ref}): ${result.why}`,
      result.isPassing ? 'transient' : 'permanent',
    );
  if (result.kind !== 'swapped') return result;
  const after: IssueSnapshot = { ...snapshot, knownAt, reading: { kind: 'valid', state: next, oid: result.oid } };
  rememberHints(engine, after);
  return { kind: 'swapped', snapshot: (change.alongside ?? []).reduce(withMovedRef, after) };
}

function withTransitionOf(
  { readAt: at }: IssueSnapshot,
  { next, phase, because, kind, figures }: StateChange,
): IssueState {
  if (kind === null) return next;
  return withTransition(next, { at, phase, because, ...(kind === undefined ? {} : { kind }), ...figures });
}

/** Updates the snapshot after a push, without another read. */
function withMovedRef(snapshot: IssueSnapshot, { ref, to }: RefPush): IssueSnapshot {
  if (ref === `refs/heads/${workBranch(snapshot.ref.number)}`) return { ...snapshot, workHead: to };
  if (ref !== `refs/heads/${snapshot.base.ref}` || to === null) return snapshot;
  const holdsLanded = stateOf(snapshot).progress.landed?.oid === to ? true : snapshot.base.holdsLanded;
  return { ...snapshot, base: { ...snapshot.base, head: to, holdsLanded } };
}
