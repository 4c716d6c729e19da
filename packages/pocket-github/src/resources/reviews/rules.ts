import type { Oid, Pull, Review } from '../../world/model.js';
import { checkBody } from '../../world/text-limits.js';
import type { Actor, World } from '../../world/world.js';
import { noteEdit } from '../edits/rules.js';
import { subjectOfPull, touch } from '../pulls/rules.js';
import { insertThread, removeComment } from '../review-threads/insert.js';
import type { Place } from '../review-threads/place.js';
import { couldNot, pendingReviewOf, refuseOwn, STATE_OF, unprocessableEntity, type Verdict } from './verdict.js';

export interface NewReview {
  readonly body: string;
  readonly commitOid: Oid;
  /** `null` leaves the review pending. */
  readonly verdict: Verdict | null;
  readonly comments: readonly { readonly place: Place; readonly body: string }[];
}

/** Writes a review. With a verdict it is submitted at once; without, only its author sees it until it is. */
export async function createReview(world: World, actor: Actor, pull: Pull, given: NewReview): Promise<Review> {
  const { body, commitOid, verdict, comments } = given;
  checkBody('PullRequestReview', body);
  for (const comment of comments) checkBody('PullRequestReviewComment', comment.body);
  if (pendingReviewOf(world.tables, actor, pull) !== undefined) {
    throw unprocessableEntity('User can only have one pending review per pull request');
  }
  if (verdict !== null) {
    refuseOwn(world.tables, actor, pull, verdict);
    if (isSilent(verdict, body, comments.length)) throw couldNot(verdict);
  }
  const review = insertReview(world, actor, pull, { body, commitOid });
  for (const comment of comments) insertThread(world, review, comment.place, comment.body);
  return verdict === null ? review : publish(world, actor, review, verdict);
}

/** Writes an empty pending review, to hang comments on. */
export function insertReview(world: World, actor: Actor, pull: Pull, own: Pick<Review, 'body' | 'commitOid'>): Review {
  const now = world.now();
  return world.tables.reviews.insert({
    id: world.newId(),
    repositoryId: pull.repositoryId,
    pullId: pull.id,
    authorId: actor.userId,
    viaAppId: actor.viaAppId,
    state: 'PENDING',
    ...own,
    submittedAt: null,
    lastEditedAt: null,
    editorId: null,
    createdAt: now,
    updatedAt: now,
  });
}

/** Submits a pending review. The head may have moved meanwhile: the review stays on the commit it was begun on. */
export async function submitReview(
  world: World,
  actor: Actor,
  review: Review,
  verdict: Verdict,
  body: string | null,
): Promise<Review> {
  if (review.state !== 'PENDING') throw couldNot(verdict);
  checkBody('PullRequestReview', body);
  refuseOwn(world.tables, actor, world.tables.pulls.must(review.pullId), verdict);
  const comments = world.tables.reviewComments.by('reviewId', review.id);
  if (isSilent(verdict, body ?? review.body, comments.length)) throw couldNot(verdict);
  world.tables.reviews.update(review, { body: body ?? review.body });
  return publish(world, actor, review, verdict);
}

/** Makes a pending review and its comments public. Whoever has reviewed is not asked for a review any more. */
export async function publish(world: World, actor: Actor, review: Review, verdict: Verdict): Promise<Review> {
  const { reviews, reviewComments, pulls } = world.tables;
  const now = world.now();
  reviews.update(review, { state: STATE_OF[verdict], submittedAt: now, updatedAt: now });
  const pull = pulls.must(review.pullId);
  if (pull.requestedReviewerIds.includes(review.authorId)) {
    pulls.update(pull, { requestedReviewerIds: pull.requestedReviewerIds.filter((id) => id !== review.authorId) });
  }
  touch(world, pull);
  await world.record(actor, 'review submitted', subjectOfPull(pull), { reviewId: review.id });
  for (const { id } of reviewComments.by('reviewId', review.id)) {
    await world.record(actor, 'review comment created', subjectOfPull(pull), { reviewCommentId: id });
  }
  return reviews.must(review.id);
}

export async function editReview(world: World, actor: Actor, review: Review, body: string): Promise<Review> {
  if (body.trim() === '') throw unprocessableEntity("Body can't be blank");
  checkBody('PullRequestReview', body);
  if (body === review.body) return review;
  const updatedAt = world.now();
  if (review.state === 'PENDING') return world.tables.reviews.update(review, { body, updatedAt });
  const pull = world.tables.pulls.must(review.pullId);
  const edit = noteEdit(world, actor, review, review.body, body);
  const next = world.tables.reviews.update(review, { body, ...edit, updatedAt });
  await world.record(actor, 'review edited', subjectOfPull(pull), { reviewId: review.id, before: review.body });
  return next;
}

/** Throws a pending review and its comments away, as if it had never been begun. */
export function deletePendingReview(world: World, review: Review): void {
  if (review.state !== 'PENDING') throw unprocessableEntity('Can not delete a non-pending pull request review');
  for (const comment of world.tables.reviewComments.by('reviewId', review.id)) removeComment(world, comment);
  world.tables.reviews.delete(review.id);
}

/** Takes an approval or a request for changes out of the count. */
export async function dismissReview(world: World, actor: Actor, review: Review, message: string): Promise<Review> {
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
    throw unprocessableEntity(`Can not dismiss a ${review.state.toLowerCase()} pull request review`);
  }
  const pull = world.tables.pulls.must(review.pullId);
  const next = world.tables.reviews.update(review, { state: 'DISMISSED', updatedAt: world.now() });
  await world.record(actor, 'review dismissed', subjectOfPull(pull), {
    reviewId: review.id,
    message,
    formerState: review.state,
  });
  return next;
}

function isSilent(verdict: Verdict, body: string, comments: number): boolean {
  return verdict !== 'APPROVE' && body.trim() === '' && comments === 0;
}
