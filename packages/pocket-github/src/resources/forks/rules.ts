import { forbidden, UnmodelledError } from '../../world/errors.js';
import { sourceOf } from '../../world/lookup.js';
import type { Oid, Repository, User } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';
import { closePull } from '../pulls/rules.js';

/** How a fork is to be made. */
export interface NewFork {
  readonly owner: User;
  /** The parent's name, without. */
  readonly name?: string | undefined;
  readonly defaultBranchOnly?: boolean | undefined;
}

/** The forks of a repository, and theirs. */
export function forksOf(db: Tables, repository: Repository): readonly Repository[] {
  const direct = db.repositories.by('parentId', repository.id);
  return direct.flatMap((fork) => [fork, ...forksOf(db, fork)]);
}

/** Copies branches and tags into a repository of somebody else. Who has one of the same network already gets that one, as on GitHub. */
export async function forkRepository(world: World, parent: Repository, given: NewFork): Promise<Repository> {
  const { owner, defaultBranchOnly = false } = given;
  checkForkable(world.tables, parent, owner);
  return world.exclusive(parent.id, async () => {
    const known = ownFork(world.tables, parent, owner);
    if (known !== undefined) return known;
    const refs = world.tables.refs
      .by('repositoryId', parent.id)
      .filter(({ name }) => isCopied(parent, name, defaultBranchOnly));
    const fork = insertFork(world, parent, given);
    const git = await world.gitStore.create(fork.id, fork.defaultBranch);
    await copyRefs(
      world,
      parent,
      fork,
      refs.map(({ name, oid }) => ({ name, oid })),
    );
    await git.setDefaultBranch(fork.defaultBranch);
    return fork;
  });
}

/** What GitHub refuses, and what is not modelled. */
function checkForkable(db: Tables, parent: Repository, owner: User): void {
  if (db.refs.by('repositoryId', parent.id).length === 0)
    throw forbidden('The repository exists, but it contains no Git content. Empty repositories cannot be forked.');
  if (parent.private) throw new UnmodelledError('forks of private repositories');
  if (parent.ownerId === owner.id) throw new UnmodelledError('forks by the owner of the repository');
  const listens = db.installations
    .all()
    .some(({ accountId, events }) => accountId === parent.ownerId && events.includes('fork'));
  if (listens) throw new UnmodelledError('the webhook fork');
}

const ownFork = (db: Tables, parent: Repository, owner: User): Repository | undefined =>
  db.repositories.by('ownerId', owner.id).find((candidate) => sourceOf(db, candidate).id === sourceOf(db, parent).id);

function isCopied({ defaultBranch }: Repository, name: string, defaultBranchOnly: boolean): boolean {
  return defaultBranchOnly ? name === `refs/heads/${defaultBranch}` : /^refs\/(heads|tags)\//.test(name);
}

/** A fork has its parent's branches, and none of its rules, issues, collaborators or jobs. */
function insertFork(world: World, parent: Repository, { owner, name }: NewFork): Repository {
  const now = world.now();
  return world.tables.repositories.insert({
    ...parent,
    id: world.newId(),
    ownerId: owner.id,
    name: freeName(world.tables, owner, name ?? parent.name),
    formerNames: [],
    parentId: parent.id,
    archived: false,
    allowAutoMerge: false,
    deleteBranchOnMerge: false,
    nextNumber: 1,
    ci: [],
    createdAt: now,
    updatedAt: now,
    pushedAt: parent.pushedAt,
  });
}

/** As GitHub does: a number behind a name that is taken. */
function freeName(db: Tables, owner: User, wanted: string): string {
  const taken = new Set(db.repositories.by('ownerId', owner.id).map(({ name }) => name.toLowerCase()));
  for (let count = 0; ; count += 1) {
    const name = count === 0 ? wanted : `${wanted}-${count}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

async function copyRefs(
  world: World,
  parent: Repository,
  fork: Repository,
  refs: readonly { readonly name: string; readonly oid: Oid }[],
): Promise<void> {
  const git = world.git(fork.id);
  await git.takeFrom(
    world.git(parent.id),
    refs.map(({ oid }) => oid),
  );
  await git.updateRefs(refs.map(({ name, oid }) => ({ name, before: null, after: oid })));
  for (const { name, oid } of refs) world.tables.refs.insert({ id: world.newId(), repositoryId: fork.id, name, oid });
}

/** Deletes a fork. Open pull requests from it are closed; they and their commits stay where they were sent to. */
export async function deleteFork(world: World, actor: Actor, fork: Repository): Promise<void> {
  const { tables } = world;
  await world.exclusive(fork.id, async () => {
    const isInstalled = tables.installations.all().some(({ accountId }) => accountId === fork.ownerId);
    if (fork.parentId === null || forksOf(tables, fork).length > 0 || fork.nextNumber > 1 || isInstalled)
      throw new UnmodelledError('deleting a repository that is more than a fork without issues and Apps');
    for (const pull of tables.pulls.by('headRepositoryId', fork.id)) {
      if (tables.issues.must(pull.issueId).state === 'open') await closePull(world, actor, pull);
    }
    for (const { id } of tables.refs.by('repositoryId', fork.id)) tables.refs.delete(id);
    for (const { id } of tables.collaborators.by('repositoryId', fork.id)) tables.collaborators.delete(id);
    tables.repositories.delete(fork.id);
  });
}
