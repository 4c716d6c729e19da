import type { Resource } from '../resource.js';
import { labelResolvers } from './graphql.js';
import { labelRoutes } from './rest.js';
import { labelPayloads } from './webhooks.js';

export const labels: Resource = {
  name: 'labels',
  routes: labelRoutes,
  resolvers: labelResolvers,
  payloads: labelPayloads,
};
