import type { Resource } from '../resource.js';
import { branchResolvers } from './graphql.js';
import { branchRoutes } from './rest.js';

export const branches: Resource = {
  name: 'branches',
  routes: branchRoutes,
  resolvers: branchResolvers,
};
