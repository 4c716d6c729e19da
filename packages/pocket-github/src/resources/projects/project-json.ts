import type { components } from '@octokit/openapi-webhooks-types';
import type { Scope } from '../../http/context.js';
import type { ProjectField, ProjectItem } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { simpleUserById } from '../users/user-json.js';
import { creatorOf } from './cards.js';

type Schemas = components['schemas'];

/** A card as webhooks show it. */
export function projectItemJson(scope: Scope, item: ProjectItem) {
  const issue = scope.db.issues.must(item.issueId);
  return {
    id: item.id,
    node_id: formatNodeId('projectItems', item.id),
    project_node_id: formatNodeId('projects', item.projectId),
    content_node_id: issue.pullId === null ? formatNodeId('issues', issue.id) : formatNodeId('pulls', issue.pullId),
    content_type: issue.pullId === null ? 'Issue' : 'PullRequest',
    creator: simpleUserById(scope, creatorOf(scope.db, item)),
    created_at: isoTime(item.createdAt),
    updated_at: isoTime(item.updatedAt),
    archived_at: null,
  } satisfies Schemas['projects-v2-item'];
}

/** A field's value as webhooks show it: a single select as its whole option. */
export function fieldValueJson(field: ProjectField, value: string | number | null) {
  if (field.type !== 'SINGLE_SELECT') return value;
  return field.options.find((option) => option.id === value) ?? null;
}
