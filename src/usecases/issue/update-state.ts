import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Observer } from '../engine.js';
import { observe } from './observe.js';
import { type StateChange, swapState } from './swap-state.js';

/** What is to be done about a state that was read: another one is swapped in, or it stays as it is for this reason. */
export type StateUpdate<Reason> = { readonly change: StateChange } | { readonly unchanged: Reason };

export type UpdateResult<Reason> =
  /** `before` is what the change was made from. */
  | { readonly kind: 'changed'; readonly before: IssueSnapshot; readonly snapshot: IssueSnapshot }
  | { readonly kind: 'unchanged'; readonly reason: Reason }
  /** There is no such issue any more. */
  | { readonly kind: 'gone' };

/** Swaps keep losing only while others keep winning; this many in a row means something is wrong. */
const MAX_TRIES = 5;

/**
 * Reads an issue, swaps in what `update` makes of it, and begins again when somebody else was faster. `seen` saves the first look; after a
 * lost swap it is out of date.
 */
export async function updateState<Reason>(
  engine: Observer,
  ref: IssueRef,
  update: (snapshot: IssueSnapshot) => StateUpdate<Reason> | Promise<StateUpdate<Reason>>,
  seen: IssueSnapshot | null = null,
): Promise<UpdateResult<Reason>> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const before = (attempt === 0 ? seen : null) ?? (await observe(engine, ref));
    if (before === null) return { kind: 'gone' };
    const updated = await update(before);
    if ('unchanged' in updated) return { kind: 'unchanged', reason: updated.unchanged };
    const swapped = await swapState(engine, before, updated.change);
    if (swapped.kind === 'swapped') return { kind: 'changed', before, snapshot: swapped.snapshot };
  }
  throw new Error(`the state of ${formatIssue(ref)} keeps changing`);
}
