import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { ReviewComment } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { simplePullJson } from '../pulls/pull-json.js';
import { reviewCommentFacts } from './review-comment-json.js';

function commentOf(context: PayloadContext, comment: ReviewComment) {
  const facts = reviewCommentFacts(context, comment);
  // `null` for the comment on a whole file; not all of the published types admit it.
  return { ...facts, original_line: facts.original_line as number };
}

/** The comment and its pull request. */
function commented(context: PayloadContext, commentId: number) {
  const comment = context.db.reviewComments.must(commentId);
  return {
    comment: commentOf(context, comment),
    pull_request: simplePullJson(context, context.db.pulls.must(comment.pullId)),
  };
}

/** The thread with everything said in it, and its pull request. */
function threaded(context: PayloadContext, threadId: number) {
  const thread = context.db.reviewThreads.must(threadId);
  const comments = context.db.reviewComments.by('threadId', thread.id);
  const pull_request = simplePullJson(context, context.db.pulls.must(thread.pullId));
  return {
    thread: {
      node_id: formatNodeId('reviewThreads', thread.id),
      comments: comments.map((comment) => commentOf(context, comment)),
    },
    pull_request,
    updated_at: pull_request.updated_at,
  };
}

export const threadPayloads: PayloadBuilders = {
  'review comment created': (context, { data }) =>
    webhook('pull_request_review_comment', 'webhook-pull-request-review-comment-created', {
      action: 'created',
      ...commented(context, data.reviewCommentId),
    }),
  'review comment edited': (context, { data }) =>
    webhook('pull_request_review_comment', 'webhook-pull-request-review-comment-edited', {
      action: 'edited',
      changes: { body: { from: data.before } },
      ...commented(context, data.reviewCommentId),
    }),
  'review comment deleted': (context, { data }) =>
    webhook('pull_request_review_comment', 'webhook-pull-request-review-comment-deleted', {
      action: 'deleted',
      ...commented(context, data.reviewCommentId),
    }),
  'thread resolved': (context, { data }) =>
    webhook('pull_request_review_thread', 'webhook-pull-request-review-thread-resolved', {
      action: 'resolved',
      ...threaded(context, data.threadId),
    }),
  'thread unresolved': (context, { data }) =>
    webhook('pull_request_review_thread', 'webhook-pull-request-review-thread-unresolved', {
      action: 'unresolved',
      ...threaded(context, data.threadId),
    }),
};
