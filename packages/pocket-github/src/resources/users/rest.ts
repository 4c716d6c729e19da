import type { components } from '@octokit/openapi-types';
import type { Context, Scope } from '../../http/context.js';
import { ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notAccessibleByIntegration, notFound } from '../../world/errors.js';
import { findUser } from '../../world/lookup.js';
import type { User } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { simpleUser } from './user-json.js';

function publicUser(scope: Scope, user: User) {
  const owned = scope.db.repositories.by('ownerId', user.id).filter((repository) => !repository.private);
  return {
    ...simpleUser(scope, user),
    name: user.name,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: owned.length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: isoTime(user.createdAt),
    updated_at: isoTime(user.createdAt),
  } satisfies components['schemas']['public-user'];
}

function oneself({ viewer }: Context): User {
  if (viewer.kind === 'personal') return viewer.user;
  throw notAccessibleByIntegration();
}

export const userRoutes = [
  route('GET /user', {
    access: 'authenticated',
    handle: ({ context }) => ok(publicUser(context, oneself(context))),
  }),
  route('GET /users/{username}', {
    access: 'anyone',
    handle: ({ context, params }) => {
      const user = findUser(context.db, params['username'] ?? '');
      if (user === undefined) throw notFound();
      return ok(publicUser(context, user));
    },
  }),
];
