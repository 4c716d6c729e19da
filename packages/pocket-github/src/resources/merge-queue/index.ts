import type { Resource } from '../resource.js';
import { mergeQueueResolvers } from './graphql.js';
import { followBase, followChecks, followPull, queueAutoMerges } from './reactions.js';
import { mergeQueuePayloads } from './webhooks.js';

export const mergeQueue: Resource = {
  name: 'merge queue',
  resolvers: mergeQueueResolvers,
  payloads: mergeQueuePayloads,
  reactions: [followPull, followBase, followChecks, queueAutoMerges],
};
