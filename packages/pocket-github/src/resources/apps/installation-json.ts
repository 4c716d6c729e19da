import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import type { AppPermissions, Installation } from '../../world/model.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { accountPath, simpleUser, simpleUserOrNull } from '../users/user-json.js';

type Schemas = components['schemas'];

/** `workflows` has no read level on GitHub, which the general type of permissions does not know. */
export function permissionsJson(permissions: AppPermissions) {
  return { ...permissions } as Schemas['app-permissions'];
}

/** Who suspended it: the actor of the last time it happened. */
function suspenderOf({ db }: Scope, installation: Installation): number | null {
  if (installation.suspendedAt === null) return null;
  const suspensions = db.events.by('name', 'installation suspended');
  return (
    suspensions.findLast((event) => 'installationId' in event.data && event.data.installationId === installation.id)
      ?.actorId ?? null
  );
}

export function installationJson(scope: Scope, installation: Installation) {
  const { db, urls } = scope;
  const app = db.apps.must(installation.appId);
  const account = db.users.must(installation.accountId);
  const settings = account.type === 'Organization' ? `/organizations${accountPath(account)}/settings` : '/settings';
  return {
    id: installation.id,
    client_id: app.clientId,
    account: simpleUser(scope, account),
    repository_selection: installation.repositoryIds === 'all' ? 'all' : 'selected',
    access_tokens_url: `${urls.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.html}${settings}/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: permissionsJson(installation.permissions),
    events: [...installation.events],
    created_at: isoTime(installation.createdAt),
    updated_at: isoTime(installation.suspendedAt ?? installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: simpleUserOrNull(scope, suspenderOf(scope, installation)),
    suspended_at: isoTimeOrNull(installation.suspendedAt),
  } satisfies Schemas['installation'];
}
