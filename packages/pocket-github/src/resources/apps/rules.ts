import { seedInstallation } from './seed-app.js';
import type { App, Installation, Repository, User } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';

/** An App acting for itself, by its JWT: GitHub shows its bot as the sender. */
export function actorOfApp(app: App): Actor {
  return { userId: app.botId, viaAppId: app.id };
}

/**
 * Installs an App on an account, with what the App asks for.
 * @internal On github.com only people do this, on a page Pocket does not have: tests do it for them.
 */
export async function installApp(
  world: World,
  actor: Actor,
  app: App,
  account: User,
  repositories: readonly Repository[] | 'all',
): Promise<Installation> {
  const installation = seedInstallation(world, app, account, repositories);
  await world.record(actor, 'installation created', {}, { installationId: installation.id });
  return installation;
}

/** Its tokens stop working at once. */
export async function uninstallApp(world: World, actor: Actor, installation: Installation): Promise<void> {
  world.tables.installations.delete(installation.id);
  await world.record(actor, 'installation deleted', {}, { installationId: installation.id, installation });
}

export async function suspendInstallation(world: World, actor: Actor, installation: Installation): Promise<void> {
  if (installation.suspendedAt !== null) return;
  world.tables.installations.update(installation, { suspendedAt: world.now() });
  await world.record(actor, 'installation suspended', {}, { installationId: installation.id });
}

export async function unsuspendInstallation(world: World, actor: Actor, installation: Installation): Promise<void> {
  if (installation.suspendedAt === null) return;
  world.tables.installations.update(installation, { suspendedAt: null });
  await world.record(actor, 'installation unsuspended', {}, { installationId: installation.id });
}

/**
 * Changes which repositories an installation covers, and records which were added and removed.
 * @internal Done on a page of github.com as well.
 */
export async function selectRepositories(
  world: World,
  actor: Actor,
  installation: Installation,
  repositories: readonly Repository[],
): Promise<Installation> {
  const before =
    installation.repositoryIds === 'all'
      ? world.tables.repositories.by('ownerId', installation.accountId).map(({ id }) => id)
      : installation.repositoryIds;
  const after = repositories.map((repository) => repository.id);
  const changed = world.tables.installations.update(installation, { repositoryIds: after });
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  const installationId = installation.id;
  if (added.length > 0)
    await world.record(actor, 'installation repositories added', {}, { installationId, repositoryIds: added });
  if (removed.length > 0)
    await world.record(actor, 'installation repositories removed', {}, { installationId, repositoryIds: removed });
  return changed;
}
