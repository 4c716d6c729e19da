import { connection } from '../../graphql/connection.js';
import { nodeOf, repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { unprocessable, UnmodelledError } from '../../world/errors.js';
import type { Pull, Review } from '../../world/model.js';
import { demandConversation } from '../issues/lock.js';
import { APPROACH } from '../pulls/access.js';
import { type DraftComment, draftedReview } from './drafting.js';
import { checkMayDismiss, checkMayEdit } from './permissions.js';
import { createReview, deletePendingReview, dismissReview, editReview, submitReview } from './rules.js';
import { pendingReviewOf, type Verdict } from './verdict.js';

interface Input<T> {
  readonly input: T;
}

interface AddReview {
  readonly pullRequestId: string;
  readonly body?: string | null;
  readonly commitOID?: string | null;
  readonly event?: Verdict | 'DISMISS' | null;
  readonly comments?: readonly unknown[] | null;
  readonly threads?: readonly DraftComment[] | null;
}

interface SubmitReview {
  readonly pullRequestId?: string | null;
  readonly pullRequestReviewId?: string | null;
  readonly event: Verdict | 'DISMISS';
  readonly body?: string | null;
}

/** Refuses those who may not take part in the review of a pull request. */
export function demandReviewing(context: Context, pull: Pull): void {
  demand(context.world.tables, context.viewer, repositoryOf(context, pull), APPROACH);
  demandConversation(context, context.world.tables.issues.must(pull.issueId));
}

/** The pull request behind an id, once the caller may take part in its review. */
export function reviewedPull(context: Context, id: string): Pull {
  const pull = nodeOf(context, 'pulls', id);
  demandReviewing(context, pull);
  return pull;
}

/** The review behind an id, once the caller may take part in reviewing. */
export function reviewOfNode(context: Context, id: string): Review {
  const review = nodeOf(context, 'reviews', id);
  demand(context.world.tables, context.viewer, repositoryOf(context, review), APPROACH);
  return review;
}

function verdictOf(event: Verdict | 'DISMISS'): Verdict {
  if (event === 'DISMISS') throw new UnmodelledError('PullRequestReviewEvent DISMISS (use dismissPullRequestReview)');
  return event;
}

/** A review to be submitted is named by itself or by its pull request. */
function reviewToSubmit(context: Context, { pullRequestReviewId, pullRequestId }: SubmitReview): Review {
  if (pullRequestReviewId != null) return reviewOfNode(context, pullRequestReviewId);
  if (pullRequestId == null) throw unprocessable('A pull request review or a pull request must be named.');
  const pull = reviewedPull(context, pullRequestId);
  const review = pendingReviewOf(context.world.tables, actorOf(context.viewer), pull);
  if (review === undefined) throw unprocessable('There is no pending review to submit.');
  return review;
}

export const reviewMutations = {
  addPullRequestReview: async (_: unknown, { input }: Input<AddReview>, context: Context) => {
    const { world, viewer } = context;
    if (input.comments != null)
      throw new UnmodelledError('addPullRequestReview(comments), which places comments by position');
    const pull = reviewedPull(context, input.pullRequestId);
    const draft = await draftedReview(world, pull, {
      body: input.body,
      commitOid: input.commitOID,
      verdict: input.event == null ? null : verdictOf(input.event),
      comments: input.threads,
    });
    const pullRequestReview = await createReview(world, actorOf(viewer), pull, draft);
    const { edges } = connection(world.tables.reviews.by('pullId', pull.id), { last: 1 });
    return { pullRequestReview, reviewEdge: edges[0] };
  },
  submitPullRequestReview: async (_: unknown, { input }: Input<SubmitReview>, context: Context) => {
    const review = reviewToSubmit(context, input);
    const verdict = verdictOf(input.event);
    return {
      pullRequestReview: await submitReview(
        context.world,
        actorOf(context.viewer),
        review,
        verdict,
        input.body ?? null,
      ),
    };
  },
  updatePullRequestReview: async (
    _: unknown,
    { input }: Input<{ pullRequestReviewId: string; body: string }>,
    context: Context,
  ) => {
    const review = reviewOfNode(context, input.pullRequestReviewId);
    checkMayEdit(context.world.tables, context.viewer, review);
    return { pullRequestReview: await editReview(context.world, actorOf(context.viewer), review, input.body) };
  },
  deletePullRequestReview: (_: unknown, { input }: Input<{ pullRequestReviewId: string }>, context: Context) => {
    const review = reviewOfNode(context, input.pullRequestReviewId);
    deletePendingReview(context.world, review);
    return { pullRequestReview: review };
  },
  dismissPullRequestReview: async (
    _: unknown,
    { input }: Input<{ pullRequestReviewId: string; message: string }>,
    context: Context,
  ) => {
    const review = reviewOfNode(context, input.pullRequestReviewId);
    checkMayDismiss(context.world.tables, context.viewer, review);
    return { pullRequestReview: await dismissReview(context.world, actorOf(context.viewer), review, input.message) };
  },
};
