import type { IssueRef, Oid } from '../domain/issue/ids.js';
import type { StateReading } from '../domain/state/snapshot.js';
import type { IssueState } from '../domain/state/state.js';
import type { RefPush } from './git-host.js';

/** The state ref as it came from GitHub, not believed yet. */
export interface RawState {
  readonly oid: Oid;
  /** Its first two: a state of ours has one, or none. */
  readonly parents: readonly Oid[];
  /** `null` when GitHub did not send it whole. */
  readonly text: string | null;
}

/** What a signature covers besides the content. */
export interface StateSubject {
  readonly ref: IssueRef;
  readonly repositoryDatabaseId: number;
}

export interface Swap {
  readonly subject: StateSubject;
  /** Where the state ref has to be: what the decision was made from. */
  readonly expected: Oid | null;
  readonly next: IssueState;
  readonly because: string;
  /** Branches that move with it, all or none. */
  readonly alongside?: readonly RefPush[];
}

export type SwapResult =
  | { readonly kind: 'swapped'; readonly oid: Oid }
  /** Somebody else has changed the state: look again. */
  | { readonly kind: 'lost' }
  /** The state is where it was expected, but branches that were to move with it are elsewhere: somebody pushed to them. */
  | { readonly kind: 'blocked'; readonly moved: readonly string[] }
  /** GitHub does not take it; with `isPassing`, it failed for longer than a write may wait. */
  | { readonly kind: 'refused'; readonly ref: string; readonly why: string; readonly isPassing: boolean };

export interface HistoryEntry {
  readonly oid: Oid;
  readonly at: number;
  readonly because: string;
  readonly reading: StateReading;
}

/** The notebook of an issue: `refs/sluice/issue-N`, signed, changed only by compare-and-swap. */
export interface StateStore {
  /**
   * Whether a state is ours, and the newest of ours as far as anybody remembers; fetched with git when GitHub did not send it whole, or
   * when it is not what is remembered. `seals` are what our comments say about the newest state.
   */
  read(subject: StateSubject, raw: RawState | null, seals?: readonly string[]): Promise<StateReading>;
  swap(swap: Swap): Promise<SwapResult>;
  /** Newest first. */
  history(subject: StateSubject): Promise<readonly HistoryEntry[]>;
}
