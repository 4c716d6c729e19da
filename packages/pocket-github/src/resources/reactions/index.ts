import type { Resource } from '../resource.js';
import { reactionResolvers } from './graphql.js';
import { reactionRoutes } from './rest.js';

export const reactions: Resource = { name: 'reactions', routes: reactionRoutes, resolvers: reactionResolvers };
