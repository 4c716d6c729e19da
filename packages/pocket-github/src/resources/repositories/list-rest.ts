import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { listReply, pageQuery } from '../../http/pagination.js';
import { route } from '../../http/route.js';
import { notAccessibleByIntegration, notFound } from '../../world/errors.js';
import { findUser } from '../../world/lookup.js';
import type { Repository, User } from '../../world/model.js';
import { type Affiliation, affiliatedRepositories, type RepositoryOrder, sortRepositories } from './affiliated.js';
import { minimalRepositoryJson } from './repository-json.js';
import { viewerPermissions } from './viewer-permissions.js';

const sorting = {
  sort: z.enum(['created', 'updated', 'pushed', 'full_name']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
};

interface Sorting {
  readonly sort?: 'created' | 'updated' | 'pushed' | 'full_name' | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

const ORDERS: Readonly<Record<NonNullable<Sorting['sort']>, RepositoryOrder>> = {
  created: 'createdAt',
  updated: 'updatedAt',
  pushed: 'pushedAt',
  full_name: 'name',
};

/** By name from A, by time from the newest, unless told otherwise. */
function inOrder(repositories: Repository[], query: Sorting, usual: keyof typeof ORDERS): Repository[] {
  const sort = query.sort ?? usual;
  return sortRepositories(repositories, ORDERS[sort], query.direction ?? (sort === 'full_name' ? 'asc' : 'desc'));
}

const shown = (context: Context) => (repository: Repository) => ({
  ...minimalRepositoryJson(context, repository),
  ...viewerPermissions(context, repository),
});

const AFFILIATIONS: Readonly<Record<string, Affiliation>> = {
  owner: 'OWNER',
  collaborator: 'COLLABORATOR',
  organization_member: 'ORGANIZATION_MEMBER',
};

function accountIn(context: Context, login: string | undefined, type?: User['type']): User {
  const user = findUser(context.db, login ?? '');
  if (user === undefined || (type !== undefined && user.type !== type)) throw notFound();
  return user;
}

export const repositoryListRoutes = [
  route('GET /user/repos', {
    access: 'authenticated',
    query: z.object({
      ...pageQuery,
      ...sorting,
      visibility: z.enum(['all', 'public', 'private']).optional(),
      affiliation: z.string().optional(),
    }),
    handle: ({ context, query }) => {
      if (context.viewer.kind !== 'personal') throw notAccessibleByIntegration();
      const wanted = (query.affiliation ?? 'owner,collaborator,organization_member').split(',');
      const affiliations = wanted.flatMap((name) => AFFILIATIONS[name.trim()] ?? []);
      const visibility = query.visibility ?? 'all';
      const repositories = affiliatedRepositories(context, context.viewer.user, affiliations).filter(
        (repository) => visibility === 'all' || visibility === (repository.private ? 'private' : 'public'),
      );
      return listReply(inOrder(repositories, query, 'full_name'), query, context, '/user/repos', shown(context));
    },
  }),
  route('GET /users/{username}/repos', {
    access: 'anyone',
    query: z.object({ ...pageQuery, ...sorting, type: z.enum(['all', 'owner', 'member']).optional() }),
    handle: ({ context, query, params }) => {
      const user = accountIn(context, params['username']);
      const all: readonly Affiliation[] = ['OWNER', 'COLLABORATOR'];
      const wanted = { all, owner: ['OWNER'], member: ['COLLABORATOR'] } as const;
      const repositories = affiliatedRepositories(context, user, wanted[query.type ?? 'owner']);
      return listReply(
        inOrder(repositories, query, 'full_name'),
        query,
        context,
        `/users/${user.login}/repos`,
        shown(context),
      );
    },
  }),
  route('GET /orgs/{org}/repos', {
    access: 'anyone',
    query: z.object({ ...pageQuery, ...sorting, type: z.enum(['all', 'public', 'private', 'sources']).optional() }),
    handle: ({ context, query, params }) => {
      const organization = accountIn(context, params['org'], 'Organization');
      const repositories = affiliatedRepositories(context, organization, ['OWNER']).filter(
        (repository) =>
          (query.type !== 'public' || !repository.private) &&
          (query.type !== 'private' || repository.private) &&
          (query.type !== 'sources' || repository.parentId === null),
      );
      return listReply(
        inOrder(repositories, query, 'created'),
        query,
        context,
        `/orgs/${organization.login}/repos`,
        shown(context),
      );
    },
  }),
];
