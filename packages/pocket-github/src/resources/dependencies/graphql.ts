import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueOfNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import type { Issue } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';
import { demandOn, TRIAGE } from '../issues/access.js';
import { visibleIssues } from '../sub-issues/visible-issues.js';
import { addBlockedBy, removeBlockedBy } from './rules.js';
import { blockedIssues, blockersOf, dependenciesSummary, type Dependency } from './summary.js';

interface Order {
  readonly field: 'CREATED_AT' | 'DEPENDENCY_ADDED_AT';
  readonly direction: 'ASC' | 'DESC';
}

type DependencyArgs = ConnectionArgs & { readonly orderBy?: Order | null };

const NEWEST_FIRST: Order = { field: 'DEPENDENCY_ADDED_AT', direction: 'DESC' };

function listed(context: Context, dependencies: readonly Dependency[], args: DependencyArgs) {
  const { field, direction } = args.orderBy ?? NEWEST_FIRST;
  const when = ({ issue, addedAt }: Dependency) => (field === 'CREATED_AT' ? issue.createdAt : addedAt);
  const ascending = dependencies.toSorted((a, b) => when(a) - when(b));
  const ordered = direction === 'ASC' ? ascending : ascending.toReversed();
  return connection(
    visibleIssues(
      context,
      ordered.map(({ issue }) => issue),
    ),
    args,
  );
}

const direction =
  (of: (db: Tables, issue: Issue) => readonly Dependency[]) => (issue: Issue, args: DependencyArgs, context: Context) =>
    listed(context, of(context.db, issue), args);

/** A mutation on the two ends: only the blocked issue is changed, so only there the caller needs rights. */
const mutation =
  (change: (world: World, actor: Actor, blocked: Issue, blocking: Issue) => Promise<void>) =>
  async (_: unknown, { input }: { input: { issueId: string; blockingIssueId: string } }, context: Context) => {
    const blocked = issueOfNode(context, input.issueId);
    demandOn(context, blocked, TRIAGE);
    const blocking = issueOfNode(context, input.blockingIssueId);
    await change(context.world, actorOf(context.viewer), blocked, blocking);
    const { issues } = context.world.tables;
    return { issue: issues.must(blocked.id), blockingIssue: issues.must(blocking.id) };
  };

export const dependencyResolvers: ResolverMap = {
  Issue: {
    blockedBy: direction(blockersOf),
    blocking: direction(blockedIssues),
    issueDependenciesSummary: (issue: Issue, _: unknown, { db }: Context) => {
      const summary = dependenciesSummary(db, issue);
      return {
        blockedBy: summary.blocked_by,
        blocking: summary.blocking,
        totalBlockedBy: summary.total_blocked_by,
        totalBlocking: summary.total_blocking,
      };
    },
  },
  Mutation: { addBlockedBy: mutation(addBlockedBy), removeBlockedBy: mutation(removeBlockedBy) },
};
