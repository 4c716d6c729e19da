import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { roleOf } from '../../identity/access.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Repository } from '../../world/model.js';
import { demandPush, usersWithRole } from './access.js';

interface CollaboratorsArgs extends ConnectionArgs {
  readonly affiliation?: 'ALL' | 'DIRECT' | 'OUTSIDE' | null;
  readonly login?: string | null;
  readonly query?: string | null;
}

export const collaboratorResolvers: ResolverMap = {
  Repository: {
    collaborators: (repository: Repository, args: CollaboratorsArgs, context: Context) => {
      if (args.affiliation === 'OUTSIDE') throw new UnmodelledError('Repository.collaborators(affiliation: OUTSIDE)');
      demandPush(context, repository, 'view repository collaborators');
      const wanted = args.query?.toLowerCase() ?? '';
      const users = usersWithRole(context.db, repository).filter(
        ({ login, name }) =>
          login.toLowerCase() === (args.login ?? login).toLowerCase() &&
          [login, name ?? ''].some((text) => text.toLowerCase().includes(wanted)),
      );
      const page = connection(users, args);
      const edges = page.edges.map((edge) => ({
        ...edge,
        permission: roleOf(context.db, repository, edge.node.id).toUpperCase(),
      }));
      return { ...page, edges };
    },
  },
};
