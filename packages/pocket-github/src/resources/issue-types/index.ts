import type { Resource } from '../resource.js';
import { issueTypeResolvers } from './graphql.js';
import { issueTypeRoutes } from './rest.js';

export const issueTypes: Resource = { name: 'issue-types', routes: issueTypeRoutes, resolvers: issueTypeResolvers };
