import type { CommitNode } from '../../graphql/commit-node.js';
import type { ConnectionArgs } from '../../graphql/connection.js';
import { accountNode, repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import type { CommitStatus } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { isRequiredStatus } from '../checks/required.js';
import { type PullReference, rulesForPull } from '../checks/required-for-pull.js';
import { type Rollup, rollupOf, rollupState } from '../checks/rollup.js';
import { contextConnection } from '../checks/rollup-graphql.js';
import { simpleUserById } from '../users/user-json.js';

/** Of a commit, `null` unless somebody has set a status. */
function statusOf(commit: CommitNode, _: unknown, context: Context): Rollup | null {
  const repository = repositoryOf(context, commit);
  demand(context.db, context.viewer, repository, { app: 'statuses:read', role: 'read' });
  const rollup = rollupOf(context.db, repository, commit.oid);
  return rollup === null || rollup.statuses.length === 0 ? null : rollup;
}

const named = (statuses: readonly CommitStatus[], name: string): CommitStatus | null =>
  statuses.find((status) => status.context.toLowerCase() === name.toLowerCase()) ?? null;

export const statusResolvers: ResolverMap = {
  Commit: { status: statusOf },
  Status: {
    id: ({ repositoryId, oid }: Rollup) => `S_kwDO${repositoryId.toString(36).padStart(8, '0')}${oid}`,
    // Unlike the rollup, a status knows nothing of check runs.
    state: ({ statuses }: Rollup) => rollupState({ runs: [], statuses }),
    commit: ({ repositoryId, oid }: Rollup): CommitNode => ({ repositoryId, oid }),
    context: ({ statuses }: Rollup, { name }: { name: string }) => named(statuses, name),
    contexts: ({ statuses }: Rollup) => statuses,
    combinedContexts: ({ runs, statuses }: Rollup, args: ConnectionArgs) => contextConnection(runs, statuses, args),
  },
  StatusContext: {
    id: (status: CommitStatus) => formatNodeId('statuses', status.id),
    context: (status: CommitStatus) => status.context,
    state: (status: CommitStatus) => status.state.toUpperCase(),
    description: (status: CommitStatus) => status.description,
    targetUrl: (status: CommitStatus) => status.targetUrl,
    createdAt: (status: CommitStatus) => isoTime(status.createdAt),
    creator: (status: CommitStatus, _: unknown, context: Context) => accountNode(context, status.creatorId),
    avatarUrl: (status: CommitStatus, { size }: { size?: number }, context: Context) =>
      `${simpleUserById(context, status.creatorId).avatar_url}?s=${size ?? 40}`,
    commit: ({ repositoryId, oid }: CommitStatus): CommitNode => ({ repositoryId, oid }),
    isRequired: (status: CommitStatus, reference: PullReference, context: Context) =>
      isRequiredStatus(context.db, rulesForPull(context, repositoryOf(context, status), reference), status),
  },
};
