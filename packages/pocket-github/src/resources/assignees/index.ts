import type { Resource } from '../resource.js';
import { assigneeResolvers } from './graphql.js';
import { assigneeRoutes } from './rest.js';

export const assignees: Resource = { name: 'assignees', routes: assigneeRoutes, resolvers: assigneeResolvers };
