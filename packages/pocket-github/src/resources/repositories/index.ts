import type { Resource } from '../resource.js';
import { repositoryResolvers } from './graphql.js';
import { repositoryListRoutes } from './list-rest.js';
import { repositoryRoutes } from './rest.js';
import { repositoryPayloads } from './webhooks.js';

export const repositories: Resource = {
  name: 'repositories',
  routes: [...repositoryRoutes, ...repositoryListRoutes],
  resolvers: repositoryResolvers,
  payloads: repositoryPayloads,
};
