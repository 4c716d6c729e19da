import {
  badCredentials,
  forbidden,
  type GitHubError,
  notAccessibleByIntegration,
  notFound,
  requiresAuthentication,
} from '../world/errors.js';
import {
  type AppPermissionLevel,
  type AppPermissionName,
  type AppPermissions,
  type Repository,
  type Role,
  ROLES_BY_RANK,
  type Token,
} from '../world/model.js';
import type { Tables } from '../world/tables.js';
import type { Viewer } from './viewer.js';

/** What an operation asks of its caller: of an App a permission, of a person a role. */
export interface Need {
  readonly app: `${AppPermissionName}:${AppPermissionLevel}`;
  readonly role: Exclude<Role, 'none'>;
  /** Archived repositories are read-only for everything but what says so here. */
  readonly evenArchived?: true;
}

export function atLeast(role: Role, wanted: Role): boolean {
  return ROLES_BY_RANK.indexOf(role) >= ROLES_BY_RANK.indexOf(wanted);
}

/** A user's role in a repository; on a public repository everybody can at least read, and so can members of its organisation. */
export function roleOf(db: Tables, repository: Repository, userId: number): Role {
  if (repository.ownerId === userId) return 'admin';
  const given = db.collaborators.by('repositoryId', repository.id).find((row) => row.userId === userId)?.role ?? 'none';
  if (given !== 'none') return given;
  const isMember = db.users.get(userId)?.organizationIds?.includes(repository.ownerId) === true;
  return isMember || !repository.private ? 'read' : 'none';
}

function covers(scope: readonly number[] | 'all', repositoryId: number): boolean {
  return scope === 'all' || scope.includes(repositoryId);
}

/** Whether an installation token reaches this repository at all. */
function installationReaches(viewer: Extract<Viewer, { kind: 'installation' }>, repository: Repository): boolean {
  const { installation, token } = viewer;
  return (
    installation.accountId === repository.ownerId &&
    covers(installation.repositoryIds, repository.id) &&
    covers(token.repositoryIds, repository.id)
  );
}

/** Whether a personal token was made for repositories of this kind: `repo` for all, `public_repo` for public ones. */
function scopeReaches(token: Token, repository: Repository): boolean {
  return token.scopes.includes('repo') || (!repository.private && token.scopes.includes('public_repo'));
}

/** Whether the viewer may know that the repository exists. */
export function canSee(db: Tables, viewer: Viewer, repository: Repository): boolean {
  if (!repository.private) return true;
  if (viewer.kind === 'installation') return installationReaches(viewer, repository);
  if (viewer.kind !== 'personal') return false;
  return scopeReaches(viewer.token, repository) && roleOf(db, repository, viewer.user.id) !== 'none';
}

export function hasPermission(permissions: AppPermissions, need: Need['app']): boolean {
  const [name, level] = need.split(':') as [AppPermissionName, AppPermissionLevel];
  const granted = permissions[name] ?? (name === 'metadata' ? 'read' : undefined);
  return granted === 'write' || (granted !== undefined && granted === level);
}

/** What anybody may do with a public repository: only read, and only what a reader may. */
function isPublicRead(repository: Repository, need: Need): boolean {
  return !repository.private && need.role === 'read' && need.app.endsWith(':read');
}

/** Whether the viewer satisfies `need` on the repository. */
export function allows(db: Tables, viewer: Viewer, repository: Repository, need: Need): boolean {
  if (viewer.kind === 'app' || !canSee(db, viewer, repository)) return false;
  if (isPublicRead(repository, need)) return true;
  if (viewer.kind === 'anonymous') return false;
  if (viewer.kind === 'personal') {
    return scopeReaches(viewer.token, repository) && atLeast(roleOf(db, repository, viewer.user.id), need.role);
  }
  return installationReaches(viewer, repository) && hasPermission(viewer.token.permissions ?? {}, need.app);
}

/** Refuses as GitHub does: 404 for what the caller may not see, 401 for anonymous callers, 403 without permission. */
export function demand(db: Tables, viewer: Viewer, repository: Repository, need: Need): void {
  // An App's JWT is good for asking about the App; anywhere else GitHub does not know it.
  if (viewer.kind === 'app') throw badCredentials();
  if (!canSee(db, viewer, repository)) throw notFound();
  if (!allows(db, viewer, repository, need)) throw refusal(viewer, repository, need);
  const writes = !need.app.endsWith(':read');
  if (repository.archived && writes && need.evenArchived !== true)
    throw forbidden('Repository was archived so is read-only.');
}

function refusal(viewer: Exclude<Viewer, { kind: 'app' }>, repository: Repository, need: Need): GitHubError {
  if (viewer.kind === 'anonymous') return requiresAuthentication();
  if (viewer.kind === 'installation') return notAccessibleByIntegration();
  // A token with fewer permissions does not learn which one is missing.
  if (!scopeReaches(viewer.token, repository)) return notFound();
  if (need.role === 'admin' || need.role === 'maintain') return forbidden('Must have admin rights to Repository.');
  return forbidden('Must have push access to repository');
}
