import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Label } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';

export function labelJson({ db, urls }: Scope, label: Label) {
  const repository = db.repositories.must(label.repositoryId);
  return {
    id: label.id,
    node_id: formatNodeId('labels', label.id),
    url: `${urls.api}/repos/${fullName(db, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: label.description,
    color: label.color,
    default: label.default,
  } satisfies components['schemas']['label'];
}
