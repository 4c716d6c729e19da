import { randomBytes } from 'node:crypto';
import { commitFiles } from '../git/seed-commits.js';
import { refsMoved } from '../resources/refs/rules.js';
import type { Repository, Role, Token, User } from '../world/model.js';
import type { World } from '../world/world.js';

/* Creates what cannot be made through the API: accounts, Apps, the first commit. */

export function seedUser(world: World, given: { login: string; type?: User['type']; name?: string }): User {
  return world.tables.users.insert({
    id: world.newId(),
    login: given.login,
    name: given.name ?? null,
    email: `${given.login.replace('[bot]', '-bot')}@users.noreply.example.com`,
    type: given.type ?? 'User',
    siteAdmin: false,
    createdAt: world.now(),
  });
}

export interface NewRepository {
  readonly owner: User;
  readonly name: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly defaultBranch?: string;
  /** Content of the first commit; an empty repository without. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Partial<
    Pick<
      Repository,
      'allowMergeCommit' | 'allowSquashMerge' | 'allowRebaseMerge' | 'allowAutoMerge' | 'deleteBranchOnMerge' | 'ci'
    >
  >;
}

/** Adds the record and the real bare repository behind it. */
export async function seedRepository(world: World, given: NewRepository): Promise<Repository> {
  const now = world.now();
  const repository = world.tables.repositories.insert({
    id: world.newId(),
    ownerId: given.owner.id,
    name: given.name,
    formerNames: [],
    parentId: null,
    description: given.description ?? null,
    private: given.private ?? false,
    archived: false,
    defaultBranch: given.defaultBranch ?? 'main',
    allowMergeCommit: true,
    allowSquashMerge: true,
    allowRebaseMerge: true,
    allowAutoMerge: false,
    deleteBranchOnMerge: false,
    nextNumber: 1,
    ci: [],
    createdAt: now,
    updatedAt: now,
    pushedAt: now,
    ...given.settings,
  });
  await world.gitStore.create(repository.id, repository.defaultBranch);
  if (given.files !== undefined) await commitFirst(world, repository, given.owner, given.files);
  return repository;
}

async function commitFirst(
  world: World,
  repository: Repository,
  owner: User,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const git = world.git(repository.id);
  const author = { name: owner.name ?? owner.login, email: owner.email, at: world.now() };
  const oid = await commitFiles(git, { parent: null, files, message: 'Initial commit', author });
  const update = { name: `refs/heads/${repository.defaultBranch}`, before: null, after: oid };
  await world.exclusive(repository.id, async () => {
    await git.updateRefs([update]);
    await refsMoved(world, { userId: owner.id, viaAppId: null }, repository, [update]);
  });
}

export function seedCollaborator(world: World, repository: Repository, user: User, role: Role): void {
  world.tables.collaborators.insert({ id: world.newId(), repositoryId: repository.id, userId: user.id, role });
}

export function seedPersonalToken(world: World, user: User, scopes: readonly string[] = ['repo', 'workflow']): Token {
  return world.tables.tokens.insert({
    id: world.newId(),
    // Must be unguessable: with it anybody can push, and CI runs what is pushed.
    text: `ghp_${randomBytes(18).toString('hex')}`,
    kind: 'personal',
    userId: user.id,
    installationId: null,
    permissions: null,
    repositoryIds: 'all',
    scopes,
    createdAt: world.now(),
    expiresAt: null,
    revokedAt: null,
  });
}
