import type { Resource } from '../resource.js';
import { editResolvers } from './graphql.js';

export const edits: Resource = { name: 'edits', resolvers: editResolvers };
