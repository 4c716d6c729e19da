import type { Resource } from '../resource.js';
import { nodeResolvers } from './graphql.js';

export const nodes: Resource = { name: 'nodes', resolvers: nodeResolvers };
