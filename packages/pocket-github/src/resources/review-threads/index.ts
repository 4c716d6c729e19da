import type { Resource } from '../resource.js';
import { threadResolvers } from './graphql.js';
import { relocateThreads } from './relocate.js';
import { reviewCommentRoutes } from './rest.js';
import { threadPayloads } from './webhooks.js';

export const reviewThreads: Resource = {
  name: 'review threads',
  routes: reviewCommentRoutes,
  resolvers: threadResolvers,
  payloads: threadPayloads,
  reactions: [relocateThreads],
};
