import type { Resource } from '../resource.js';
import { hookRoutes } from './rest.js';
import { hookPayloads } from './webhooks.js';

export const hooks: Resource = { name: 'hooks', routes: hookRoutes, payloads: hookPayloads };
