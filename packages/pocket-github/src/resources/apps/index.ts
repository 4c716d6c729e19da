import type { Resource } from '../resource.js';
import { appResolvers } from './graphql.js';
import { installationPayloads } from './installation-payloads.js';
import { appRoutes } from './rest.js';
import { tokenRoutes } from './token-rest.js';

export const apps: Resource = {
  name: 'apps',
  routes: [...appRoutes, ...tokenRoutes],
  resolvers: appResolvers,
  payloads: installationPayloads,
};
