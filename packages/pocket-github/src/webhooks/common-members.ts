import type { components } from '@octokit/openapi-webhooks-types';
import type { Scope } from '../http/context.js';
import { minimalRepositoryJson } from '../resources/repositories/repository-json.js';
import { avatarUrl, simpleUserById } from '../resources/users/user-json.js';
import type { AnyWorldEvent } from '../world/events.js';
import type { Repository, User } from '../world/model.js';
import { formatNodeId } from '../world/tables.js';
import type { Addressee } from './addressees.js';
import type { Webhook } from './payload.js';

type Schemas = components['schemas'];

function repositoryMember(scope: Scope, repository: Repository) {
  return {
    ...minimalRepositoryJson(scope, repository),
    custom_properties: {},
  } satisfies Schemas['repository-webhooks'];
}

function organizationMember(scope: Scope, organization: User) {
  const url = `${scope.urls.api}/orgs/${organization.login}`;
  return {
    login: organization.login,
    id: organization.id,
    node_id: formatNodeId('users', organization.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: avatarUrl(scope, organization),
    description: '',
  } satisfies Schemas['organization-simple-webhooks'];
}

/** The whole body for one receiver: what the event says, then where, by whom and through which installation. */
export function bodyFor(
  scope: Scope,
  webhook: Webhook,
  event: AnyWorldEvent,
  { installation }: Addressee,
): Record<string, unknown> {
  const repository = event.repositoryId === null ? undefined : scope.db.repositories.get(event.repositoryId);
  const account = scope.db.users.get(repository?.ownerId ?? webhook.accountId ?? 0);
  const common = {
    ...(repository === undefined ? {} : { repository: repositoryMember(scope, repository) }),
    ...(account?.type === 'Organization' ? { organization: organizationMember(scope, account) } : {}),
    sender: simpleUserById(scope, event.actorId),
    ...(installation === null
      ? {}
      : { installation: { id: installation.id, node_id: formatNodeId('installations', installation.id) } }),
  };
  // What the event brings itself is more exact: push has dates as numbers, installation events the whole installation.
  return { ...webhook.payload, ...common, ...webhook.payload };
}
