import type { Repository } from '../world/model.js';
import type { Tables } from '../world/tables.js';

/** An author's relation to a repository, as GitHub shows it beside every comment. */
export type AuthorAssociation = 'OWNER' | 'MEMBER' | 'COLLABORATOR' | 'CONTRIBUTOR' | 'NONE';

export function authorAssociation(db: Tables, repository: Repository, userId: number): AuthorAssociation {
  if (repository.ownerId === userId) return 'OWNER';
  if (db.users.get(userId)?.organizationIds?.includes(repository.ownerId) === true) return 'MEMBER';
  const collaborates = db.collaborators
    .by('repositoryId', repository.id)
    .some((row) => row.userId === userId && row.role !== 'none');
  if (collaborates) return 'COLLABORATOR';
  return hasContributed(db, repository, userId) ? 'CONTRIBUTOR' : 'NONE';
}

/** Somebody whose pull request was merged, or who pushed to the default branch (an App may, without being a collaborator). */
function hasContributed(db: Tables, repository: Repository, userId: number): boolean {
  const merged = db.issues
    .by('authorId', userId)
    .some(
      ({ repositoryId, pullId }) =>
        repositoryId === repository.id && pullId !== null && db.pulls.must(pullId).mergedAt !== null,
    );
  if (merged) return true;
  const base = `refs/heads/${repository.defaultBranch}`;
  return db.events
    .by('name', 'pushed')
    .some(
      (event) =>
        event.name === 'pushed' &&
        event.actorId === userId &&
        event.repositoryId === repository.id &&
        event.data.ref === base,
    );
}
