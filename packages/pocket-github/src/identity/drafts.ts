import type { Review, ReviewComment, ReviewThread } from '../world/model.js';
import type { Row } from '../world/table.js';
import type { TableName, Tables } from '../world/tables.js';
import type { Viewer } from './viewer.js';

/* A pending review is a draft: until it is submitted, only its author knows of it, of its comments and of its threads. */

export function seesReview(viewer: Viewer, review: Review): boolean {
  return review.state !== 'PENDING' || ('user' in viewer && viewer.user.id === review.authorId);
}

export function seesReviewComment(db: Tables, viewer: Viewer, comment: ReviewComment): boolean {
  return seesReview(viewer, db.reviews.must(comment.reviewId));
}

export function seesReviewThread(db: Tables, viewer: Viewer, thread: ReviewThread): boolean {
  return db.reviewComments.by('threadId', thread.id).some((comment) => seesReviewComment(db, viewer, comment));
}

/** Whether a record of any table is no draft of somebody else. */
export function seesDraft(db: Tables, viewer: Viewer, table: TableName, row: Row): boolean {
  if (table === 'reviews') return seesReview(viewer, row as Review);
  if (table === 'reviewComments') return seesReviewComment(db, viewer, row as ReviewComment);
  if (table === 'reviewThreads') return seesReviewThread(db, viewer, row as ReviewThread);
  return true;
}
