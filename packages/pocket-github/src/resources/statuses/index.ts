import type { Resource } from '../resource.js';
import { statusResolvers } from './graphql.js';
import { statusRoutes } from './rest.js';
import { statusPayloads } from './webhooks.js';

export const statuses: Resource = {
  name: 'statuses',
  routes: statusRoutes,
  resolvers: statusResolvers,
  payloads: statusPayloads,
};
