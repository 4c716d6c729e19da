import type { Resource } from '../resource.js';
import { refResolvers } from './graphql.js';
import { refRoutes } from './rest.js';
import { refPayloads } from './webhooks.js';

export const refs: Resource = {
  name: 'refs',
  routes: refRoutes,
  resolvers: refResolvers,
  payloads: refPayloads,
};
