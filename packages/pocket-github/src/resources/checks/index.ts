import { mergeResolvers } from '../../graphql/resolvers.js';
import type { Resource } from '../resource.js';
import { checkResolvers } from './graphql.js';
import { checkRoutes } from './rest.js';
import { rollupResolvers } from './rollup-graphql.js';
import { requestSuitesOnPush } from './suites.js';
import { checkPayloads } from './webhooks.js';

export const checks: Resource = {
  name: 'checks',
  routes: checkRoutes,
  resolvers: mergeResolvers([checkResolvers, rollupResolvers]),
  payloads: checkPayloads,
  reactions: [requestSuitesOnPush],
};
