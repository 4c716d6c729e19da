import type { Resource } from '../resource.js';
import { protectionResolvers } from './graphql.js';
import { protectionRoutes } from './rest.js';
import { protectionPayloads } from './webhooks.js';

export const protection: Resource = {
  name: 'protection',
  routes: protectionRoutes,
  resolvers: protectionResolvers,
  payloads: protectionPayloads,
};
