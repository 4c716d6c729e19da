import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { authorAssociation } from '../../identity/association.js';
import type { Comment } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { appJson } from '../apps/app-json.js';
import { issueUrls } from '../issues/issue-urls.js';
import { reactionRollup } from '../reactions/rollup.js';
import { simpleUserById } from '../users/user-json.js';

/** A comment on an issue or on a pull request's conversation. */
export function commentJson(scope: Scope, comment: Comment) {
  const { minimizedReason: reason } = comment;
  return { ...commentFacts(scope, comment), minimized: reason === null ? null : { reason } } satisfies IssueComment;
}

type IssueComment = components['schemas']['issue-comment'];

/** The part that REST answers and webhooks share. */
export function commentFacts(scope: Scope, comment: Comment) {
  const { db } = scope;
  const issue = issueUrls(scope, db.issues.must(comment.issueId));
  const url = `${issue.repository_url}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${issue.html_url}#issuecomment-${comment.id}`,
    issue_url: issue.url,
    id: comment.id,
    node_id: formatNodeId('comments', comment.id),
    user: simpleUserById(scope, comment.authorId),
    created_at: isoTime(comment.createdAt),
    updated_at: isoTime(comment.updatedAt),
    author_association: authorAssociation(db, db.repositories.must(comment.repositoryId), comment.authorId),
    body: comment.body,
    reactions: reactionRollup(scope, comment.id, url),
    performed_via_github_app: comment.viaAppId === null ? null : appJson(scope, db.apps.must(comment.viaAppId)),
  };
}
