import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { subjectNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { UnmodelledError } from '../../world/errors.js';
import { searchIssues } from './search-issues.js';

interface SearchArgs extends ConnectionArgs {
  readonly query: string;
  readonly type: string;
}

export const searchResolvers: ResolverMap = {
  Query: {
    search: (_: unknown, args: SearchArgs, context: Context) => {
      if (args.type !== 'ISSUE') throw new UnmodelledError(`Query.search(type: ${args.type})`);
      const found = searchIssues(context, args.query);
      return {
        ...connection(
          found.map(({ id }) => subjectNode(context, id)),
          args,
        ),
        issueCount: found.length,
        codeCount: 0,
        discussionCount: 0,
        repositoryCount: 0,
        userCount: 0,
        wikiCount: 0,
      };
    },
  },
};
