import type { Context } from '../http/context.js';
import { demandProjects } from '../identity/project-access.js';
import { UnmodelledError } from '../world/errors.js';
import type { Row } from '../world/table.js';
import { parseNodeId, type Records, type TableName } from '../world/tables.js';
import { type GitNodeId, parseGitNodeId } from './git-node-id.js';
import { unresolvedNode } from './nodes.js';
import { type Tagged, tagged } from './resolvers.js';
import { isVisible, projectOf } from './visibility.js';

type Typename<N extends TableName> = string | ((row: Records[N]) => string | null) | null;

/** The GraphQL type of each table's records. `null`: GitHub has no such node, or we do not show it as one. */
const TYPENAMES: { readonly [N in TableName]: Typename<N> } = {
  users: (user) => user.type,
  apps: 'App',
  installations: null,
  tokens: null,
  repositories: 'Repository',
  collaborators: null,
  refs: 'Ref',
  labels: 'Label',
  milestones: 'Milestone',
  // The issue half of a pull request has no node of its own.
  issues: (issue) => (issue.pullId === null ? 'Issue' : null),
  issueTypes: 'IssueType',
  comments: 'IssueComment',
  contentEdits: 'UserContentEdit',
  reactions: 'Reaction',
  pulls: 'PullRequest',
  reviews: 'PullRequestReview',
  reviewThreads: 'PullRequestReviewThread',
  reviewComments: 'PullRequestReviewComment',
  checkSuites: 'CheckSuite',
  checkRuns: 'CheckRun',
  statuses: 'StatusContext',
  protections: 'BranchProtectionRule',
  rulesets: 'RepositoryRuleset',
  queueEntries: 'MergeQueueEntry',
  projects: 'ProjectV2',
  projectFields: (field) => (field.type === 'SINGLE_SELECT' ? 'ProjectV2SingleSelectField' : 'ProjectV2Field'),
  projectItems: 'ProjectV2Item',
  deliveries: null,
  events: () => {
    throw new UnmodelledError('Query.node of a timeline event');
  },
};

function typenameOf<N extends TableName>(table: N, row: Records[N]): string | null {
  const typename: Typename<N> = TYPENAMES[table];
  return typeof typename === 'function' ? typename(row) : typename;
}

/** Whatever record or git object has this node id, tagged with its GraphQL type. */
export async function anyNode(context: Context, nodeId: string): Promise<Tagged> {
  const object = parseGitNodeId(nodeId);
  return object === null ? recordNode(context, nodeId) : gitNode(context, nodeId, object);
}

async function gitNode(context: Context, nodeId: string, { typename, repositoryId, oid }: GitNodeId): Promise<Tagged> {
  const repository = context.db.repositories.get(repositoryId);
  if (repository === undefined || !isVisible(context, 'repositories', repository)) throw unresolvedNode(nodeId);
  const object = await context.world.git(repositoryId).object(oid);
  if (object?.type !== typename.toLowerCase()) throw unresolvedNode(nodeId);
  return tagged(typename, { repositoryId, oid });
}

function recordNode(context: Context, nodeId: string): Row & Tagged {
  const parsed = parseNodeId(nodeId);
  const row = parsed === null ? undefined : context.db[parsed.table].get(parsed.id);
  if (parsed === null || row === undefined || !isVisible(context, parsed.table, row)) throw unresolvedNode(nodeId);
  if (projectOf(context.db, parsed.table, row) !== undefined) demandProjects(context.viewer, 'read', 'node');
  const typename = typenameOf(parsed.table, row as never);
  if (typename === null) throw unresolvedNode(nodeId);
  return tagged(typename, row);
}
