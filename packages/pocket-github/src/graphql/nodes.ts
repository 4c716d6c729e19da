import type { Context } from '../http/context.js';
import { GitHubError } from '../world/errors.js';
import type { Issue, Oid, Pull, Repository } from '../world/model.js';
import { tagged } from './resolvers.js';
import { parseNodeId, type Records, type TableName } from '../world/tables.js';
import { isVisible } from './visibility.js';

export const unresolvedNode = (nodeId: string) =>
  new GitHubError(404, `Could not resolve to a node with the global id of '${nodeId}'`);

/** The record behind a node id, or GitHub's NOT_FOUND. */
export function nodeOf<N extends TableName>(context: Context, table: N, nodeId: string): Records[N] {
  const parsed = parseNodeId(nodeId);
  const row = parsed?.table === table ? context.world.tables[table].get(parsed.id) : undefined;
  if (row === undefined || !isVisible(context, table, row)) {
    throw unresolvedNode(nodeId);
  }
  return row;
}

/** The issue, or the issue half of the pull request, behind a node id: most mutations take either. */
export function issueOfNode(context: Context, nodeId: string): Issue {
  if (parseNodeId(nodeId)?.table !== 'pulls') return nodeOf(context, 'issues', nodeId);
  return context.world.tables.issues.must(nodeOf(context, 'pulls', nodeId).issueId);
}

export function repositoryOf(context: Context, row: { readonly repositoryId: number }): Repository {
  return context.db.repositories.must(row.repositoryId);
}

/** An account as GraphQL's `Actor`, `User`, `Bot` or `Organization`. */
export function accountNode(context: Context, userId: number) {
  const user = context.db.users.must(userId);
  return tagged(user.type, user);
}

export function accountNodeOrNull(context: Context, userId: number | null) {
  return userId === null ? null : accountNode(context, userId);
}

/** An issue row as the node it is shown as: itself, or the pull request it is half of. In mutations `db` is the live state. */
export function subjectNode({ db }: Context, issueId: number) {
  const issue = db.issues.must(issueId);
  return issue.pullId === null ? tagged('Issue', issue) : tagged('PullRequest', db.pulls.must(issue.pullId));
}

/** The issue half of an issue or pull request: where title, body, labels and comments live. */
export function issueHalf(context: Context, subject: Issue | Pull): Issue {
  return 'issueId' in subject ? context.db.issues.must(subject.issueId) : subject;
}

/** A commit as a node: its resolvers read git when a field asks for it. */
export function commitNode(repositoryId: number, oid: Oid) {
  return tagged('Commit', { repositoryId, oid });
}
