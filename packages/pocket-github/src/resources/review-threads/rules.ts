import { validationFailed } from '../../world/errors.js';
import type { Pull, Review, ReviewComment, ReviewThread } from '../../world/model.js';
import { checkBody } from '../../world/text-limits.js';
import type { Actor, World } from '../../world/world.js';
import { noteEdit } from '../edits/rules.js';
import { subjectOfPull, touch } from '../pulls/rules.js';
import { insertReview, publish } from '../reviews/rules.js';
import { pendingReviewOf } from '../reviews/verdict.js';
import { insertReply, insertThread, removeComment } from './insert.js';
import type { Place } from './place.js';

/** A comment of its own: GitHub wraps it in a review that says nothing else. */
export async function publishThread(
  world: World,
  actor: Actor,
  pull: Pull,
  given: { readonly place: Place; readonly body: string; readonly commitOid: string },
): Promise<ReviewComment> {
  checkComment(given.body);
  const review = soloReview(world, actor, pull, given.commitOid);
  const comment = insertThread(world, review, given.place, given.body);
  await publish(world, actor, review, 'COMMENT');
  return comment;
}

/** A reply of its own, public at once. */
export async function publishReply(
  world: World,
  actor: Actor,
  thread: ReviewThread,
  body: string,
): Promise<ReviewComment> {
  checkComment(body);
  const pull = world.tables.pulls.must(thread.pullId);
  const review = soloReview(world, actor, pull, pull.headOid);
  const comment = insertReply(world, review, thread, body);
  await publish(world, actor, review, 'COMMENT');
  return comment;
}

/** A thread in a pending review, unseen by others until the review is submitted. */
export function draftThread(world: World, review: Review, place: Place, body: string): ReviewComment {
  checkComment(body);
  return insertThread(world, review, place, body);
}

/** A reply in a pending review, unseen by others until the review is submitted. */
export function draftReply(world: World, review: Review, thread: ReviewThread, body: string): ReviewComment {
  checkComment(body);
  return insertReply(world, review, thread, body);
}

export async function editReviewComment(
  world: World,
  actor: Actor,
  comment: ReviewComment,
  body: string,
): Promise<ReviewComment> {
  checkComment(body);
  if (body === comment.body) return comment;
  const updatedAt = world.now();
  const { reviews, reviewComments, pulls } = world.tables;
  if (reviews.must(comment.reviewId).state === 'PENDING') return reviewComments.update(comment, { body, updatedAt });
  const edit = noteEdit(world, actor, comment, comment.body, body);
  const next = reviewComments.update(comment, { body, ...edit, updatedAt });
  await world.record(actor, 'review comment edited', subjectOfPull(pulls.must(comment.pullId)), {
    reviewCommentId: comment.id,
    before: comment.body,
  });
  return next;
}

/** Records the deletion while the comment can still be shown. A pending comment was never public, so it causes no event. */
export async function deleteReviewComment(world: World, actor: Actor, comment: ReviewComment): Promise<void> {
  const { reviews, pulls } = world.tables;
  if (reviews.must(comment.reviewId).state !== 'PENDING') {
    const { id: reviewCommentId, threadId } = comment;
    await world.record(actor, 'review comment deleted', subjectOfPull(pulls.must(comment.pullId)), {
      reviewCommentId,
      threadId,
    });
  }
  removeComment(world, comment);
}

export async function resolveThread(world: World, actor: Actor, thread: ReviewThread): Promise<ReviewThread> {
  if (thread.resolvedById !== null) return thread;
  return setResolved(world, actor, thread, actor.userId, 'thread resolved');
}

export async function unresolveThread(world: World, actor: Actor, thread: ReviewThread): Promise<ReviewThread> {
  if (thread.resolvedById === null) return thread;
  return setResolved(world, actor, thread, null, 'thread unresolved');
}

async function setResolved(
  world: World,
  actor: Actor,
  thread: ReviewThread,
  resolvedById: number | null,
  event: 'thread resolved' | 'thread unresolved',
): Promise<ReviewThread> {
  const pull = world.tables.pulls.must(thread.pullId);
  const next = world.tables.reviewThreads.update(thread, { resolvedById });
  touch(world, pull);
  await world.record(actor, event, subjectOfPull(pull), { threadId: thread.id });
  return next;
}

/** A person with a pending review cannot comment outside it. */
function soloReview(world: World, actor: Actor, pull: Pull, commitOid: string): Review {
  if (pendingReviewOf(world.tables, actor, pull) !== undefined) {
    throw validationFailed({
      resource: 'PullRequestReview',
      code: 'custom',
      field: 'user_id',
      message: 'user_id can only have one pending review per pull request',
    });
  }
  return insertReview(world, actor, pull, { body: '', commitOid });
}

function checkComment(body: string): void {
  if (body.trim() === '') {
    throw validationFailed({ resource: 'PullRequestReviewComment', code: 'missing_field', field: 'body' });
  }
  checkBody('PullRequestReviewComment', body);
}
