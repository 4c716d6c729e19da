import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Issue, Pull } from '../../world/model.js';
import { closedByMerge } from './closing-targets.js';

interface ClosedByArgs extends ConnectionArgs {
  readonly includeClosedPrs?: boolean | null;
  readonly orderByState?: boolean | null;
  readonly userLinkedOnly?: boolean | null;
}

const isVisible = ({ db, viewer }: Context, { repositoryId }: Issue | Pull): boolean =>
  canSee(db, viewer, db.repositories.must(repositoryId));

/** Pull requests that name the issue in their description, whatever repository they are in. Links made by hand are not modelled. */
function closedBy(issue: Issue, args: ClosedByArgs, context: Context) {
  const { includeClosedPrs, orderByState, userLinkedOnly } = args;
  if (orderByState === true) throw new UnmodelledError('Issue.closedByPullRequestsReferences(orderByState)');
  if (userLinkedOnly === true) return connection<Pull>([], args);
  const { db } = context;
  const pulls = db.pulls.all().filter((pull) => closedByMerge(db, pull).some(({ id }) => id === issue.id));
  const shown = pulls.filter((pull) => includeClosedPrs === true || db.issues.must(pull.issueId).state === 'open');
  return connection(
    shown.filter((pull) => isVisible(context, pull)),
    args,
  );
}

interface ClosingArgs extends ConnectionArgs {
  readonly orderBy?: unknown;
  readonly userLinkedOnly?: boolean | null;
}

function closing(pull: Pull, args: ClosingArgs, context: Context) {
  if (args.orderBy != null) throw new UnmodelledError('PullRequest.closingIssuesReferences(orderBy)');
  if (args.userLinkedOnly === true) return connection<Issue>([], args);
  const issues = closedByMerge(context.db, pull).filter((issue) => issue.pullId === null && isVisible(context, issue));
  return connection(issues, args);
}

export const closingKeywordResolvers: ResolverMap = {
  Issue: { closedByPullRequestsReferences: closedBy },
  PullRequest: { closingIssuesReferences: closing },
};
