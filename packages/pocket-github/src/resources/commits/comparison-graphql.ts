import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { commitNode } from '../../graphql/nodes.js';
import { type Comparison, statusOf } from './comparison.js';

export const comparisonFields = {
  id: ({ repositoryId, base, head }: Comparison) =>
    `CMP_${Buffer.from(`${repositoryId}:${base}...${head}`).toString('base64url')}`,
  status: (comparison: Comparison) => statusOf(comparison).toUpperCase(),
  aheadBy: ({ ahead }: Comparison) => ahead.length,
  behindBy: ({ behindBy }: Comparison) => behindBy,
  baseTarget: ({ repositoryId, base }: Comparison) => commitNode(repositoryId, base),
  headTarget: ({ repositoryId, head }: Comparison) => commitNode(repositoryId, head),
  commits: ({ repositoryId, ahead }: Comparison, args: ConnectionArgs) => ({
    ...connection(
      ahead.map(({ oid }) => commitNode(repositoryId, oid)),
      args,
    ),
    authorCount: new Set(ahead.map(({ author }) => author.email)).size,
  }),
};
