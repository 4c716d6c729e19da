import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import type { Repository } from '../../world/model.js';
import { minimalRepositoryJson } from './repository-json.js';
import { repositoryUrls } from './repository-urls.js';

/** A repository as statuses, check suites and invitations show it: who and where it is, and nothing of how it is doing. */
export function shortRepositoryJson(scope: Scope, repository: Repository) {
  const { id, node_id, name, full_name, owner, description, fork, ...rest } = minimalRepositoryJson(scope, repository);
  const {
    git_url: _git,
    ssh_url: _ssh,
    clone_url: _clone,
    svn_url: _svn,
    mirror_url: _mirror,
    ...urls
  } = repositoryUrls(scope, repository);
  return {
    id,
    node_id,
    name,
    full_name,
    private: rest.private,
    owner,
    description,
    fork,
    ...urls,
  } satisfies components['schemas']['minimal-repository'];
}
