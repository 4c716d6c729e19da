import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import type { Repository, User } from '../../world/model.js';

/** How an account has to do with a repository. */
export type Affiliation = 'OWNER' | 'COLLABORATOR' | 'ORGANIZATION_MEMBER';

/** Repositories an account has to do with in the ways asked for, as far as the viewer may know them. */
export function affiliatedRepositories(
  { db, viewer }: Context,
  user: User,
  wanted: readonly Affiliation[],
): Repository[] {
  const collaborates = new Set(db.collaborators.by('userId', user.id).map((row) => row.repositoryId));
  const belongs = new Set(user.organizationIds);
  return db.repositories
    .all()
    .filter(
      (repository) =>
        canSee(db, viewer, repository) &&
        ((wanted.includes('OWNER') && repository.ownerId === user.id) ||
          (wanted.includes('COLLABORATOR') && collaborates.has(repository.id)) ||
          (wanted.includes('ORGANIZATION_MEMBER') && belongs.has(repository.ownerId))),
    );
}

/** What repositories can be sorted by. */
export type RepositoryOrder = 'name' | 'createdAt' | 'updatedAt' | 'pushedAt';

export function sortRepositories(
  repositories: Repository[],
  order: RepositoryOrder,
  direction: 'asc' | 'desc',
): Repository[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: Repository, b: Repository): number => {
    if (order === 'name') return a.name.localeCompare(b.name, 'en', { sensitivity: 'base' });
    return a[order] - b[order];
  };
  return repositories.sort((a, b) => sign * (compare(a, b) || a.id - b.id));
}
