import { createHash, generateKeyPair, generateKeyPairSync } from 'node:crypto';
import { promisify } from 'node:util';
import { seedUser } from '../../seed/seed-repository.js';
import type { App, AppPermissions, HookConfig, Installation, Repository, User } from '../../world/model.js';
import type { World } from '../../world/world.js';

/* Creates Apps, which is not possible through the API. */

export interface NewApp {
  readonly owner: User;
  readonly slug: string;
  readonly name?: string;
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly hook?: HookConfig;
  /** A key pair made before; generating one takes a tenth of a second. */
  readonly keys?: AppKeys;
}

export interface AppKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

const RSA = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
} as const;

export function newAppKeys(): AppKeys {
  return generateKeyPairSync('rsa', RSA);
}

/** The same, made in another thread, so that this one is not blocked. */
export function newAppKeysBeside(): Promise<AppKeys> {
  return promisify(generateKeyPair)('rsa', RSA);
}

export function seedApp(world: World, given: NewApp): App {
  const { privateKey, publicKey } = given.keys ?? newAppKeys();
  const bot = seedUser(world, { login: `${given.slug}[bot]`, type: 'Bot' });
  const id = world.newId();
  return world.tables.apps.insert({
    id,
    slug: given.slug,
    name: given.name ?? given.slug,
    ownerId: given.owner.id,
    botId: bot.id,
    clientId: `Iv23${createHash('sha256').update(String(id)).digest('hex').slice(0, 16)}`,
    privateKey,
    publicKey,
    permissions: given.permissions,
    events: given.events,
    hook: given.hook ?? null,
    createdAt: world.now(),
  });
}

/** Installs an App without announcing it; `installation created` is recorded when it happens while people watch. */
export function seedInstallation(
  world: World,
  app: App,
  account: User,
  repositories: readonly Repository[] | 'all',
): Installation {
  return world.tables.installations.insert({
    id: world.newId(),
    appId: app.id,
    accountId: account.id,
    repositoryIds: repositories === 'all' ? 'all' : repositories.map((repository) => repository.id),
    permissions: app.permissions,
    events: app.events,
    suspendedAt: null,
    createdAt: world.now(),
  });
}
