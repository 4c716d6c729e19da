import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Observer } from '../engine.js';
import { observe } from './observe.js';
import { type StateChange, swapState } from './swap-state.js';

/** Either a state to swap in, or the reason why the state stays as it is. */
export type StateUpdate<Reason> = { readonly change: StateChange } | { readonly unchanged: Reason };

export type UpdateResult<Reason> =
  /** `before` is the snapshot the change was made from. */
  | { readonly kind: 'changed'; readonly before: IssueSnapshot; readonly snapshot: IssueSnapshot }
  | { readonly kind: 'unchanged'; readonly reason: Reason }
  /** The issue no longer exists. */
  | { readonly kind: 'gone' };

/** Each lost swap means that another writer won. This many in a row mean a defect. */
const MAX_TRIES = 5;

/**
 * Reads an issue, swaps in what `update` returns, and starts over when another writer was faster. `seen` saves the first read; after a lost
 * swap it is out of date.
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
