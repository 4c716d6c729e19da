import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import type { App } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { simpleUserById } from '../users/user-json.js';

type Integration = NonNullable<components['schemas']['integration']>;

/** An App as everybody sees it. */
export function appJson(scope: Scope, app: App) {
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: formatNodeId('apps', app.id),
    owner: simpleUserById(scope, app.ownerId),
    name: app.name,
    description: null,
    external_url: `${scope.urls.html}/apps/${app.slug}`,
    html_url: `${scope.urls.html}/apps/${app.slug}`,
    created_at: isoTime(app.createdAt),
    updated_at: isoTime(app.createdAt),
    permissions: { ...app.permissions },
    events: [...app.events],
  } satisfies Integration;
}
