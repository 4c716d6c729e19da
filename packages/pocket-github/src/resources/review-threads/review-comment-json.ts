import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { authorAssociation } from '../../identity/association.js';
import type { ReviewComment } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { pullUrls } from '../pulls/pull-urls.js';
import { reactionRollup } from '../reactions/rollup.js';
import { simpleUserById } from '../users/user-json.js';

type Described = components['schemas']['pull-request-review-comment'];
/** GitHub sends `null` for a line that is gone; its description of the REST answer forgets that. */
type Forgotten = 'line' | 'original_line' | 'position';

/** A comment on the diff, as webhooks show it. */
export function reviewCommentFacts(scope: Scope, comment: ReviewComment) {
  const { db } = scope;
  const thread = db.reviewThreads.must(comment.threadId);
  const pull = db.pulls.must(comment.pullId);
  const at = pullUrls(scope, pull);
  const url = `${at.repository}/pulls/comments/${comment.id}`;
  const html = `${at.html}#discussion_r${comment.id}`;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: formatNodeId('reviewComments', comment.id),
    diff_hunk: comment.diffHunk,
    path: thread.path,
    // What is not outdated is shown on the newest commit.
    commit_id: thread.outdated ? thread.commitOid : pull.headOid,
    original_commit_id: thread.commitOid,
    user: simpleUserById(scope, comment.authorId),
    body: comment.body,
    created_at: isoTime(comment.createdAt),
    updated_at: isoTime(comment.updatedAt),
    html_url: html,
    pull_request_url: at.url,
    author_association: authorAssociation(db, db.repositories.must(comment.repositoryId), comment.authorId),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: at.url } },
    start_line: thread.startLine,
    original_start_line: thread.originalStartLine,
    start_side: thread.originalStartLine === null ? null : thread.side,
    line: thread.line,
    original_line: thread.originalLine,
    side: thread.side,
    subject_type: thread.subjectType === 'LINE' ? ('line' as const) : ('file' as const),
    position: thread.position,
    original_position: thread.originalPosition,
    reactions: reactionRollup(scope, comment.id, url),
    ...(comment.inReplyToId === null ? {} : { in_reply_to_id: comment.inReplyToId }),
  } satisfies Omit<Described, Forgotten> & { [K in Forgotten]: number | null };
}

/** A comment on the diff, as REST shows it. */
export function reviewCommentJson(scope: Scope, comment: ReviewComment) {
  const facts = reviewCommentFacts(scope, comment);
  return {
    ...facts,
    line: facts.line as number,
    original_line: facts.original_line as number,
    position: facts.position as number,
  };
}
