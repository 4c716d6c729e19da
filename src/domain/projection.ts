import { currentPull, isDone, placeOf, reviewOf, sizeOf, stateOf, verificationOf } from './completion.js';
import { tickBoxes } from './criteria.js';
import type { Oid } from './ids.js';
import { labelChange, type RunState } from './label.js';
import type { Policy } from './policy.js';
import { commentMarker, type CommentSlot, renderComments } from './report.js';
import type { CommentFacts, IssueSnapshot } from './snapshot.js';

/** One difference between what GitHub shows and what is true. Each write is safe to repeat. */
export type Change =
  | { readonly kind: 'labels'; readonly add: readonly string[]; readonly remove: readonly string[] }
  /** Write our comment of this kind, or edit the one that is there. */
  | { readonly kind: 'comment'; readonly slot: CommentSlot; readonly body: string; readonly existing: string | null }
  /** A second comment of one kind, left by a write whose answer was lost. */
  | { readonly kind: 'remove-comment'; readonly id: string }
  | {
      readonly kind: 'check-run';
      readonly name: string;
      readonly head: Oid;
      readonly conclusion: 'success' | 'failure';
      readonly title: string;
      readonly summary: string;
    }
  /** Tick boxes in the issue text; nothing else of it is ever changed. */
  | { readonly kind: 'tick'; readonly body: string }
  | { readonly kind: 'close' };

/** Everything GitHub ought to show and does not. Empty means: what people see is what is true. */
export function projectionChanges(snapshot: IssueSnapshot, { identity }: Policy): readonly Change[] {
  return [
    ...labels(snapshot),
    ...comments(snapshot, identity.accountId),
    ...checkRun(snapshot, identity.appId),
    ...ticks(snapshot),
    ...(isDone(snapshot) && snapshot.state === 'open' ? [{ kind: 'close' } as const] : []),
  ];
}

function labels(snapshot: IssueSnapshot): Change[] {
  const { progress } = stateOf(snapshot);
  const change = labelChange(snapshot.labels, {
    phase: placeOf(snapshot),
    run: runState(snapshot),
    // A size somebody set by hand stands; ours only fills the gap.
    size: snapshot.projectSize === null ? sizeOf(snapshot) : null,
    triaged: progress.triage !== null,
  });
  return change.add.length + change.remove.length === 0 ? [] : [{ kind: 'labels', ...change }];
}

function runState(snapshot: IssueSnapshot): RunState | null {
  const { halt } = stateOf(snapshot);
  if (halt !== null) return halt.state;
  return isDone(snapshot) ? null : 'running';
}

function comments(snapshot: IssueSnapshot, accountId: number): Change[] {
  return renderComments(snapshot).flatMap(({ slot, body }) => {
    const [oldest, ...others] = ours(snapshot, slot, accountId);
    const stale: Change[] = others.map(({ id }) => ({ kind: 'remove-comment', id }));
    if (oldest !== undefined && sameText(oldest.body, body)) return stale;
    return [{ kind: 'comment', slot, body, existing: oldest?.id ?? null }, ...stale];
  });
}

function ours({ comments: all }: IssueSnapshot, slot: CommentSlot, accountId: number): CommentFacts[] {
  return all.filter(({ author, body }) => author?.id === accountId && body.startsWith(commentMarker(slot)));
}

/** GitHub may change line ends and trailing space. */
const sameText = (a: string, b: string): boolean => tidy(a) === tidy(b);
const tidy = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();

function checkRun(snapshot: IssueSnapshot, appId: number | null): Change[] {
  const pull = currentPull(snapshot);
  const review = pull === null || appId === null ? null : reviewOf(snapshot, pull.head);
  if (pull === null || review === null || pull.state !== 'open') return [];
  const conclusion = review.verdict === 'pass' ? 'success' : 'failure';
  const name = 'sluice/review';
  const shown = pull.checks.find((check) => check.name === name && check.appId === appId);
  if (shown !== undefined && (shown.outcome === 'green') === (conclusion === 'success')) return [];
  const title = review.verdict === 'pass' ? 'Nothing must be changed' : 'Some things must be changed';
  return [{ kind: 'check-run', name, head: review.head, conclusion, title, summary: review.summary }];
}

/** Boxes of the human's own text whose criterion has passed on the landed commit. */
function ticks(snapshot: IssueSnapshot): Change[] {
  const { progress } = stateOf(snapshot);
  const verified = progress.done === null ? null : verificationOf(snapshot, progress.done.oid);
  if (verified === null || progress.triage === null) return [];
  const passed = new Set(verified.results.filter(({ verdict }) => verdict === 'PASS').map(({ id }) => id));
  const texts = new Set(progress.triage.criteria.filter(({ id }) => passed.has(id)).map(({ text }) => text));
  const body = tickBoxes(snapshot.body, texts);
  return body === snapshot.body ? [] : [{ kind: 'tick', body }];
}
