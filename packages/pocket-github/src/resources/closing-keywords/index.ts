import type { Resource } from '../resource.js';
import { closingKeywordResolvers } from './graphql.js';
import { noteMentions, readPushedCommits, relinkPull } from './reactions.js';

export const closingKeywords: Resource = {
  name: 'closing-keywords',
  resolvers: closingKeywordResolvers,
  reactions: [relinkPull, noteMentions, readPushedCommits],
};
