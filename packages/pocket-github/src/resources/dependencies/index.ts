import type { Resource } from '../resource.js';
import { dependencyResolvers } from './graphql.js';
import { dependencyRoutes } from './rest.js';
import { dependencyPayloads } from './webhooks.js';

export const dependencies: Resource = {
  name: 'dependencies',
  routes: dependencyRoutes,
  resolvers: dependencyResolvers,
  payloads: dependencyPayloads,
};
