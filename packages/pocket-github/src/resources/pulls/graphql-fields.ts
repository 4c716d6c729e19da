import { accountNode, accountNodeOrNull, commitNode, issueHalf, repositoryOf } from '../../graphql/nodes.js';
import { tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { findRef, headRepositoryOf, isFromFork } from '../../world/lookup.js';
import type { Pull, Ref } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { isMergeabilityKnown, mergeStateOf } from './merging/mergeability.js';
import { pullState } from './pull-lists.js';
import { pullUrls } from './pull-urls.js';

const branch = ({ db }: Context, repositoryId: number, name: string): Ref | null =>
  findRef(db, repositoryId, `refs/heads/${name}`) ?? null;

const identity = {
  id: (pull: Pull) => formatNodeId('pulls', pull.id),
  databaseId: (pull: Pull) => pull.id,
  fullDatabaseId: (pull: Pull) => String(pull.id),
  url: (pull: Pull, _: unknown, context: Context) => pullUrls(context, pull).html,
  permalink: (pull: Pull, _: unknown, context: Context) => pullUrls(context, pull).html,
  resourcePath: (pull: Pull, _: unknown, context: Context) => pullUrls(context, pull).path,
  checksUrl: (pull: Pull, _: unknown, context: Context) => `${pullUrls(context, pull).html}/checks`,
  checksResourcePath: (pull: Pull, _: unknown, context: Context) => `${pullUrls(context, pull).path}/checks`,
};

const ends = {
  headRef: (pull: Pull, _: unknown, context: Context) => branch(context, pull.headRepositoryId, pull.headRef),
  headRefName: (pull: Pull) => pull.headRef,
  headRefOid: (pull: Pull) => pull.headOid,
  headRepository: (pull: Pull, _: unknown, { db }: Context) => headRepositoryOf(db, pull) ?? null,
  headRepositoryOwner: (pull: Pull, _: unknown, context: Context) => accountNode(context, pull.headOwnerId),
  baseRef: (pull: Pull, _: unknown, context: Context) => branch(context, pull.repositoryId, pull.baseRef),
  baseRefName: (pull: Pull) => pull.baseRef,
  baseRefOid: (pull: Pull) => pull.baseOid,
  baseRepository: (pull: Pull, _: unknown, context: Context) => repositoryOf(context, pull),
  isCrossRepository: isFromFork,
  maintainerCanModify: (pull: Pull) => pull.maintainerCanModify,
  additions: (pull: Pull) => pull.size.additions,
  deletions: (pull: Pull) => pull.size.deletions,
  changedFiles: (pull: Pull) => pull.size.changedFiles,
};

const state = {
  state: (pull: Pull, _: unknown, { db }: Context) => pullState(db, pull),
  closed: (pull: Pull, _: unknown, context: Context) => issueHalf(context, pull).state === 'closed',
  closedAt: (pull: Pull, _: unknown, context: Context) => isoTimeOrNull(issueHalf(context, pull).closedAt),
  isDraft: (pull: Pull) => pull.draft,
  merged: (pull: Pull) => pull.mergedAt !== null,
  mergedAt: (pull: Pull) => isoTimeOrNull(pull.mergedAt),
  mergedBy: (pull: Pull, _: unknown, context: Context) => accountNodeOrNull(context, pull.mergedById),
  mergeCommit: (pull: Pull) =>
    pull.mergeCommitOid === null ? null : commitNode(pull.repositoryId, pull.mergeCommitOid),
};

const mergeability = {
  mergeable: (pull: Pull, _: unknown, { world, db }: Context) => {
    if (!isMergeabilityKnown(world, pull, db)) return 'UNKNOWN';
    return pull.trial.mergeable ? 'MERGEABLE' : 'CONFLICTING';
  },
  mergeStateStatus: (pull: Pull, _: unknown, { world, db }: Context) => mergeStateOf(world, pull, db).toUpperCase(),
  canBeRebased: (pull: Pull, _: unknown, { world, db }: Context) =>
    isMergeabilityKnown(world, pull, db) && pull.trial.rebaseable,
  potentialMergeCommit: (pull: Pull, _: unknown, { world, db }: Context) => {
    const { mergeOid } = pull.trial;
    return mergeOid !== null && isMergeabilityKnown(world, pull, db) ? commitNode(pull.repositoryId, mergeOid) : null;
  },
  autoMergeRequest: (pull: Pull) => (pull.autoMerge === null ? null : pull),
};

export const pullFields = { ...identity, ...ends, ...state, ...mergeability };

/** Fields of the promise to merge; their source is the pull request that has it. */
export const autoMergeFields = {
  authorEmail: () => null,
  commitBody: (pull: Pull) => pull.autoMerge?.commitMessage ?? null,
  commitHeadline: (pull: Pull) => pull.autoMerge?.commitTitle ?? null,
  enabledAt: (pull: Pull) => (pull.autoMerge === null ? null : isoTime(pull.autoMerge.enabledAt)),
  enabledBy: (pull: Pull, _: unknown, context: Context) =>
    accountNodeOrNull(context, pull.autoMerge?.enabledById ?? null),
  mergeMethod: (pull: Pull) => pull.autoMerge?.method.toUpperCase(),
  pullRequest: (pull: Pull) => tagged('PullRequest', pull),
};
