import type { Resource } from '../resource.js';
import { compareRoutes } from './compare-rest.js';
import { commitResolvers } from './graphql.js';
import { commitRoutes } from './rest.js';

export const commits: Resource = {
  name: 'commits',
  routes: [...commitRoutes, ...compareRoutes],
  resolvers: commitResolvers,
};
