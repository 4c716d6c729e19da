import { randomBytes, randomUUID } from 'node:crypto';
import { hasPermission } from '../../identity/access.js';
import { forbidden, unprocessable } from '../../world/errors.js';
import type {
  AppPermissionLevel,
  AppPermissionName,
  AppPermissions,
  Installation,
  Repository,
  Token,
} from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { World } from '../../world/world.js';

const HOUR_MS = 3_600_000;

/** What an App asks of a token. What it does not name it gets in full. */
export interface TokenRequest {
  readonly permissions?: AppPermissions | undefined;
  /** Names, without the owner. */
  readonly repositories?: readonly string[] | undefined;
  readonly repositoryIds?: readonly number[] | undefined;
}

/** Repositories an installation covers. */
export function repositoriesOfInstallation(
  db: Tables,
  installation: Pick<Installation, 'accountId' | 'repositoryIds'>,
): Repository[] {
  const { accountId, repositoryIds } = installation;
  return db.repositories
    .by('ownerId', accountId)
    .filter(({ id }) => repositoryIds === 'all' || repositoryIds.includes(id));
}

/** Makes a token that lives an hour. */
export function mintToken(world: World, installation: Installation, request: TokenRequest): Token {
  if (installation.suspendedAt !== null) throw forbidden('This installation has been suspended');
  const permissions = narrowed(installation.permissions, request.permissions);
  const repositoryIds = scopeOf(world.tables, installation, request);
  return world.tables.tokens.insert({
    id: world.newId(),
    text: newTokenText(world, installation),
    kind: 'installation',
    userId: world.tables.apps.must(installation.appId).botId,
    installationId: installation.id,
    permissions,
    repositoryIds,
    scopes: [],
    createdAt: world.now(),
    expiresAt: world.now() + HOUR_MS,
    revokedAt: null,
  });
}

/**
 * As GitHub makes them since June 2026: about 520 characters, with dots and a JWT inside. Clients are to take the whole for
 * an opaque text, and so does Pocket: nothing in it is ever read, and the signature is random.
 */
function newTokenText(world: World, { id, appId }: Installation): string {
  const base64url = (part: string): string => Buffer.from(part).toString('base64url');
  const seconds = Math.floor(world.now() / 1000);
  const head = JSON.stringify({ alg: 'RS256', typ: 'JWT' });
  const body = JSON.stringify({
    iss: 'github',
    sub: id,
    iat: seconds,
    exp: seconds + HOUR_MS / 1000,
    jti: randomUUID(),
  });
  return `ghs_${appId}_${base64url(head)}.${base64url(body)}.${randomBytes(256).toString('base64url')}`;
}

export function revokeToken(world: World, token: Token): void {
  world.tables.tokens.update(token, { revokedAt: world.now() });
}

/** Reading a repository's metadata comes with every token. */
function narrowed(granted: AppPermissions, wanted: AppPermissions | undefined): AppPermissions {
  if (wanted === undefined) return { ...granted, metadata: 'read' };
  for (const [name, level] of Object.entries(wanted) as [AppPermissionName, AppPermissionLevel][]) {
    if (!hasPermission(granted, `${name}:${level}`)) {
      throw unprocessable('The permissions requested are not granted to this installation.');
    }
  }
  return { ...wanted, metadata: 'read' };
}

function scopeOf(db: Tables, installation: Installation, request: TokenRequest): readonly number[] | 'all' {
  const names = request.repositories ?? [];
  const ids = request.repositoryIds ?? [];
  if (names.length === 0 && ids.length === 0) return installation.repositoryIds;
  const covered = repositoriesOfInstallation(db, installation);
  const found = [
    ...names.map((name) => covered.find((repository) => repository.name.toLowerCase() === name.toLowerCase())?.id),
    ...ids.map((id) => covered.find((repository) => repository.id === id)?.id),
  ];
  const known = found.filter((id) => id !== undefined);
  if (known.length < found.length) {
    throw unprocessable(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  }
  return [...new Set(known)];
}
