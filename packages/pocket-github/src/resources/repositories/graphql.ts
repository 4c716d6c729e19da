import { accountNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { canSee, hasPermission, roleOf } from '../../identity/access.js';
import { notFound } from '../../world/errors.js';
import { findRepository, fullName } from '../../world/lookup.js';
import type { Repository, User } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { forksOf } from '../forks/rules.js';
import { repositoriesOf } from './owned-repositories.js';
import { mergeSettings } from './repository-json.js';
import { repositoryUrls } from './repository-urls.js';

interface Named {
  readonly name: string;
  readonly followRenames?: boolean | null;
}

/** The repository by its name, or by a former one unless renames are not to be followed. */
function byName(context: Context, owner: string, { name, followRenames }: Named): Repository {
  const repository = findRepository(context.db, owner, name);
  const renamed = repository !== undefined && repository.name.toLowerCase() !== name.toLowerCase();
  if (
    repository !== undefined &&
    !(renamed && followRenames === false) &&
    canSee(context.db, context.viewer, repository)
  ) {
    return repository;
  }
  throw notFound(`Could not resolve to a Repository with the name '${owner}/${name}'.`);
}

const identity = {
  id: (repository: Repository) => formatNodeId('repositories', repository.id),
  databaseId: (repository: Repository) => repository.id,
  name: (repository: Repository) => repository.name,
  nameWithOwner: (repository: Repository, _: unknown, { db }: Context) => fullName(db, repository),
  owner: (repository: Repository, _: unknown, context: Context) => accountNode(context, repository.ownerId),
  url: (repository: Repository, _: unknown, context: Context) => repositoryUrls(context, repository).html_url,
  sshUrl: (repository: Repository, _: unknown, context: Context) => repositoryUrls(context, repository).ssh_url,
  resourcePath: (repository: Repository, _: unknown, { db }: Context) => `/${fullName(db, repository)}`,
  description: (repository: Repository) => repository.description,
  homepageUrl: () => null,
  createdAt: (repository: Repository) => isoTime(repository.createdAt),
  updatedAt: (repository: Repository) => isoTime(repository.updatedAt),
  pushedAt: (repository: Repository) => isoTime(repository.pushedAt),
};

const state = {
  isPrivate: (repository: Repository) => repository.private,
  visibility: (repository: Repository) => (repository.private ? 'PRIVATE' : 'PUBLIC'),
  isArchived: (repository: Repository) => repository.archived,
  isDisabled: () => false,
  isLocked: () => false,
  isFork: (repository: Repository) => repository.parentId !== null,
  parent: ({ parentId }: Repository, _: unknown, { db }: Context) =>
    parentId === null ? null : db.repositories.must(parentId),
  isMirror: () => false,
  isTemplate: () => false,
  isEmpty: (repository: Repository, _: unknown, { db }: Context) =>
    db.refs.by('repositoryId', repository.id).length === 0,
  isInOrganization: (repository: Repository, _: unknown, { db }: Context) =>
    db.users.must(repository.ownerId).type === 'Organization',
  hasIssuesEnabled: () => true,
  hasProjectsEnabled: () => true,
  hasWikiEnabled: () => true,
  hasDiscussionsEnabled: () => false,
  stargazerCount: () => 0,
  forkCount: (repository: Repository, _: unknown, { db }: Context) => forksOf(db, repository).length,
};

const merging = {
  mergeCommitAllowed: (repository: Repository) => repository.allowMergeCommit,
  squashMergeAllowed: (repository: Repository) => repository.allowSquashMerge,
  rebaseMergeAllowed: (repository: Repository) => repository.allowRebaseMerge,
  autoMergeAllowed: (repository: Repository) => repository.allowAutoMerge,
  deleteBranchOnMerge: (repository: Repository) => repository.deleteBranchOnMerge,
  allowUpdateBranch: (repository: Repository) => mergeSettings(repository).allow_update_branch,
  mergeCommitTitle: (repository: Repository) => mergeSettings(repository).merge_commit_title,
  mergeCommitMessage: (repository: Repository) => mergeSettings(repository).merge_commit_message,
  squashMergeCommitTitle: (repository: Repository) => mergeSettings(repository).squash_merge_commit_title,
  squashMergeCommitMessage: (repository: Repository) => mergeSettings(repository).squash_merge_commit_message,
  squashPrTitleUsedAsDefault: (repository: Repository) => mergeSettings(repository).use_squash_pr_title_as_default,
};

const viewing = {
  /** Null for an App, as GitHub's schema says. */
  viewerPermission: (repository: Repository, _: unknown, { db, viewer }: Context) => {
    if (viewer.kind !== 'personal') return null;
    const role = roleOf(db, repository, viewer.user.id);
    return role === 'none' ? null : role.toUpperCase();
  },
  viewerCanAdminister: (repository: Repository, _: unknown, { db, viewer }: Context) => {
    if (viewer.kind === 'installation') return hasPermission(viewer.token.permissions ?? {}, 'administration:write');
    return viewer.kind === 'personal' && roleOf(db, repository, viewer.user.id) === 'admin';
  },
};

const owning = {
  repository: (owner: User, named: Named, context: Context) => byName(context, owner.login, named),
  repositories: repositoriesOf,
};

export const repositoryResolvers: ResolverMap = {
  Repository: { ...identity, ...state, ...merging, ...viewing },
  User: owning,
  Organization: owning,
  Query: {
    repository: (_: unknown, args: Named & { owner: string }, context: Context) => byName(context, args.owner, args),
  },
};
