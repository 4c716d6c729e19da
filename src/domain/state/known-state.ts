import type { Oid } from '../issue/ids.js';
import type { KnownState } from './snapshot.js';
import type { IssueState } from './state.js';

/** What is remembered of a state: enough to recognise an older one. */
export function toKnownState({ epoch, progress, lease }: IssueState, oid: Oid): KnownState {
  return { epoch, oid, isDone: progress.done !== null, leasedUntil: Math.max(0, Math.floor(lease?.until ?? 0)) };
}

/** The newest of the states remembered in several places. */
export function newestKnownState(all: readonly (KnownState | null)[]): KnownState | null {
  return all.reduce<KnownState | null>(
    (newest, one) => (one !== null && (newest === null || one.epoch > newest.epoch) ? one : newest),
    null,
  );
}

/** How a state that was read compares with the newest known one. */
export type StateAge =
  /** It is that one, or was written after it. */
  | 'newest'
  /** It has the same epoch, so only the git history shows which is newer. */
  | 'open'
  /** It is older. */
  | 'older';

export function compareStateAge(read: KnownState, known: KnownState | null): StateAge {
  if (known === null || read.oid === known.oid || read.epoch > known.epoch) return 'newest';
  return read.epoch === known.epoch ? 'open' : 'older';
}
