import type { Resource } from '../resource.js';
import { issueResolvers } from './graphql.js';
import { issueRoutes } from './rest.js';
import { issuePayloads } from './webhooks.js';

export const issues: Resource = {
  name: 'issues',
  routes: issueRoutes,
  resolvers: issueResolvers,
  payloads: issuePayloads,
};
