import type { Resource } from '../resource.js';
import { rulesetResolvers } from './graphql.js';
import { rulesetRoutes } from './rest.js';
import { rulesetPayloads } from './webhooks.js';

export const rulesets: Resource = {
  name: 'rulesets',
  routes: rulesetRoutes,
  resolvers: rulesetResolvers,
  payloads: rulesetPayloads,
};
