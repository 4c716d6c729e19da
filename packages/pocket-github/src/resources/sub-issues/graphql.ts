import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueOfNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { GitHubError, notFound } from '../../world/errors.js';
import { findIssue, findRepository } from '../../world/lookup.js';
import type { Issue } from '../../world/model.js';
import { demandOn, TRIAGE } from '../issues/access.js';
import { addSubIssue, type Place, removeSubIssue, reprioritizeSubIssue } from './rules.js';
import { subIssuesOf, subIssuesSummary } from './summary.js';
import { issueById, visibleIssues } from './visible-issues.js';

interface Input<T> {
  readonly input: T;
}

interface Addition {
  readonly issueId: string;
  readonly subIssueId?: string | null;
  readonly subIssueUrl?: string | null;
  readonly replaceParent?: boolean | null;
}

interface Move {
  readonly issueId: string;
  readonly subIssueId: string;
  readonly afterId?: string | null;
  readonly beforeId?: string | null;
}

const refusal = (message: string) => new GitHubError(422, message, { type: 'VALIDATION' });

/** The parent a mutation names, once the caller may change it. */
function parentIn(context: Context, nodeId: string): Issue {
  const parent = issueOfNode(context, nodeId);
  demandOn(context, parent, TRIAGE);
  return parent;
}

function childIn(context: Context, { subIssueId, subIssueUrl }: Addition): Issue {
  if (subIssueId != null) return issueOfNode(context, subIssueId);
  if (subIssueUrl != null) return issueByUrl(context, subIssueUrl);
  throw refusal('Either `subIssueId` or `subIssueUrl` must be specified.');
}

function issueByUrl(context: Context, url: string): Issue {
  const path = url.startsWith(`${context.urls.html}/`) ? url.slice(context.urls.html.length) : '';
  const [, owner = '', name = '', number] = /^\/([^/]+)\/([^/]+)\/(?:issues|pull)\/(\d+)$/.exec(path) ?? [];
  const repository = findRepository(context.db, owner, name);
  const issue = repository === undefined ? undefined : findIssue(context.db, repository.id, Number(number));
  if (issue === undefined) throw notFound(`Could not resolve to an Issue with the URL '${url}'.`);
  return issueById(context, issue.id);
}

function placeIn(context: Context, { afterId, beforeId }: Move): Place {
  if (afterId != null && beforeId == null) return { after: issueOfNode(context, afterId) };
  if (beforeId != null && afterId == null) return { before: issueOfNode(context, beforeId) };
  throw refusal('Either `afterId` or `beforeId` must be specified, and not both.');
}

const current = (context: Context, issue: Issue): Issue => context.world.tables.issues.must(issue.id);

export const subIssueResolvers: ResolverMap = {
  Issue: {
    parent: (issue: Issue, _: unknown, context: Context) => {
      const parent = issue.parentId === null ? undefined : context.db.issues.get(issue.parentId);
      return parent === undefined ? null : (visibleIssues(context, [parent])[0] ?? null);
    },
    subIssues: (issue: Issue, args: ConnectionArgs, context: Context) =>
      connection(visibleIssues(context, subIssuesOf(context.db, issue)), args),
    subIssuesSummary: (issue: Issue, _: unknown, { db }: Context) => {
      const { total, completed, percent_completed: percentCompleted } = subIssuesSummary(db, issue);
      return { total, completed, percentCompleted };
    },
  },
  Mutation: {
    addSubIssue: async (_: unknown, { input }: Input<Addition>, context: Context) => {
      const parent = parentIn(context, input.issueId);
      const child = childIn(context, input);
      await addSubIssue(context.world, actorOf(context.viewer), parent, child, {
        replaceParent: input.replaceParent ?? false,
      });
      return { issue: current(context, parent), subIssue: current(context, child) };
    },
    removeSubIssue: async (_: unknown, { input }: Input<{ issueId: string; subIssueId: string }>, context: Context) => {
      const parent = parentIn(context, input.issueId);
      const child = issueOfNode(context, input.subIssueId);
      await removeSubIssue(context.world, actorOf(context.viewer), parent, child);
      return { issue: current(context, parent), subIssue: current(context, child) };
    },
    reprioritizeSubIssue: (_: unknown, { input }: Input<Move>, context: Context) => {
      const parent = parentIn(context, input.issueId);
      reprioritizeSubIssue(context.world, parent, issueOfNode(context, input.subIssueId), placeIn(context, input));
      return { issue: current(context, parent) };
    },
  },
};
