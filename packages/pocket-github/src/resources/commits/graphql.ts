import type { CommitNode } from '../../graphql/commit-node.js';
import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { commitNode, nodeOf } from '../../graphql/nodes.js';
import { type ResolverMap, tagged } from '../../graphql/resolvers.js';
import type { GitCommit } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { isoTime } from '../../world/time.js';
import { objectFields, objectPath } from '../git-data/object-fields.js';
import { treeEntryAt } from '../git-data/tree-entry.js';
import { comparisonFields } from './comparison-graphql.js';
import { actorFields, authorsOf } from './git-actor.js';
import { type HistoryFilter, historyOf } from './history.js';
import { splitMessage } from './message-parts.js';

async function read({ repositoryId, oid }: CommitNode, { world }: Context): Promise<GitCommit> {
  const commit = await world.git(repositoryId).commit(oid);
  if (commit === null)
    throw new Error(`${oid} is shown as a commit of repository ${repositoryId}, which has none such`);
  return commit;
}

/** A field that the commit itself tells. */
const told =
  <T>(tell: (commit: GitCommit) => T) =>
  async (node: CommitNode, _: unknown, context: Context): Promise<T> =>
    tell(await read(node, context));

/** How much the commit changes, compared with its first parent. */
async function changes(node: CommitNode, context: Context) {
  const { oid, parents } = await read(node, context);
  return context.world.git(node.repositoryId).changes(parents[0] ?? null, oid);
}

const message = {
  message: told((commit) => commit.message.trimEnd()),
  messageHeadline: told((commit) => splitMessage(commit.message).title),
  messageBody: told((commit) => splitMessage(commit.message).body),
};

const people = {
  author: told(({ author }) => author),
  committer: told(({ committer }) => committer),
  authors: async (node: CommitNode, args: ConnectionArgs, context: Context) =>
    connection(authorsOf(await read(node, context)), args),
  authoredByCommitter: told(
    ({ author, committer }) => author.email === committer.email && author.name === committer.name,
  ),
  authoredDate: told(({ author }) => isoTime(author.at)),
  committedDate: told(({ committer }) => isoTime(committer.at)),
  committedViaWeb: told(({ committer }) => committer.email === 'noreply@github.com'),
  onBehalfOf: () => null,
  // Signatures are not modelled: nothing here is signed.
  signature: () => null,
};

const size = {
  additions: async (node: CommitNode, _: unknown, context: Context) =>
    (await changes(node, context)).reduce((sum, change) => sum + change.additions, 0),
  deletions: async (node: CommitNode, _: unknown, context: Context) =>
    (await changes(node, context)).reduce((sum, change) => sum + change.deletions, 0),
  changedFiles: async (node: CommitNode, _: unknown, context: Context) => (await changes(node, context)).length,
  changedFilesIfAvailable: async (node: CommitNode, _: unknown, context: Context) =>
    (await changes(node, context)).length,
};

const links = {
  url: (node: CommitNode, _: unknown, context: Context) => `${context.urls.html}${objectPath(context, node, 'commit')}`,
  resourcePath: (node: CommitNode, _: unknown, context: Context) => objectPath(context, node, 'commit'),
  treeUrl: (node: CommitNode, _: unknown, context: Context) =>
    `${context.urls.html}${objectPath(context, node, 'tree')}`,
  treeResourcePath: (node: CommitNode, _: unknown, context: Context) => objectPath(context, node, 'tree'),
};

interface HistoryArgs extends ConnectionArgs, Pick<HistoryFilter, 'path' | 'since' | 'until'> {
  readonly author?: { readonly id?: string | null; readonly emails?: readonly string[] | null } | null;
}

/** GitHub takes the id before the addresses. */
function wantedAuthors(author: HistoryArgs['author'], context: Context): readonly string[] | undefined {
  if (author?.id) return [nodeOf(context, 'users', author.id).email];
  return author?.emails ?? undefined;
}

const surroundings = {
  parents: async (node: CommitNode, args: ConnectionArgs, context: Context) => {
    const { parents } = await read(node, context);
    return connection(
      parents.map((oid) => commitNode(node.repositoryId, oid)),
      args,
    );
  },
  tree: async (node: CommitNode, _: unknown, context: Context) =>
    tagged('Tree', { repositoryId: node.repositoryId, oid: (await read(node, context)).tree, path: '' }),
  file: (node: CommitNode, { path }: { path: string }, { world }: Context) =>
    treeEntryAt(world, node.repositoryId, node.oid, path),
  history: async ({ repositoryId, oid }: CommitNode, args: HistoryArgs, context: Context) => {
    const { path, since, until } = args;
    const authors = wantedAuthors(args.author, context);
    const commits = await historyOf(context.world, repositoryId, oid, { path, since, until, authors });
    return connection(
      commits.map((commit) => commitNode(repositoryId, commit.oid)),
      args,
    );
  },
};

export const commitResolvers: ResolverMap = {
  Commit: { ...objectFields('Commit'), ...message, ...people, ...size, ...links, ...surroundings },
  GitActor: actorFields,
  Comparison: comparisonFields,
};
