import type { components } from '@octokit/openapi-types';
import type { IssueType } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';

export function issueTypeJson(type: IssueType) {
  return {
    id: type.id,
    node_id: formatNodeId('issueTypes', type.id),
    name: type.name,
    description: type.description,
    color: type.color,
    created_at: isoTime(type.createdAt),
    updated_at: isoTime(type.createdAt),
    is_enabled: true,
  } satisfies components['schemas']['issue-type'];
}
