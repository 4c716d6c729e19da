import type { components } from '@octokit/openapi-webhooks-types';
import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import { webhookIssue } from '../issues/webhook-issue.js';
import { commentFacts } from './comment-json.js';

type Created = components['schemas']['webhook-issue-comment-created'];
type Commented = Pick<Created, 'issue' | 'comment'>;

/**
 * The comment and what it is on; a comment on a pull request comes with the pull request seen as an issue.
 * The published schemas want assignees to be objects without members, and some want every comment to be an App's.
 */
function commented(context: PayloadContext, commentId: number): Commented {
  const comment = context.db.comments.must(commentId);
  const issue = context.db.issues.must(comment.issueId);
  return {
    issue: webhookIssue(context, issue) as unknown as Created['issue'],
    comment: commentFacts(context, comment),
  };
}

export const commentPayloads: PayloadBuilders = {
  'comment created': (context, { data }) =>
    webhook('issue_comment', 'webhook-issue-comment-created', {
      action: 'created',
      ...commented(context, data.commentId),
    }),
  'comment edited': (context, { data }) =>
    webhook('issue_comment', 'webhook-issue-comment-edited', {
      action: 'edited',
      changes: { body: { from: data.before } },
      ...(commented(context, data.commentId) as Pick<
        components['schemas']['webhook-issue-comment-edited'],
        'issue' | 'comment'
      >),
    }),
  'comment deleted': (context, { data }) =>
    webhook('issue_comment', 'webhook-issue-comment-deleted', {
      action: 'deleted',
      ...(commented(context, data.commentId) as Pick<
        components['schemas']['webhook-issue-comment-deleted'],
        'issue' | 'comment'
      >),
    }),
};
