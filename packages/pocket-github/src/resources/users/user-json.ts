import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import type { User } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';

/** Path of an account's page. */
export function accountPath(user: User): string {
  return user.type === 'Bot' ? `/apps/${user.login.replace('[bot]', '')}` : `/${user.login}`;
}

export function avatarUrl({ urls }: Scope, user: User): string {
  return `${urls.html}/avatars/${user.id}`;
}

/** A user as it appears inside other resources. */
export function simpleUser(scope: Scope, user: User) {
  const { urls } = scope;
  const api = `${urls.api}/users/${encodeURIComponent(user.login)}`;
  return {
    login: user.login,
    id: user.id,
    node_id: formatNodeId('users', user.id),
    avatar_url: avatarUrl(scope, user),
    gravatar_id: '',
    url: api,
    html_url: `${urls.html}${accountPath(user)}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: user.type,
    user_view_type: 'public',
    site_admin: user.siteAdmin,
  } satisfies components['schemas']['simple-user'];
}

type SimpleUser = ReturnType<typeof simpleUser>;

export function simpleUserById(scope: Scope, id: number): SimpleUser {
  return simpleUser(scope, scope.db.users.must(id));
}

export function simpleUserOrNull(scope: Scope, id: number | null): SimpleUser | null {
  return id === null ? null : simpleUserById(scope, id);
}
