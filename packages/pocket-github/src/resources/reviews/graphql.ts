import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { accountNode, commitNode, repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { seesReview } from '../../identity/drafts.js';
import { findUser } from '../../world/lookup.js';
import type { Pull, Review, ReviewState } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTimeOrNull } from '../../world/time.js';
import { writtenFields } from '../edits/written-fields.js';
import { reactableFields } from '../reactions/reactable-fields.js';
import { isByWriter, latestOpinions, latestReviews, reviewDecision } from './decision.js';
import { reviewMutations } from './mutations.js';
import { reviewJson } from './review-json.js';

/** Somebody who was asked for a review and has not given one since. */
interface ReviewRequest {
  readonly pull: Pull;
  readonly userId: number;
}

interface ReviewArgs extends ConnectionArgs {
  readonly author?: string | null;
  readonly states?: readonly ReviewState[] | null;
}

const ofPull = {
  reviews: (pull: Pull, args: ReviewArgs, { db, viewer }: Context) => {
    const { author, states } = args;
    const authorId = author == null ? null : (findUser(db, author)?.id ?? 0);
    const reviews = db.reviews
      .by('pullId', pull.id)
      .filter((review) => seesReview(viewer, review))
      .filter((review) => authorId === null || review.authorId === authorId)
      .filter((review) => states == null || states.includes(review.state));
    return connection(reviews, args);
  },
  latestReviews: (pull: Pull, args: ConnectionArgs, { db }: Context) => connection(latestReviews(db, pull), args),
  latestOpinionatedReviews: (pull: Pull, args: ConnectionArgs & { writersOnly?: boolean | null }, { db }: Context) => {
    const opinions = latestOpinions(db, pull);
    return connection(args.writersOnly === true ? opinions.filter((review) => isByWriter(db, review)) : opinions, args);
  },
  reviewDecision: (pull: Pull, _: unknown, { db }: Context) => reviewDecision(db, pull),
  reviewRequests: (pull: Pull, args: ConnectionArgs) =>
    connection(
      pull.requestedReviewerIds.map((userId): ReviewRequest => ({ pull, userId })),
      args,
    ),
};

const html = (review: Review, context: Context): string => reviewJson(context, review).html_url;

const ofReview = {
  ...writtenFields((review: Review) => review),
  ...reactableFields((review: Review) => review),
  id: (review: Review) => formatNodeId('reviews', review.id),
  databaseId: (review: Review) => review.id,
  fullDatabaseId: (review: Review) => String(review.id),
  state: (review: Review) => review.state,
  submittedAt: (review: Review) => isoTimeOrNull(review.submittedAt),
  publishedAt: (review: Review) => isoTimeOrNull(review.submittedAt),
  commit: (review: Review) => commitNode(review.repositoryId, review.commitOid),
  authorCanPushToRepository: (review: Review, _: unknown, { db }: Context) => isByWriter(db, review),
  comments: (review: Review, args: ConnectionArgs, { db }: Context) =>
    connection(db.reviewComments.by('reviewId', review.id), args),
  pullRequest: (review: Review, _: unknown, { db }: Context) => db.pulls.must(review.pullId),
  repository: (review: Review, _: unknown, context: Context) => repositoryOf(context, review),
  url: (review: Review, _: unknown, context: Context) => html(review, context),
  resourcePath: (review: Review, _: unknown, context: Context) => html(review, context).slice(context.urls.html.length),
  // Reviews cannot be hidden here: minimizeComment refuses them as not modelled.
  isMinimized: () => false,
  minimizedReason: () => null,
};

export const reviewResolvers: ResolverMap = {
  PullRequest: ofPull,
  PullRequestReview: ofReview,
  ReviewRequest: {
    pullRequest: ({ pull }: ReviewRequest) => pull,
    requestedReviewer: ({ userId }: ReviewRequest, _: unknown, context: Context) => accountNode(context, userId),
    asCodeOwner: () => false,
  },
  Mutation: reviewMutations,
};
