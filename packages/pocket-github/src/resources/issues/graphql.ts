import { connection } from '../../graphql/connection.js';
import { subjectNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { notFound } from '../../world/errors.js';
import { findIssue } from '../../world/lookup.js';
import type { Issue, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTimeOrNull } from '../../world/time.js';
import { allowsOn, orAuthor, reopenNeed, TRIAGE } from './access.js';
import { filterIssues, type IssuesArgs } from './listing/graphql-filter.js';
import { issueUrls } from './issue-urls.js';
import { lockMutations } from './lock-mutations.js';
import { DELETE, issueMutations } from './mutations.js';
import { sharedFields } from './shared-fields.js';

interface Numbered {
  readonly number: number;
}

const canClose = (issue: Issue, _: unknown, context: Context): boolean =>
  allowsOn(context, issue, orAuthor(context, issue, TRIAGE));

/** GitHub hides the reason `duplicate` from clients that did not ask to see it. */
function stateReason(issue: Issue, { enableDuplicate }: { enableDuplicate?: boolean | null }): string | null {
  if (issue.stateReason === 'duplicate' && enableDuplicate !== true) return null;
  return issue.stateReason?.toUpperCase() ?? null;
}

const issueFields = {
  id: (issue: Issue) => formatNodeId('issues', issue.id),
  databaseId: (issue: Issue) => issue.id,
  fullDatabaseId: (issue: Issue) => String(issue.id),
  state: (issue: Issue) => issue.state.toUpperCase(),
  stateReason,
  closed: (issue: Issue) => issue.state === 'closed',
  closedAt: (issue: Issue) => isoTimeOrNull(issue.closedAt),
  url: (issue: Issue, _: unknown, context: Context) => issueUrls(context, issue).html_url,
  resourcePath: (issue: Issue, _: unknown, context: Context) =>
    issueUrls(context, issue).html_url.slice(context.urls.html.length),
  // Pinning is not modelled: pinIssue says so.
  isPinned: () => false,
  viewerCanClose: canClose,
  viewerCanReopen: (issue: Issue, _: unknown, context: Context) => allowsOn(context, issue, reopenNeed(context, issue)),
  viewerCanDelete: (issue: Issue, _: unknown, context: Context) => allowsOn(context, issue, DELETE),
};

function issueNumbered(repository: Repository, { number }: Numbered, { db }: Context): Issue {
  const issue = findIssue(db, repository.id, number);
  if (issue !== undefined && issue.pullId === null) return issue;
  throw notFound(`Could not resolve to an Issue with the number of ${number}.`);
}

function eitherNumbered(repository: Repository, { number }: Numbered, context: Context) {
  const issue = findIssue(context.db, repository.id, number);
  if (issue !== undefined) return subjectNode(context, issue.id);
  throw notFound(`Could not resolve to an issue or pull request with the number of ${number}.`);
}

export const issueResolvers: ResolverMap = {
  Issue: { ...sharedFields, ...issueFields },
  PullRequest: sharedFields,
  Repository: {
    issue: issueNumbered,
    issueOrPullRequest: eitherNumbered,
    issues: (repository: Repository, args: IssuesArgs, { db }: Context) =>
      connection(filterIssues(db, repository, args), args),
  },
  Mutation: { ...issueMutations, ...lockMutations },
};
