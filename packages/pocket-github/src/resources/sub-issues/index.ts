import type { Resource } from '../resource.js';
import { subIssueResolvers } from './graphql.js';
import { subIssueRoutes } from './rest.js';
import { subIssuePayloads } from './webhooks.js';

export const subIssues: Resource = {
  name: 'sub-issues',
  routes: subIssueRoutes,
  resolvers: subIssueResolvers,
  payloads: subIssuePayloads,
};
