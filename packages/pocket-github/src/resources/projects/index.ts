import type { Resource } from '../resource.js';
import { projectResolvers } from './graphql.js';
import { projectPayloads } from './webhooks.js';

/** Projects v2: boards of issues and pull requests with fields of their own, e.g. Size. */
export const projects: Resource = { name: 'projects', resolvers: projectResolvers, payloads: projectPayloads };
