import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { accountNode, commitNode, nodeOf, repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { unprocessable } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { MergeQueueEntry, MergeQueueRule, Pull, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { demandWorkflows, MERGE } from '../pulls/access.js';
import { enqueue, leaveQueue } from './enqueue.js';
import { entriesOf, entryOfPull, type Queue, queueRuleOf } from './queue.js';

interface Input<T> {
  readonly input: T;
}

interface Enqueue {
  readonly pullRequestId: string;
  readonly expectedHeadOid?: string | null;
  readonly jump?: boolean | null;
}

/** The queue of a branch, or `null` where the branch has none. */
function queueOrNull(context: Context, queue: Queue): Queue | null {
  return queueRuleOf(context.db, queue) === null ? null : queue;
}

const queueOfPull = (pull: Pull): Queue => ({ repositoryId: pull.repositoryId, branch: pull.baseRef });

const path = ({ repositoryId, branch }: Queue, { db }: Context): string =>
  `/${fullName(db, db.repositories.must(repositoryId))}/queue/${branch}`;

/** The pull request behind an id, once the caller may merge it. */
function mergeablePull(context: Context, id: string): Pull {
  const pull = nodeOf(context, 'pulls', id);
  demand(context.world.tables, context.viewer, repositoryOf(context, pull), MERGE);
  return pull;
}

const mutations = {
  enqueuePullRequest: async (_: unknown, { input }: Input<Enqueue>, context: Context) => {
    const pull = mergeablePull(context, input.pullRequestId);
    await demandWorkflows(context, pull);
    const request = { expectedHead: input.expectedHeadOid, jump: input.jump };
    return { mergeQueueEntry: await enqueue(context.world, actorOf(context.viewer), pull, request) };
  },
  dequeuePullRequest: async (_: unknown, { input }: Input<{ id: string }>, context: Context) => {
    const entry = entryOfPull(context.world.tables, mergeablePull(context, input.id));
    if (entry === undefined) throw unprocessable('Pull request is not in the queue');
    await leaveQueue(context.world, actorOf(context.viewer), entry, 'manual');
    return { mergeQueueEntry: entry };
  },
};

export const mergeQueueResolvers: ResolverMap = {
  Repository: {
    mergeQueue: (repository: Repository, { branch }: { branch?: string | null }, context: Context) =>
      queueOrNull(context, { repositoryId: repository.id, branch: branch ?? repository.defaultBranch }),
  },
  PullRequest: {
    isMergeQueueEnabled: (pull: Pull, _: unknown, context: Context) => queueOrNull(context, queueOfPull(pull)) !== null,
    isInMergeQueue: (pull: Pull, _: unknown, { db }: Context) => entryOfPull(db, pull) !== undefined,
    mergeQueueEntry: (pull: Pull, _: unknown, { db }: Context) => entryOfPull(db, pull) ?? null,
    mergeQueue: (pull: Pull, _: unknown, context: Context) => queueOrNull(context, queueOfPull(pull)),
  },
  MergeQueue: {
    configuration: (queue: Queue, _: unknown, { db }: Context) => queueRuleOf(db, queue),
    entries: (queue: Queue, args: ConnectionArgs, { db }: Context) => connection(entriesOf(db, queue), args),
    // GitHub guesses from past runs; `null` says that it cannot.
    nextEntryEstimatedTimeToMerge: () => null,
    repository: (queue: Queue, _: unknown, context: Context) => repositoryOf(context, queue),
    resourcePath: (queue: Queue, _: unknown, context: Context) => path(queue, context),
    url: (queue: Queue, _: unknown, context: Context) => `${context.urls.html}${path(queue, context)}`,
  },
  MergeQueueConfiguration: {
    checkResponseTimeout: (rule: MergeQueueRule) => Math.round(rule.checkTimeoutMs / 60_000),
    maximumEntriesToMerge: (rule: MergeQueueRule) => rule.maxEntriesToMerge,
    mergeMethod: (rule: MergeQueueRule) => rule.method.toUpperCase(),
    // Every entry must be green by itself; HEADGREEN is not modelled.
    mergingStrategy: () => 'ALLGREEN',
  },
  MergeQueueEntry: {
    id: (entry: MergeQueueEntry) => formatNodeId('queueEntries', entry.id),
    position: (entry: MergeQueueEntry, _: unknown, { db }: Context) =>
      entriesOf(db, entry).findIndex(({ id }) => id === entry.id) + 1,
    state: (entry: MergeQueueEntry) => entry.state,
    jump: (entry: MergeQueueEntry) => entry.jump,
    solo: () => false,
    enqueuedAt: (entry: MergeQueueEntry) => isoTime(entry.enqueuedAt),
    enqueuer: (entry: MergeQueueEntry, _: unknown, context: Context) => accountNode(context, entry.enqueuedById),
    estimatedTimeToMerge: () => null,
    headCommit: ({ repositoryId, headOid }: MergeQueueEntry) =>
      headOid === null ? null : commitNode(repositoryId, headOid),
    baseCommit: ({ repositoryId, baseOid }: MergeQueueEntry) => commitNode(repositoryId, baseOid),
    mergeQueue: ({ repositoryId, branch }: MergeQueueEntry): Queue => ({ repositoryId, branch }),
    pullRequest: (entry: MergeQueueEntry, _: unknown, { db }: Context) => db.pulls.must(entry.pullId),
  },
  Mutation: mutations,
};
