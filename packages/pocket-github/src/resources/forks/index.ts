import type { Resource } from '../resource.js';
import { forkRoutes } from './rest.js';

export const forks: Resource = { name: 'forks', routes: forkRoutes };
