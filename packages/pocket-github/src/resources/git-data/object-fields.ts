import { formatGitNodeId, type GitTypename } from '../../graphql/git-node-id.js';
import { repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { ObjectNode } from './object-node.js';

/** Path of a page about an object, below the root of the site. */
export function objectPath({ db }: Context, { repositoryId, oid }: ObjectNode, page: 'commit' | 'tree'): string {
  return `/${fullName(db, db.repositories.must(repositoryId))}/${page}/${oid}`;
}

/** What every `GitObject` has. */
export function objectFields(typename: GitTypename) {
  return {
    id: ({ repositoryId, oid }: ObjectNode) => formatGitNodeId(typename, repositoryId, oid),
    oid: ({ oid }: ObjectNode) => oid,
    abbreviatedOid: ({ oid }: ObjectNode) => oid.slice(0, 7),
    repository: (node: ObjectNode, _: unknown, context: Context) => repositoryOf(context, node),
    commitResourcePath: (node: ObjectNode, _: unknown, context: Context) => objectPath(context, node, 'commit'),
    commitUrl: (node: ObjectNode, _: unknown, context: Context) =>
      `${context.urls.html}${objectPath(context, node, 'commit')}`,
  };
}
