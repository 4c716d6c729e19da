import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Milestone } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { simpleUserById } from '../users/user-json.js';

/** Description and due date are not modelled and never set; a milestone cannot be closed. */
export function milestoneJson(scope: Scope, milestone: Milestone) {
  const { db, urls } = scope;
  const name = fullName(db, db.repositories.must(milestone.repositoryId));
  const url = `${urls.api}/repos/${name}/milestones/${milestone.number}`;
  const issues = db.issues.by('milestoneId', milestone.id);
  return {
    url,
    html_url: `${urls.html}/${name}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: formatNodeId('milestones', milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: null,
    creator: simpleUserById(scope, milestone.creatorId),
    open_issues: issues.filter((issue) => issue.state === 'open').length,
    closed_issues: issues.filter((issue) => issue.state === 'closed').length,
    state: milestone.state,
    created_at: isoTime(milestone.createdAt),
    updated_at: isoTime(milestone.createdAt),
    due_on: null,
    closed_at: null,
  } satisfies components['schemas']['milestone'];
}
