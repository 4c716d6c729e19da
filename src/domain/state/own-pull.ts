import { currentPull, isPullUnread, stateOf, withState } from './evidence.js';
import type { IssueSnapshot, PullFacts } from './snapshot.js';
import type { PullId } from '../issue/pull-id.js';
import type { IssueState } from './state.js';

/* Which pull request is ours. */

/** The one that is written down, and no other; while none is, the newest of those that can only be ours. */
export function findOwnPull(pulls: readonly PullFacts[], recorded: PullId | null): PullFacts | null {
  if (recorded !== null) return pulls.find(({ id }) => id === recorded.id) ?? null;
  return pulls.toSorted((a, b) => b.number - a.number)[0] ?? null;
}

/** A state about to be written, with the pull request in it that was seen to be the issue's own. */
export function withPullRecord(snapshot: IssueSnapshot, next: IssueState): IssueState {
  const { pull: before } = stateOf(snapshot).progress;
  const state = { ...next, progress: { ...next.progress, pull: before } };
  const seen = currentPull(withState(snapshot, state));
  // What is only out of sight for the moment stays ours; what was left behind does not.
  const unseen = isPullUnread(snapshot) ? before : null;
  const known = seen === null ? unseen : { number: seen.number, id: seen.id };
  const pull = known === null || known.number <= next.progress.supersededPr ? null : known;
  return { ...next, progress: { ...next.progress, pull } };
}
