import type { AnyWorldEvent } from '../world/events.js';
import type { Issue } from '../world/model.js';
import { isoTime } from '../world/time.js';
import { authorOf, commentBox } from './fragments.js';
import { type Html, html } from './html.js';
import type { PageScope } from './page-scope.js';

/** Everything said and done on an issue or pull request, in order. */
export function conversation(scope: PageScope, issue: Issue): readonly Html[] {
  const opening = commentBox(scope, {
    authorId: issue.authorId,
    at: issue.createdAt,
    body: issue.body ?? '',
    edited: issue.lastEditedAt !== null,
    id: 'body',
  });
  return [opening, ...scope.db.events.by('subjectId', issue.id).flatMap((event) => entry(scope, event))];
}

function entry(scope: PageScope, event: AnyWorldEvent): Html[] {
  if (event.name === 'comment created') {
    const comment = scope.db.comments.get(event.data.commentId);
    if (comment === undefined) return [];
    const { authorId, createdAt: at, body, lastEditedAt, id } = comment;
    return [commentBox(scope, { authorId, at, body, edited: lastEditedAt !== null, id: `comment-${id}` })];
  }
  if (event.name === 'review submitted') {
    const review = scope.db.reviews.get(event.data.reviewId);
    if (review === undefined) return [];
    const box = commentBox(scope, {
      authorId: review.authorId,
      at: event.at,
      body: review.body,
      edited: false,
      id: `review-${review.id}`,
    });
    return [
      line(scope, event, `reviewed: ${review.state.toLowerCase().replace('_', ' ')}`),
      ...(review.body === '' ? [] : [box]),
    ];
  }
  const told = sentence(event);
  return told === null ? [] : [line(scope, event, told)];
}

const line = (scope: PageScope, event: AnyWorldEvent, told: string): Html =>
  html`<div class="event">${authorOf(scope, event.actorId)} ${told} <span>· ${isoTime(event.at)}</span></div>`;

/** The text of an event in the timeline; `null` for events that are not shown. */
function sentence(event: AnyWorldEvent): string | null {
  switch (event.name) {
    case 'labeled':
      return `added the ${event.data.name} label`;
    case 'unlabeled':
      return `removed the ${event.data.name} label`;
    case 'renamed':
      return `changed the title from “${event.data.from}” to “${event.data.to}”`;
    case 'closed':
      return `closed this${event.data.reason === null ? '' : ` as ${event.data.reason.replace('_', ' ')}`}`;
    case 'reopened':
      return 'reopened this';
    case 'synchronized':
      return `pushed ${event.data.after.slice(0, 7)}`;
    case 'merged':
      return `merged this into ${event.data.baseRef} as ${event.data.commit.slice(0, 7)}`;
    case 'enqueued':
      return 'added this to the merge queue';
    case 'dequeued':
      return `removed this from the merge queue: ${event.data.reason}`;
    case 'locked':
      return 'locked the conversation';
    case 'ready for review':
      return 'marked this as ready for review';
    case 'converted to draft':
      return 'turned this into a draft';
    case 'head deleted':
      return `deleted the ${event.data.ref} branch`;
    default:
      return null;
  }
}
