import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import type { CommitNode } from '../../graphql/commit-node.js';
import { commitNode, repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import type { GitFileChange } from '../../git/git-repository.js';
import { notFound } from '../../world/errors.js';
import { findPull } from '../../world/lookup.js';
import type { Oid, Pull, Ref, Repository } from '../../world/model.js';
import { pullChanges } from '../review-threads/place.js';
import { pullCommits, pullState, pullsWithCommit } from './pull-lists.js';
import { pullUrls } from './pull-urls.js';

interface PullsArgs extends ConnectionArgs {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly headRefName?: string | null;
  readonly baseRefName?: string | null;
  readonly orderBy?: { readonly field: 'CREATED_AT' | 'UPDATED_AT'; readonly direction: 'ASC' | 'DESC' } | null;
}

/** Pull requests as every connection of them filters and orders; oldest first unless told otherwise. */
function pullsMatching({ db }: Context, pulls: readonly Pull[], args: PullsArgs): Pull[] {
  const { states, headRefName, baseRefName, orderBy } = args;
  const labels = args.labels?.map((name) => name.toLowerCase());
  const issueOf = (pull: Pull) => db.issues.must(pull.issueId);
  const isLabelled = (pull: Pull, wanted: readonly string[]) =>
    issueOf(pull).labelIds.some((id) => wanted.includes(db.labels.must(id).name.toLowerCase()));
  const found = pulls
    .filter((pull) => states == null || states.includes(pullState(db, pull)))
    .filter((pull) => headRefName == null || pull.headRef === headRefName)
    .filter((pull) => baseRefName == null || pull.baseRef === baseRefName)
    .filter((pull) => labels === undefined || isLabelled(pull, labels));
  const at = (pull: Pull) => (orderBy?.field === 'UPDATED_AT' ? issueOf(pull).updatedAt : issueOf(pull).createdAt);
  found.sort((a, b) => at(a) - at(b) || a.number - b.number);
  return orderBy?.direction === 'DESC' ? found.reverse() : found;
}

/** One commit of a pull request, as `PullRequestCommit`. */
interface PullCommit {
  readonly pull: Pull;
  readonly oid: Oid;
}

export const pullListFields = {
  commits: async (pull: Pull, args: ConnectionArgs, { world }: Context) => {
    const commits = await pullCommits(world, pull);
    return connection(
      commits.map(({ oid }): PullCommit => ({ pull, oid })),
      args,
    );
  },
  files: async (pull: Pull, args: ConnectionArgs, { world }: Context) =>
    connection(await pullChanges(world, pull, pull.headOid), args),
};

export const pullCommitFields = {
  id: ({ pull, oid }: PullCommit) => `PURC_${Buffer.from(`${pull.id}:${oid}`).toString('base64url')}`,
  commit: ({ pull, oid }: PullCommit) => commitNode(pull.repositoryId, oid),
  pullRequest: ({ pull }: PullCommit) => pull,
  url: ({ pull, oid }: PullCommit, _: unknown, context: Context) => `${pullUrls(context, pull).html}/commits/${oid}`,
  resourcePath: ({ pull, oid }: PullCommit, _: unknown, context: Context) =>
    `${pullUrls(context, pull).path}/commits/${oid}`,
};

const CHANGE_TYPES: { readonly [S in GitFileChange['status']]: string } = {
  added: 'ADDED',
  removed: 'DELETED',
  modified: 'MODIFIED',
  renamed: 'RENAMED',
};

export const changedFileFields = {
  path: (change: GitFileChange) => change.path,
  additions: (change: GitFileChange) => change.additions,
  deletions: (change: GitFileChange) => change.deletions,
  changeType: (change: GitFileChange) => CHANGE_TYPES[change.status],
};

export const repositoryPullFields = {
  pullRequest: (repository: Repository, { number }: { number: number }, { db }: Context) => {
    const pull = findPull(db, repository.id, number);
    if (pull === undefined) throw notFound(`Could not resolve to a PullRequest with the number of ${number}.`);
    return pull;
  },
  pullRequests: (repository: Repository, args: PullsArgs, context: Context) =>
    connection(pullsMatching(context, context.db.pulls.by('repositoryId', repository.id), args), args),
};

/** The pull requests whose head is this branch. */
export function pullsOfRef(ref: Ref, args: PullsArgs, context: Context) {
  const pulls = context.db.pulls
    .by('headRepositoryId', ref.repositoryId)
    .filter((pull) => `refs/heads/${pull.headRef}` === ref.name);
  return connection(pullsMatching(context, pulls, args), args);
}

/** The pull requests that brought this commit to their base, or would. */
export async function pullsOfCommit(commit: CommitNode, args: PullsArgs, context: Context) {
  const pulls = await pullsWithCommit(context.world, context.db, repositoryOf(context, commit), commit.oid);
  return connection(pullsMatching(context, pulls, args), args);
}
