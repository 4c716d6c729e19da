import type { Resource } from '../resource.js';
import { contentResolvers } from './graphql.js';
import { contentRoutes } from './rest.js';

export const contents: Resource = {
  name: 'contents',
  routes: contentRoutes,
  resolvers: contentResolvers,
};
