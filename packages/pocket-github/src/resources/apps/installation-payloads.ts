import { type PayloadBuilders, type PayloadContext, type Webhook, webhook } from '../../webhooks/payload.js';
import { fullName } from '../../world/lookup.js';
import type { Installation, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { installationJson } from './installation-json.js';
import { repositoriesOfInstallation } from './tokens.js';

const listed = ({ db }: PayloadContext, repositories: readonly Repository[]) =>
  repositories.map((repository) => ({
    id: repository.id,
    node_id: formatNodeId('repositories', repository.id),
    name: repository.name,
    full_name: fullName(db, repository),
    private: repository.private,
  }));

const covered = (context: PayloadContext, installation: Installation) =>
  listed(context, repositoriesOfInstallation(context.db, installation));

/** Installation events carry the whole installation and go to its App, subscribed or not. */
function toItsApp(context: PayloadContext, installation: Installation, { event, payload }: Webhook): Webhook {
  return {
    event,
    onlyAppId: installation.appId,
    payload: { ...payload, installation: installationJson(context, installation) },
  };
}

function selection(context: PayloadContext, installation: Installation, ids: readonly number[]) {
  const repositories = ids.flatMap((id) => context.db.repositories.get(id) ?? []);
  return {
    repository_selection: installation.repositoryIds === 'all' ? ('all' as const) : ('selected' as const),
    requester: null,
    repositories: listed(context, repositories),
  };
}

export const installationPayloads: PayloadBuilders = {
  'installation created': (context, { data }) => {
    const installation = context.db.installations.must(data.installationId);
    const repositories = covered(context, installation);
    return toItsApp(
      context,
      installation,
      webhook('installation', 'webhook-installation-created', { action: 'created', repositories, requester: null }),
    );
  },
  'installation deleted': (context, { data: { installation } }) =>
    toItsApp(
      context,
      installation,
      webhook('installation', 'webhook-installation-deleted', {
        action: 'deleted',
        repositories: covered(context, installation),
        requester: null,
      }),
    ),
  'installation suspended': (context, { data }) =>
    toItsApp(
      context,
      context.db.installations.must(data.installationId),
      webhook('installation', 'webhook-installation-suspend', { action: 'suspend', requester: null }),
    ),
  'installation unsuspended': (context, { data }) =>
    toItsApp(
      context,
      context.db.installations.must(data.installationId),
      webhook('installation', 'webhook-installation-unsuspend', { action: 'unsuspend', requester: null }),
    ),
  'installation repositories added': (context, { data }) => {
    const installation = context.db.installations.must(data.installationId);
    const { repositories, ...rest } = selection(context, installation, data.repositoryIds);
    const body = { action: 'added' as const, ...rest, repositories_added: repositories, repositories_removed: [] };
    return toItsApp(
      context,
      installation,
      webhook('installation_repositories', 'webhook-installation-repositories-added', body),
    );
  },
  'installation repositories removed': (context, { data }) => {
    const installation = context.db.installations.must(data.installationId);
    const { repositories, ...rest } = selection(context, installation, data.repositoryIds);
    const body = { action: 'removed' as const, ...rest, repositories_added: [], repositories_removed: repositories };
    return toItsApp(
      context,
      installation,
      webhook('installation_repositories', 'webhook-installation-repositories-removed', body),
    );
  },
};
