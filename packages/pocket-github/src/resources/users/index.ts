import type { Resource } from '../resource.js';
import { userResolvers } from './graphql.js';
import { userRoutes } from './rest.js';

export const users: Resource = { name: 'users', routes: userRoutes, resolvers: userResolvers };
