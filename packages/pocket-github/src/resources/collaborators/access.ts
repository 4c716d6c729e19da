import type { Context } from '../../http/context.js';
import { allows } from '../../identity/access.js';
import { forbidden, requiresAuthentication } from '../../world/errors.js';
import type { Repository, User } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';

/** Only people who may push can see the collaborators. */
export function demandPush({ db, viewer }: Context, repository: Repository, what: string): void {
  if (viewer.kind === 'anonymous') throw requiresAuthentication();
  if (allows(db, viewer, repository, { app: 'metadata:read', role: 'write' })) return;
  throw forbidden(`Must have push access to ${what}.`);
}

/** Everybody with a role of their own: the owner, if a person, and the collaborators. */
export function usersWithRole(db: Tables, repository: Repository): User[] {
  const owner = db.users.must(repository.ownerId);
  const rows = db.collaborators.by('repositoryId', repository.id).filter((row) => row.role !== 'none');
  return [...(owner.type === 'User' ? [owner] : []), ...rows.map((row) => db.users.must(row.userId))];
}
