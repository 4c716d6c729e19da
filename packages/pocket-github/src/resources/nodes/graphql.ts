import { anyNode } from '../../graphql/node-types.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { GitHubError } from '../../world/errors.js';

/** `nodes` answers what it can: an id that leads nowhere is a null and an error of its own. */
async function nodeOrError(context: Context, id: string) {
  try {
    return await anyNode(context, id);
  } catch (error) {
    if (error instanceof GitHubError) return error;
    throw error;
  }
}

export const nodeResolvers: ResolverMap = {
  Query: {
    node: (_: unknown, { id }: { id: string }, context: Context) => anyNode(context, id),
    nodes: (_: unknown, { ids }: { ids: string[] }, context: Context) => ids.map((id) => nodeOrError(context, id)),
  },
};
