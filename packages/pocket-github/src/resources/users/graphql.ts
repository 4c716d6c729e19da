import type { ResolverMap } from '../../graphql/resolvers.js';
import { tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { notAccessibleByIntegration, notFound } from '../../world/errors.js';
import { findUser } from '../../world/lookup.js';
import type { User } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { accountPath, avatarUrl } from './user-json.js';

/** GraphQL names a bot without the `[bot]` that REST gives it. */
const botName = (user: User): string => user.login.replace(/\[bot\]$/, '');

/** What `Actor` promises, and what every account has besides. */
const account = {
  id: (user: User) => formatNodeId('users', user.id),
  databaseId: (user: User) => user.id,
  login: (user: User) => user.login,
  avatarUrl: (user: User, _: unknown, context: Context) => avatarUrl(context, user),
  resourcePath: (user: User) => accountPath(user),
  url: (user: User, _: unknown, { urls }: Context) => `${urls.html}${accountPath(user)}`,
  createdAt: (user: User) => isoTime(user.createdAt),
  updatedAt: (user: User) => isoTime(user.createdAt),
};

function accountByLogin(context: Context, login: string, type: 'User' | 'Organization'): User {
  const user = findUser(context.db, login);
  if (user?.type === type) return user;
  const article = type === 'User' ? 'a' : 'an';
  throw notFound(`Could not resolve to ${article} ${type} with the login of '${login}'.`);
}

export const userResolvers: ResolverMap = {
  User: {
    ...account,
    name: (user: User) => user.name,
    // GitHub shows an address only if its owner published it; nobody here has.
    email: () => '',
    isSiteAdmin: (user: User) => user.siteAdmin,
    isViewer: (user: User, _: unknown, { viewer }: Context) => 'user' in viewer && viewer.user.id === user.id,
  },
  Bot: { ...account, login: botName },
  Organization: {
    ...account,
    name: (user: User) => user.name,
    description: () => null,
    viewerIsAMember: (user: User, _: unknown, { viewer }: Context) =>
      'user' in viewer && viewer.user.organizationIds?.includes(user.id) === true,
  },
  Query: {
    /** An installation's viewer is its bot, shown as a `User` whose login keeps the `[bot]`. */
    viewer: (_: unknown, __: unknown, { viewer }: Context) => {
      if ('user' in viewer) return viewer.user;
      throw notAccessibleByIntegration();
    },
    user: (_: unknown, { login }: { login: string }, context: Context) => accountByLogin(context, login, 'User'),
    organization: (_: unknown, { login }: { login: string }, context: Context) =>
      accountByLogin(context, login, 'Organization'),
    repositoryOwner: (_: unknown, { login }: { login: string }, { db }: Context) => {
      const user = findUser(db, login);
      return user === undefined || user.type === 'Bot' ? null : tagged(user.type, user);
    },
  },
};
