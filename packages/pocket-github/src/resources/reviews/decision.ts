import { atLeast, roleOf } from '../../identity/access.js';
import type { Pull, Review, ReviewState, ReviewThread } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { effectiveRules } from '../protection/effective-rules.js';

export type ReviewDecision = 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED';

/** A dismissed review was an opinion once: it hides its author's earlier ones and says nothing itself. */
const OPINIONS: ReadonlySet<ReviewState> = new Set(['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']);

/** Each author's newest review, the pending ones left out. Oldest first. */
export function latestReviews(db: Tables, pull: Pull): Review[] {
  return newestPerAuthor(db.reviews.by('pullId', pull.id).filter(({ state }) => state !== 'PENDING'));
}

/** Each author's newest approval, request for changes or dismissed review. Oldest first. */
export function latestOpinions(db: Tables, pull: Pull): Review[] {
  return newestPerAuthor(db.reviews.by('pullId', pull.id).filter(({ state }) => OPINIONS.has(state)));
}

/** Whether a review counts for the rules of a branch: its author must be able to push. */
export function isByWriter(db: Tables, review: Review): boolean {
  return atLeast(roleOf(db, db.repositories.must(review.repositoryId), review.authorId), 'write');
}

/** The approvals that count towards the required number. */
export function approvalsOf(db: Tables, pull: Pull): Review[] {
  return countingOpinions(db, pull, 'APPROVED');
}

/** GitHub's verdict; `null` where the base branch requires no review, whatever people said. */
export function reviewDecision(db: Tables, pull: Pull): ReviewDecision | null {
  const { requiredApprovals } = effectiveRules(db, db.repositories.must(pull.repositoryId), pull.baseRef);
  if (requiredApprovals === 0) return null;
  if (countingOpinions(db, pull, 'CHANGES_REQUESTED').length > 0) return 'CHANGES_REQUESTED';
  return approvalsOf(db, pull).length >= requiredApprovals ? 'APPROVED' : 'REVIEW_REQUIRED';
}

/** Conversations that everybody can see and nobody has resolved. */
export function unresolvedThreads(db: Tables, pull: Pull): ReviewThread[] {
  return db.reviewThreads
    .by('pullId', pull.id)
    .filter((thread) => thread.resolvedById === null && isPublished(db, thread));
}

/** A thread begun in a pending review is its author's alone until the review is submitted. */
function isPublished(db: Tables, thread: ReviewThread): boolean {
  return db.reviewComments
    .by('threadId', thread.id)
    .some((comment) => db.reviews.must(comment.reviewId).state !== 'PENDING');
}

function countingOpinions(db: Tables, pull: Pull, state: ReviewState): Review[] {
  return latestOpinions(db, pull).filter((review) => review.state === state && isByWriter(db, review));
}

function newestPerAuthor(reviews: readonly Review[]): Review[] {
  const newest = new Map(reviews.map((review) => [review.authorId, review]));
  return reviews.filter((review) => newest.get(review.authorId) === review);
}
