import type { Resource } from '../resource.js';
import { commentResolvers } from './graphql.js';
import { commentRoutes } from './rest.js';
import { commentPayloads } from './webhooks.js';

export const comments: Resource = {
  name: 'comments',
  routes: commentRoutes,
  resolvers: commentResolvers,
  payloads: commentPayloads,
};
