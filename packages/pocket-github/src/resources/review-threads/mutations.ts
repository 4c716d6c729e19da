import { nodeOf, repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { unprocessable, UnmodelledError } from '../../world/errors.js';
import type { Pull, Review, ReviewComment, ReviewThread } from '../../world/model.js';
import { APPROACH } from '../pulls/access.js';
import { demandReviewing, reviewedPull, reviewOfNode } from '../reviews/mutations.js';
import { checkMayEdit, checkMayResolve } from '../reviews/permissions.js';
import { insertReview } from '../reviews/rules.js';
import { pendingReviewOf } from '../reviews/verdict.js';
import type { DiffSide } from './diff-lines.js';
import { placeOf, pullChanges } from './place.js';
import {
  deleteReviewComment,
  draftReply,
  draftThread,
  editReviewComment,
  publishReply,
  resolveThread,
  unresolveThread,
} from './rules.js';

interface Input<T> {
  readonly input: T;
}

interface AddThread {
  readonly pullRequestId?: string | null;
  readonly pullRequestReviewId?: string | null;
  readonly body: string;
  readonly path: string;
  readonly line?: number | null;
  readonly startLine?: number | null;
  readonly side: DiffSide;
  readonly startSide?: DiffSide | null;
  readonly subjectType: 'LINE' | 'FILE';
}

interface AddReply {
  readonly pullRequestReviewId?: string | null;
  readonly pullRequestReviewThreadId: string;
  readonly body: string;
}

/** The caller's pending review, by its own id or as the one they have on a pull request; `null` if they have none there. */
function pendingReview(context: Context, pull: Pull, reviewId: string | null | undefined): Review | null {
  if (reviewId == null) return pendingReviewOf(context.world.tables, actorOf(context.viewer), pull) ?? null;
  const review = reviewOfNode(context, reviewId);
  if (review.state !== 'PENDING') throw unprocessable('Review has already been submitted.');
  return review;
}

function pullOfThread(context: Context, { pullRequestId, pullRequestReviewId }: AddThread): Pull {
  if (pullRequestId != null) return reviewedPull(context, pullRequestId);
  if (pullRequestReviewId == null) throw unprocessable('A pull request or a pull request review must be named.');
  return context.world.tables.pulls.must(reviewOfNode(context, pullRequestReviewId).pullId);
}

function commentOfNode(context: Context, id: string): ReviewComment {
  const comment = nodeOf(context, 'reviewComments', id);
  demand(context.world.tables, context.viewer, repositoryOf(context, comment), APPROACH);
  checkMayEdit(context.world.tables, context.viewer, comment);
  return comment;
}

function resolvableThread(context: Context, id: string): ReviewThread {
  const thread = nodeOf(context, 'reviewThreads', id);
  checkMayResolve(context.world.tables, context.viewer, thread);
  return thread;
}

export const threadMutations = {
  /** Adds to the pending review, beginning one if need be. GitHub answers a line that is not in the diff with no thread and no error. */
  addPullRequestReviewThread: async (_: unknown, { input }: Input<AddThread>, context: Context) => {
    const { path, body, side, startLine = null, startSide, subjectType } = input;
    const { world, viewer } = context;
    if (startLine !== null && startSide != null && startSide !== side) {
      throw new UnmodelledError('a review comment that spans both sides of the diff');
    }
    const pull = pullOfThread(context, input);
    const review = pendingReview(context, pull, input.pullRequestReviewId);
    const line = subjectType === 'FILE' ? null : (input.line ?? 0);
    const changes = await pullChanges(world, pull, review?.commitOid ?? pull.headOid);
    const place = placeOf(changes, { path, line, startLine, side });
    if (typeof place === 'string') return { thread: null };
    const draft = review ?? insertReview(world, actorOf(viewer), pull, { body: '', commitOid: pull.headOid });
    const comment = draftThread(world, draft, place, body);
    return { thread: world.tables.reviewThreads.must(comment.threadId) };
  },
  /** Held back while the caller has a pending review, public at once otherwise. */
  addPullRequestReviewThreadReply: async (_: unknown, { input }: Input<AddReply>, context: Context) => {
    const { world, viewer } = context;
    const thread = nodeOf(context, 'reviewThreads', input.pullRequestReviewThreadId);
    const pull = world.tables.pulls.must(thread.pullId);
    demandReviewing(context, pull);
    const review = pendingReview(context, pull, input.pullRequestReviewId);
    if (review !== null) return { comment: draftReply(world, review, thread, input.body) };
    return { comment: await publishReply(world, actorOf(viewer), thread, input.body) };
  },
  resolveReviewThread: async (_: unknown, { input }: Input<{ threadId: string }>, context: Context) => ({
    thread: await resolveThread(context.world, actorOf(context.viewer), resolvableThread(context, input.threadId)),
  }),
  unresolveReviewThread: async (_: unknown, { input }: Input<{ threadId: string }>, context: Context) => ({
    thread: await unresolveThread(context.world, actorOf(context.viewer), resolvableThread(context, input.threadId)),
  }),
  updatePullRequestReviewComment: async (
    _: unknown,
    { input }: Input<{ pullRequestReviewCommentId: string; body: string }>,
    context: Context,
  ) => {
    const comment = commentOfNode(context, input.pullRequestReviewCommentId);
    return {
      pullRequestReviewComment: await editReviewComment(context.world, actorOf(context.viewer), comment, input.body),
    };
  },
  deletePullRequestReviewComment: async (_: unknown, { input }: Input<{ id: string }>, context: Context) => {
    const comment = commentOfNode(context, input.id);
    await deleteReviewComment(context.world, actorOf(context.viewer), comment);
    return { pullRequestReview: context.world.tables.reviews.get(comment.reviewId) ?? null };
  },
};
