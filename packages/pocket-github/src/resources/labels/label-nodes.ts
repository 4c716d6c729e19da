import { nodeOf, unresolvedNode } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import type { Label } from '../../world/model.js';

/** The labels behind node ids; those of another repository are as good as none. */
export function labelsOfNodes(context: Context, repositoryId: number, ids: readonly string[]): Label[] {
  return ids.map((id) => {
    const label = nodeOf(context, 'labels', id);
    if (label.repositoryId !== repositoryId) throw unresolvedNode(id);
    return label;
  });
}
