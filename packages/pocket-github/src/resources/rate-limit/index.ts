import type { Resource } from '../resource.js';
import { rateLimitResolvers } from './graphql.js';
import { rateLimitRoutes } from './rest.js';

export const rateLimit: Resource = { name: 'rate limit', routes: rateLimitRoutes, resolvers: rateLimitResolvers };
