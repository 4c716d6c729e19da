import type { Resource } from '../resource.js';
import { timelineResolvers } from './graphql.js';
import { timelineRoutes } from './rest.js';

/** What happened to issues and pull requests, read back from the record of events. */
export const timeline: Resource = { name: 'timeline', routes: timelineRoutes, resolvers: timelineResolvers };
