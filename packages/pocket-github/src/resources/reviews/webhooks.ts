import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import { isoTime } from '../../world/time.js';
import { simplePullJson } from '../pulls/pull-json.js';
import { reviewJson } from './review-json.js';

/** The review and its pull request. Webhooks write the state in small letters, REST in capitals. */
function reviewed(context: PayloadContext, reviewId: number) {
  const review = context.db.reviews.must(reviewId);
  return {
    review: {
      ...reviewJson(context, review),
      // GitHub sends `null` for a review without words.
      body: review.body === '' ? null : review.body,
      state: review.state.toLowerCase(),
      submitted_at: isoTime(review.submittedAt ?? review.createdAt),
      updated_at: isoTime(review.updatedAt),
    },
    pull_request: simplePullJson(context, context.db.pulls.must(review.pullId)),
  };
}

export const reviewPayloads: PayloadBuilders = {
  'review submitted': (context, { data }) =>
    webhook('pull_request_review', 'webhook-pull-request-review-submitted', {
      action: 'submitted',
      ...reviewed(context, data.reviewId),
    }),
  'review edited': (context, { data }) =>
    webhook('pull_request_review', 'webhook-pull-request-review-edited', {
      action: 'edited',
      changes: { body: { from: data.before } },
      ...reviewed(context, data.reviewId),
    }),
  'review dismissed': (context, { data }) => {
    const { review, pull_request } = reviewed(context, data.reviewId);
    return webhook('pull_request_review', 'webhook-pull-request-review-dismissed', {
      action: 'dismissed',
      review: { ...review, state: 'dismissed' },
      pull_request,
    });
  },
};
