import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { authorAssociation } from '../../identity/association.js';
import type { Review } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { pullUrls } from '../pulls/pull-urls.js';
import { simpleUserById } from '../users/user-json.js';

export function reviewJson(scope: Scope, review: Review) {
  const { db } = scope;
  const at = pullUrls(scope, db.pulls.must(review.pullId));
  const html = `${at.html}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: formatNodeId('reviews', review.id),
    user: simpleUserById(scope, review.authorId),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: at.url,
    author_association: authorAssociation(db, db.repositories.must(review.repositoryId), review.authorId),
    _links: { html: { href: html }, pull_request: { href: at.url } },
    // A pending review has not been submitted, so GitHub leaves the member out.
    ...(review.submittedAt === null ? {} : { submitted_at: isoTime(review.submittedAt) }),
    commit_id: review.commitOid,
  } satisfies components['schemas']['pull-request-review'];
}
