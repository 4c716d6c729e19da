import type { Resource } from '../resource.js';
import { collaboratorResolvers } from './graphql.js';
import { collaboratorRoutes } from './rest.js';
import { collaboratorPayloads } from './webhooks.js';

export const collaborators: Resource = {
  name: 'collaborators',
  routes: collaboratorRoutes,
  resolvers: collaboratorResolvers,
  payloads: collaboratorPayloads,
};
