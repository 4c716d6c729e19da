import { GitHubError, notAccessibleByIntegration, requiresAuthentication } from '../world/errors.js';
import type { Project } from '../world/model.js';
import type { Tables } from '../world/tables.js';
import { hasPermission } from './access.js';
import type { Viewer } from './viewer.js';

type Level = 'read' | 'write';

/*
 * Projects belong to an account, not to a repository. People need a token with the project scope and be the owner or a
 * member of the organisation; an App needs `organization_projects`, and cannot reach a user's projects at all.
 */

/** Refuses viewers that may not use projects whatever the project; `field` is what they asked for. */
export function demandProjects(viewer: Viewer, level: Level, field: string): void {
  switch (viewer.kind) {
    case 'personal':
      return demandScope(viewer.token.scopes, level, field);
    case 'installation':
      if (hasPermission(viewer.token.permissions ?? {}, `organization_projects:${level}`)) return;
      throw notAccessibleByIntegration();
    case 'app':
      throw notAccessibleByIntegration();
    case 'anonymous':
      throw requiresAuthentication();
  }
}

function demandScope(scopes: readonly string[], level: Level, field: string): void {
  const enough = level === 'read' ? ['read:project', 'project'] : ['project'];
  if (enough.some((scope) => scopes.includes(scope))) return;
  const granted = scopes.map((scope) => `'${scope}'`).join(', ');
  throw new GitHubError(
    403,
    `Your token has not been granted the required scopes to execute this query. The '${field}' field requires one of the following scopes: ['${enough[0]}'], but your token has only been granted the: [${granted}] scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`,
    { type: 'INSUFFICIENT_SCOPES' },
  );
}

/** Whether the viewer may know of the project. Members of an organisation have its default role, which may write. */
export function canUseProject(db: Tables, viewer: Viewer, project: Pick<Project, 'ownerId'>): boolean {
  const owner = db.users.must(project.ownerId);
  if (viewer.kind === 'personal') {
    return owner.id === viewer.user.id || viewer.user.organizationIds?.includes(owner.id) === true;
  }
  return viewer.kind === 'installation' && owner.type === 'Organization' && viewer.installation.accountId === owner.id;
}
