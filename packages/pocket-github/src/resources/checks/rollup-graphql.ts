import type { CommitNode } from '../../graphql/commit-node.js';
import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { repositoryOf } from '../../graphql/nodes.js';
import { type ResolverMap, tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import type { CheckRun, CommitStatus, Pull } from '../../world/model.js';
import { type Rollup, rollupOf, rollupState } from './rollup.js';

function rollupFor(context: Context, commit: CommitNode): Rollup | null {
  const repository = repositoryOf(context, commit);
  demand(context.db, context.viewer, repository, { app: 'checks:read', role: 'read' });
  demand(context.db, context.viewer, repository, { app: 'statuses:read', role: 'read' });
  return rollupOf(context.db, repository, commit.oid);
}

/** Check runs and statuses as one connection, with the counts GitHub adds to it. */
export function contextConnection(runs: readonly CheckRun[], statuses: readonly CommitStatus[], args: ConnectionArgs) {
  const nodes = [
    ...runs.map((run) => tagged('CheckRun', run)),
    ...statuses.map((status) => tagged('StatusContext', status)),
  ];
  return {
    ...connection<(typeof nodes)[number]>(nodes, args),
    checkRunCount: runs.length,
    statusContextCount: statuses.length,
    checkRunCountsByState: counts(runs, (run) => (run.conclusion ?? run.status).toUpperCase()),
    statusContextCountsByState: counts(statuses, (status) => status.state.toUpperCase()),
  };
}

interface StateCount {
  readonly state: string;
  readonly count: number;
}

function counts<T>(rows: readonly T[], stateOf: (row: T) => string): StateCount[] {
  return [...new Set(rows.map(stateOf))].map((state) => ({
    state,
    count: rows.filter((row) => stateOf(row) === state).length,
  }));
}

const stateCount = {
  state: ({ state }: StateCount) => state,
  count: ({ count }: StateCount) => count,
};

export const rollupResolvers: ResolverMap = {
  Commit: {
    statusCheckRollup: (commit: CommitNode, _: unknown, context: Context) => rollupFor(context, commit),
  },
  PullRequest: {
    statusCheckRollup: ({ repositoryId, headOid }: Pull, _: unknown, context: Context) =>
      rollupFor(context, { repositoryId, oid: headOid }),
  },
  StatusCheckRollup: {
    id: ({ repositoryId, oid }: Rollup) => `SCR_kwDO${repositoryId.toString(36).padStart(8, '0')}${oid}`,
    state: (rollup: Rollup) => rollupState(rollup),
    commit: ({ repositoryId, oid }: Rollup): CommitNode => ({ repositoryId, oid }),
    contexts: ({ runs, statuses }: Rollup, args: ConnectionArgs) => contextConnection(runs, statuses, args),
  },
  CheckRunStateCount: stateCount,
  StatusContextStateCount: stateCount,
};
