import type { Review, ReviewComment, ReviewThread } from '../../world/model.js';
import type { World } from '../../world/world.js';
import type { Place } from './place.js';

/* Stores threads and comments. They become public, and cause events, when their review is submitted. */

/** A new thread with its first comment. */
export function insertThread(world: World, review: Review, place: Place, body: string): ReviewComment {
  const { path, line, startLine, side, subjectType, position, diffHunk } = place;
  const thread = world.tables.reviewThreads.insert({
    id: world.newId(),
    repositoryId: review.repositoryId,
    pullId: review.pullId,
    path,
    line,
    startLine,
    position,
    originalLine: line,
    originalStartLine: startLine,
    originalPosition: position,
    side,
    subjectType,
    outdated: false,
    resolvedById: null,
    commitOid: review.commitOid,
  });
  return insertComment(world, review, thread, { body, diffHunk, inReplyToId: null });
}

/** Every reply answers the first comment of its thread, whichever comment the client named. */
export function insertReply(world: World, review: Review, thread: ReviewThread, body: string): ReviewComment {
  const [first] = world.tables.reviewComments.by('threadId', thread.id);
  return insertComment(world, review, thread, {
    body,
    diffHunk: first?.diffHunk ?? '',
    inReplyToId: first?.id ?? null,
  });
}

function insertComment(
  world: World,
  review: Review,
  thread: ReviewThread,
  own: Pick<ReviewComment, 'body' | 'diffHunk' | 'inReplyToId'>,
): ReviewComment {
  const now = world.now();
  return world.tables.reviewComments.insert({
    id: world.newId(),
    repositoryId: review.repositoryId,
    pullId: review.pullId,
    reviewId: review.id,
    threadId: thread.id,
    authorId: review.authorId,
    ...own,
    lastEditedAt: null,
    editorId: null,
    createdAt: now,
    updatedAt: now,
  });
}

/** Takes a comment away with its reactions and edits, and its thread with the last one. */
export function removeComment(world: World, comment: ReviewComment): void {
  const { reviewComments, reviewThreads, reactions, contentEdits } = world.tables;
  for (const reaction of reactions.by('subjectId', comment.id)) reactions.delete(reaction.id);
  for (const edit of contentEdits.by('subjectId', comment.id)) contentEdits.delete(edit.id);
  reviewComments.delete(comment.id);
  if (reviewComments.by('threadId', comment.threadId).length === 0) reviewThreads.delete(comment.threadId);
}
