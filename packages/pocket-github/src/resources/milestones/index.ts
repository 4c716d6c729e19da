import type { Resource } from '../resource.js';
import { milestoneResolvers } from './graphql.js';
import { milestoneRoutes } from './rest.js';

export const milestones: Resource = { name: 'milestones', routes: milestoneRoutes, resolvers: milestoneResolvers };
