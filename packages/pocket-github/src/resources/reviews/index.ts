import type { Resource } from '../resource.js';
import { reviewResolvers } from './graphql.js';
import { reviewRoutes } from './rest.js';
import { dismissStaleApprovals } from './stale.js';
import { reviewPayloads } from './webhooks.js';

export const reviews: Resource = {
  name: 'reviews',
  routes: reviewRoutes,
  resolvers: reviewResolvers,
  payloads: reviewPayloads,
  reactions: [dismissStaleApprovals],
};
