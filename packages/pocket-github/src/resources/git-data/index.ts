import type { Resource } from '../resource.js';
import { blobRoutes } from './blob-rest.js';
import { gitCommitRoutes } from './commit-rest.js';
import { gitDataResolvers } from './graphql.js';
import { tagRoutes } from './tag-rest.js';
import { treeRoutes } from './tree-rest.js';

export const gitData: Resource = {
  name: 'git-data',
  routes: [...gitCommitRoutes, ...blobRoutes, ...treeRoutes, ...tagRoutes],
  resolvers: gitDataResolvers,
};
