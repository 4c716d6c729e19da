import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { fullName, sourceOf } from '../../world/lookup.js';
import { forksOf } from '../forks/rules.js';
import type { Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { simpleUser, simpleUserById } from '../users/user-json.js';
import { repositoryUrls } from './repository-urls.js';

type Schemas = components['schemas'];

/** A repository as it appears in lists and webhooks: no merge settings. */
export function minimalRepositoryJson(scope: Scope, repository: Repository) {
  const { db } = scope;
  const forks = forksOf(db, repository).length;
  const open = db.issues.by('repositoryId', repository.id).filter((issue) => issue.state === 'open').length;
  return {
    id: repository.id,
    node_id: formatNodeId('repositories', repository.id),
    name: repository.name,
    full_name: fullName(db, repository),
    private: repository.private,
    owner: simpleUserById(scope, repository.ownerId),
    description: repository.description,
    fork: repository.parentId !== null,
    ...repositoryUrls(scope, repository),
    created_at: isoTime(repository.createdAt),
    updated_at: isoTime(repository.updatedAt),
    pushed_at: isoTime(repository.pushedAt),
    homepage: null,
    size: 0,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    forks_count: forks,
    archived: repository.archived,
    disabled: false,
    // GitHub counts pull requests as issues here.
    open_issues_count: open,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? ('private' as const) : ('public' as const),
    forks,
    open_issues: open,
    watchers: 0,
    default_branch: repository.defaultBranch,
  } satisfies Schemas['minimal-repository'] & Schemas['repository'];
}

/** How pull requests may be merged. GitHub shows this only to those who may push. */
export function mergeSettings(repository: Repository) {
  return {
    allow_merge_commit: repository.allowMergeCommit,
    allow_squash_merge: repository.allowSquashMerge,
    allow_rebase_merge: repository.allowRebaseMerge,
    allow_auto_merge: repository.allowAutoMerge,
    allow_update_branch: false,
    delete_branch_on_merge: repository.deleteBranchOnMerge,
    use_squash_pr_title_as_default: false,
    squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
    squash_merge_commit_message: 'COMMIT_MESSAGES',
    merge_commit_title: 'MERGE_MESSAGE',
    merge_commit_message: 'PR_TITLE',
  } as const;
}

/** What a fork was made of, and what that goes back to. */
function origins(scope: Scope, repository: Repository) {
  if (repository.parentId === null) return {};
  const parent = scope.db.repositories.must(repository.parentId);
  return {
    parent: minimalRepositoryJson(scope, parent),
    source: minimalRepositoryJson(scope, sourceOf(scope.db, repository)),
  };
}

/** A repository with everything, as its own page of the API shows it to somebody who may push. */
export function repositoryJson(scope: Scope, repository: Repository) {
  const owner = scope.db.users.must(repository.ownerId);
  return {
    ...minimalRepositoryJson(scope, repository),
    ...mergeSettings(repository),
    ...origins(scope, repository),
    network_count: forksOf(scope.db, sourceOf(scope.db, repository)).length,
    subscribers_count: 0,
    ...(owner.type === 'Organization' ? { organization: simpleUser(scope, owner) } : {}),
  } satisfies Schemas['full-repository'] & Schemas['repository'];
}
