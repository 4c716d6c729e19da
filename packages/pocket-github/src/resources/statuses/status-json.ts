import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { CommitStatus, Oid, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { shortRepositoryJson } from '../repositories/short-repository-json.js';
import { simpleUserById } from '../users/user-json.js';

/** A status as it appears in the combined status. */
export function simpleStatusJson(scope: Scope, status: CommitStatus) {
  const { db, urls } = scope;
  const repository = fullName(db, db.repositories.must(status.repositoryId));
  return {
    url: `${urls.api}/repos/${repository}/statuses/${status.oid}`,
    avatar_url: simpleUserById(scope, status.creatorId).avatar_url,
    id: status.id,
    node_id: formatNodeId('statuses', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: isoTime(status.createdAt),
    updated_at: isoTime(status.createdAt),
  } satisfies components['schemas']['simple-commit-status'];
}

export function statusJson(scope: Scope, status: CommitStatus) {
  return {
    ...simpleStatusJson(scope, status),
    creator: simpleUserById(scope, status.creatorId),
  } satisfies components['schemas']['status'];
}

/** `failure` if any context failed, `pending` if any is or there is none, else `success`. */
function combinedState(statuses: readonly CommitStatus[]): 'failure' | 'pending' | 'success' {
  if (statuses.some(({ state }) => state === 'failure' || state === 'error')) return 'failure';
  return statuses.length === 0 || statuses.some(({ state }) => state === 'pending') ? 'pending' : 'success';
}

/** The combined state of all (the newest of each context), showing one page of them. */
export function combinedStatusJson(
  scope: Scope,
  repository: Repository,
  oid: Oid,
  all: readonly CommitStatus[],
  page: readonly CommitStatus[],
) {
  const commit = `${scope.urls.api}/repos/${fullName(scope.db, repository)}/commits/${oid}`;
  return {
    state: combinedState(all),
    statuses: page.map((status) => simpleStatusJson(scope, status)),
    sha: oid,
    total_count: all.length,
    repository: shortRepositoryJson(scope, repository),
    commit_url: commit,
    url: `${commit}/status`,
  } satisfies components['schemas']['combined-commit-status'];
}
