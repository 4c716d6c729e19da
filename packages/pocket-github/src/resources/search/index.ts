import type { Resource } from '../resource.js';
import { searchResolvers } from './graphql.js';
import { searchRoutes } from './rest.js';

export const search: Resource = { name: 'search', routes: searchRoutes, resolvers: searchResolvers };
