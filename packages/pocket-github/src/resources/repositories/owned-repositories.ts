import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import type { Context } from '../../http/context.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Repository, User } from '../../world/model.js';
import { type Affiliation, affiliatedRepositories, type RepositoryOrder, sortRepositories } from './affiliated.js';

interface RepositoriesArgs extends ConnectionArgs {
  readonly affiliations?: readonly Affiliation[] | null;
  readonly ownerAffiliations?: readonly Affiliation[] | null;
  readonly privacy?: 'PUBLIC' | 'PRIVATE' | null;
  readonly visibility?: 'PUBLIC' | 'PRIVATE' | 'INTERNAL' | null;
  readonly isArchived?: boolean | null;
  readonly isFork?: boolean | null;
  readonly isLocked?: boolean | null;
  readonly hasIssuesEnabled?: boolean | null;
  readonly orderBy?: { readonly field: string; readonly direction: 'ASC' | 'DESC' } | null;
}

const ORDERS: Readonly<Record<string, RepositoryOrder>> = {
  NAME: 'name',
  CREATED_AT: 'createdAt',
  UPDATED_AT: 'updatedAt',
  PUSHED_AT: 'pushedAt',
};

function sorted(repositories: Repository[], orderBy: RepositoriesArgs['orderBy']): Repository[] {
  if (!orderBy) return repositories;
  const order = ORDERS[orderBy.field];
  if (order === undefined) throw new UnmodelledError(`repositories(orderBy: ${orderBy.field})`);
  return sortRepositories(repositories, order, orderBy.direction === 'ASC' ? 'asc' : 'desc');
}

/** `repositories` of a user or an organisation. There are no locked repositories, and issues are on everywhere. */
export function repositoriesOf(owner: User, args: RepositoriesArgs, context: Context) {
  if (args.affiliations) throw new UnmodelledError('repositories(affiliations)');
  const privacy = args.privacy ?? args.visibility ?? null;
  const rows = affiliatedRepositories(context, owner, args.ownerAffiliations ?? ['OWNER', 'COLLABORATOR']).filter(
    (repository) =>
      (privacy === null || privacy === (repository.private ? 'PRIVATE' : 'PUBLIC')) &&
      (args.isArchived ?? repository.archived) === repository.archived &&
      (args.isFork ?? repository.parentId !== null) === (repository.parentId !== null) &&
      args.isLocked !== true &&
      args.hasIssuesEnabled !== false,
  );
  return connection(sorted(rows, args.orderBy), args);
}
