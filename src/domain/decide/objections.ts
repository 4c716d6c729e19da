import { stateOf } from '../state/evidence.js';
import type { IssueSnapshot, PullFacts, ReviewFacts } from '../state/snapshot.js';
import type { FixRequest } from '../state/state.js';

/* People who asked for changes on a pull request. Only those who may push are in the snapshot. */

/** Reviews that request changes and were neither dismissed nor replaced by a newer review of the same person. */
export function openObjections(pull: PullFacts): readonly ReviewFacts[] {
  return pull.reviews.filter(({ state }) => state === 'changes-requested');
}

/** How much of a review the agent gets: enough for any point, too little to fill a prompt. */
const BODY_LENGTH = 4_000;
const COMMENT_LENGTH = 1_500;

/** The fix request for reviews that nobody has worked on yet; `null` when there are none, or none with content. */
export function objectionFix(snapshot: IssueSnapshot, pull: PullFacts): FixRequest | null {
  const { handledReviews } = stateOf(snapshot).progress;
  const fresh = openObjections(pull).filter(({ id }) => !handledReviews.includes(id));
  const items = fresh.flatMap(pointsOf);
  if (items.length === 0) return null;
  return { source: 'people', head: pull.head, items, reviews: fresh.map(({ id }) => id) };
}

function pointsOf({ author, body, comments }: ReviewFacts): readonly string[] {
  const { login } = author;
  const inline = comments
    .filter((comment) => comment.body.trim() !== '')
    .map(
      ({ path, line, body: said }) =>
        `${login} on ${path}${line === null ? '' : `:${line}`}: ${cut(said, COMMENT_LENGTH)}`,
    );
  return [...(body.trim() === '' ? [] : [`${login}: ${cut(body, BODY_LENGTH)}`]), ...inline];
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text.trim() : `${text.slice(0, length).trim()} […]`;

/** `ada`, `ada and wren`, `ada, rita and wren`. */
export function joinNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  const last = all.at(-1) ?? 'nobody';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
