import { validationFailed } from '../../world/errors.js';
import type { Collaborator, Repository, Role, User } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';

export function collaboratorRow(db: Tables, repository: Repository, userId: number): Collaborator | undefined {
  return db.collaborators.by('repositoryId', repository.id).find((row) => row.userId === userId && row.role !== 'none');
}

/** Gives a user a role. There are no invitations: the user is a collaborator at once. False when the user already had a role. */
export async function setCollaborator(
  world: World,
  actor: Actor,
  repository: Repository,
  user: User,
  role: Role,
): Promise<boolean> {
  if (user.id === repository.ownerId || user.type !== 'User') {
    throw validationFailed({
      resource: 'Repository',
      code: 'custom',
      field: 'user',
      message: 'Repository owner cannot be a collaborator',
    });
  }
  const { collaborators } = world.tables;
  const subject = { repositoryId: repository.id };
  const known = collaboratorRow(world.tables, repository, user.id);
  if (known === undefined) {
    collaborators.insert({ id: world.newId(), repositoryId: repository.id, userId: user.id, role });
    await world.record(actor, 'collaborator added', subject, { userId: user.id, role });
    return true;
  }
  if (known.role === role) return false;
  collaborators.update(known, { role });
  await world.record(actor, 'collaborator edited', subject, { userId: user.id, from: known.role, to: role });
  return false;
}

export async function removeCollaborator(
  world: World,
  actor: Actor,
  repository: Repository,
  user: User,
): Promise<void> {
  const row = collaboratorRow(world.tables, repository, user.id);
  if (row === undefined) return;
  world.tables.collaborators.delete(row.id);
  await world.record(actor, 'collaborator removed', { repositoryId: repository.id }, { userId: user.id });
}
