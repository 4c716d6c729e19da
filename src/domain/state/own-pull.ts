import { currentPull, isPullUnread, stateOf, withState } from './evidence.js';
import type { IssueSnapshot, PullFacts } from './snapshot.js';
import type { PullId } from '../issue/pull-id.js';
import type { IssueState } from './state.js';

/* Which pull request is ours. */

/** The recorded pull request. If none is recorded yet, the newest of those that only we can have opened. */
export function findOwnPull(pulls: readonly PullFacts[], recorded: PullId | null): PullFacts | null {
  if (recorded !== null) return pulls.find(({ id }) => id === recorded.id) ?? null;
  return pulls.toSorted((a, b) => b.number - a.number)[0] ?? null;
}

/** The next state, with the issue's pull request recorded in it. */
export function withPullRecord(snapshot: IssueSnapshot, next: IssueState): IssueState {
  const { pull: before } = stateOf(snapshot).progress;
  const state = { ...next, progress: { ...next.progress, pull: before } };
  const seen = currentPull(withState(snapshot, state));
  // A pull request that only cannot be read now stays recorded; a superseded one does not.
  const unseen = isPullUnread(snapshot) ? before : null;
  const known = seen === null ? unseen : { number: seen.number, id: seen.id };
  const pull = known === null || known.number <= next.progress.supersededPr ? null : known;
  return { ...next, progress: { ...next.progress, pull } };
}
