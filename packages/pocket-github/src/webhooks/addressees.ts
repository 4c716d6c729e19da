import type { App, Installation } from '../world/model.js';
import type { Tables } from '../world/tables.js';
import type { Webhook } from './payload.js';

/** The receiver of a webhook: an App, and which of its installations. */
export interface Addressee {
  readonly app: App;
  readonly installation: Installation | null;
}

/** The Apps that receive this webhook, once per installation that covers its subject. */
export function addresseesOf(db: Tables, webhook: Webhook, repositoryId: number | null): readonly Addressee[] {
  if (repositoryId === null && webhook.onlyAppId !== undefined) {
    const app = db.apps.get(webhook.onlyAppId);
    return app === undefined ? [] : [{ app, installation: null }];
  }
  return db.installations
    .all()
    .filter((installation) => covers(db, installation, webhook, repositoryId) && hears(installation, webhook))
    .map((installation) => ({ app: db.apps.must(installation.appId), installation }));
}

function covers(db: Tables, installation: Installation, webhook: Webhook, repositoryId: number | null): boolean {
  if (installation.suspendedAt !== null) return false;
  if (repositoryId === null) return installation.accountId === webhook.accountId;
  const scope = installation.repositoryIds;
  const owned = installation.accountId === db.repositories.must(repositoryId).ownerId;
  return owned && (scope === 'all' || scope.includes(repositoryId));
}

/** Subscribed, or meant personally: GitHub sends an App its own checks' requests without being asked. */
function hears(installation: Installation, webhook: Webhook): boolean {
  const { onlyAppId, event } = webhook;
  if (onlyAppId === undefined) return installation.events.includes(event);
  const entitled = installation.events.includes(event) || installation.permissions.checks === 'write';
  return onlyAppId === installation.appId && entitled;
}
