import { validationFailed } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { Repository } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';

/** What can be changed about a repository. What is not named stays. */
export interface RepositoryChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly archived?: boolean | undefined;
  readonly defaultBranch?: string | undefined;
  readonly allowMergeCommit?: boolean | undefined;
  readonly allowSquashMerge?: boolean | undefined;
  readonly allowRebaseMerge?: boolean | undefined;
  readonly allowAutoMerge?: boolean | undefined;
  readonly deleteBranchOnMerge?: boolean | undefined;
}

export async function updateRepository(
  world: World,
  actor: Actor,
  repository: Repository,
  change: RepositoryChange,
): Promise<Repository> {
  const name = change.name === undefined ? repository.name : acceptableName(change.name);
  checkChange(world, repository, { ...change, name });
  const next = world.tables.repositories.update(repository, {
    name,
    formerNames: formerNames(repository, name),
    description: change.description === undefined ? repository.description : change.description,
    archived: change.archived ?? repository.archived,
    defaultBranch: change.defaultBranch ?? repository.defaultBranch,
    allowMergeCommit: change.allowMergeCommit ?? repository.allowMergeCommit,
    allowSquashMerge: change.allowSquashMerge ?? repository.allowSquashMerge,
    allowRebaseMerge: change.allowRebaseMerge ?? repository.allowRebaseMerge,
    allowAutoMerge: change.allowAutoMerge ?? repository.allowAutoMerge,
    deleteBranchOnMerge: change.deleteBranchOnMerge ?? repository.deleteBranchOnMerge,
    updatedAt: world.now(),
  });
  if (next.defaultBranch !== repository.defaultBranch)
    await world.git(repository.id).setDefaultBranch(next.defaultBranch);
  await announce(world, actor, repository, next);
  return next;
}

async function announce(world: World, actor: Actor, before: Repository, after: Repository): Promise<void> {
  const subject = { repositoryId: after.id };
  if (after.name !== before.name) await world.record(actor, 'repository renamed', subject, { from: before.name });
  const edited = {
    ...(after.description === before.description ? {} : { description: before.description }),
    ...(after.defaultBranch === before.defaultBranch ? {} : { defaultBranch: before.defaultBranch }),
  };
  if (Object.keys(edited).length > 0) await world.record(actor, 'repository edited', subject, edited);
  if (after.archived && !before.archived) await world.record(actor, 'repository archived', subject, {});
  if (before.archived && !after.archived) await world.record(actor, 'repository unarchived', subject, {});
}

/** GitHub does not refuse odd characters, it replaces them. */
function acceptableName(name: string): string {
  const accepted = name.trim().replaceAll(/[^\w.-]+/g, '-');
  if (accepted === '') throw validationFailed({ resource: 'Repository', code: 'missing_field', field: 'name' });
  if (/^\.{1,2}$/.test(accepted)) throw validationFailed({ resource: 'Repository', code: 'invalid', field: 'name' });
  return accepted;
}

/** A name taken back is no former name any more. */
function formerNames(repository: Repository, name: string): readonly string[] {
  if (name === repository.name) return repository.formerNames;
  return [...repository.formerNames, repository.name].filter((former) => former.toLowerCase() !== name.toLowerCase());
}

function checkChange(world: World, repository: Repository, change: RepositoryChange & { readonly name: string }): void {
  const siblings = world.tables.repositories.by('ownerId', repository.ownerId);
  if (siblings.some((other) => other.id !== repository.id && other.name.toLowerCase() === change.name.toLowerCase())) {
    throw validationFailed({
      resource: 'Repository',
      code: 'custom',
      field: 'name',
      message: 'name already exists on this account',
    });
  }
  const { defaultBranch = repository.defaultBranch } = change;
  if (
    defaultBranch !== repository.defaultBranch &&
    findRef(world.tables, repository.id, `refs/heads/${defaultBranch}`) === undefined
  ) {
    const message = `The branch ${defaultBranch} was not found. Please push that ref first or create a new branch.`;
    throw validationFailed({ resource: 'Repository', code: 'invalid', field: 'default_branch', message });
  }
  const methods = [
    change.allowMergeCommit ?? repository.allowMergeCommit,
    change.allowSquashMerge ?? repository.allowSquashMerge,
    change.allowRebaseMerge ?? repository.allowRebaseMerge,
  ];
  if (!methods.includes(true)) {
    const message = 'Sorry, you need to allow at least one merge strategy. (no_merge_method)';
    throw validationFailed({ resource: 'Repository', code: 'custom', field: 'merge_commit_allowed', message });
  }
}
