import type { Resource } from '../resource.js';
import { dropAutoMerge, keepAutoMergePromises } from './merging/auto-merge.js';
import { pullResolvers } from './graphql.js';
import { pullContentRoutes } from './rest-contents.js';
import { pullMergingRoutes } from './merging/rest-merging.js';
import { pullReviewerRoutes } from './reviewers/rest-reviewers.js';
import { pullRoutes } from './rest.js';
import { followPush, followState } from './synchronise.js';
import { pullPayloads } from './webhooks.js';

export const pulls: Resource = {
  name: 'pulls',
  routes: [...pullRoutes, ...pullContentRoutes, ...pullMergingRoutes, ...pullReviewerRoutes],
  resolvers: pullResolvers,
  payloads: pullPayloads,
  reactions: [followPush, followState, dropAutoMerge, keepAutoMergePromises],
};
