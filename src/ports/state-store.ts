import type { IssueRef, Oid } from '../domain/issue/ids.js';
import type { StateReading } from '../domain/state/snapshot.js';
import type { IssueState } from '../domain/state/state.js';
import type { RefPush } from './git-host.js';

/** The state ref as GitHub sent it, not verified yet. */
export interface RawState {
  readonly oid: Oid;
  /** Its first two parents. A state of ours has at most one. */
  readonly parents: readonly Oid[];
  /** `null` when GitHub did not send all of it. */
  readonly text: string | null;
}

/** What a signature covers besides the content. */
export interface StateSubject {
  readonly ref: IssueRef;
  readonly repositoryDatabaseId: number;
}

export interface Swap {
  readonly subject: StateSubject;
  /** Where the state ref must be now: the state the decision was based on. */
  readonly expected: Oid | null;
  readonly next: IssueState;
  readonly because: string;
  /** Branches that move together with it, all or none. */
  readonly alongside?: readonly RefPush[];
}

export type SwapResult =
  | { readonly kind: 'swapped'; readonly oid: Oid }
  /** Somebody else changed the state. Read again. */
  | { readonly kind: 'lost' }
  /** The state is as expected, but somebody pushed to the branches that should move with it. */
  | { readonly kind: 'blocked'; readonly moved: readonly string[] }
  /** GitHub refuses it. With `isPassing` it was a temporary failure that lasted longer than a write may wait. */
  | { readonly kind: 'refused'; readonly ref: string; readonly why: string; readonly isPassing: boolean };

export interface HistoryEntry {
  readonly oid: Oid;
  readonly at: number;
  readonly because: string;
  readonly reading: StateReading;
}

/** Stores the state of an issue on `refs/sluice/issue-N`, signed, changed only by compare-and-swap. */
export interface StateStore {
  /**
   * Whether a state is ours and the newest known one. It is fetched with git when GitHub did not send all of it, or
   * when it differs from what is remembered. `seals` are the notes about the newest state in our comments.
   */
  read(subject: StateSubject, raw: RawState | null, seals?: readonly string[]): Promise<StateReading>;
  swap(swap: Swap): Promise<SwapResult>;
  /** Newest first. */
  history(subject: StateSubject): Promise<readonly HistoryEntry[]>;
}
