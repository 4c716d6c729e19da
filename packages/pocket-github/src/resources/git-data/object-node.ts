import type { CommitNode } from '../../graphql/commit-node.js';
import { type Tagged, tagged } from '../../graphql/resolvers.js';
import type { Oid } from '../../world/model.js';
import type { World } from '../../world/world.js';

/** Source of any `GitObject` of GraphQL: which object of which repository. */
export interface ObjectNode extends CommitNode {
  /** Of a tree that was reached by its path: that path. */
  readonly path?: string;
}

const TYPENAMES = { commit: 'Commit', tree: 'Tree', blob: 'Blob', tag: 'Tag' } as const;

/** An object of a repository, tagged with its GraphQL type; `null` if there is none. */
export async function objectNode(
  world: World,
  repositoryId: number,
  oid: Oid,
  path?: string,
): Promise<(ObjectNode & Tagged) | null> {
  const object = await world.git(repositoryId).object(oid);
  if (object === null) return null;
  return tagged(TYPENAMES[object.type], { repositoryId, oid, ...(path === undefined ? {} : { path }) });
}
