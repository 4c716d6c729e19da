import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';
export const ROLES_BY_RANK: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** A person, an organisation, or the `[bot]` account of an App. */
export interface User extends Row {
  readonly login: string;
  readonly name: string | null;
  readonly email: string;
  readonly type: 'User' | 'Bot' | 'Organization';
  readonly siteAdmin: boolean;
  /** Organisations the user is a member of: `MEMBER`, and at least read in their private repositories. */
  readonly organizationIds?: readonly number[];
  readonly createdAt: Instant;
}

export const APP_PERMISSIONS = [
  'actions',
  'administration',
  'checks',
  'contents',
  'issues',
  'members',
  'merge_queues',
  'metadata',
  'organization_projects',
  'pull_requests',
  'repository_projects',
  'statuses',
  'workflows',
] as const;
export type AppPermissionName = (typeof APP_PERMISSIONS)[number];
export type AppPermissionLevel = 'read' | 'write';
export type AppPermissions = Readonly<Partial<Record<AppPermissionName, AppPermissionLevel>>>;

export interface App extends Row {
  readonly slug: string;
  readonly name: string;
  readonly ownerId: number;
  /** The `[bot]` account the App acts as. */
  readonly botId: number;
  readonly clientId: string;
  /** PEM, RSA: what the App signs its JWTs with. The world keeps both halves; it is a loopback toy's key. */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly hook: HookConfig | null;
  readonly createdAt: Instant;
}

export interface HookConfig {
  readonly url: string;
  readonly secret: string | null;
}

export interface Installation extends Row {
  readonly appId: number;
  readonly accountId: number;
  readonly repositoryIds: readonly number[] | 'all';
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly suspendedAt: Instant | null;
  readonly createdAt: Instant;
}

/** A credential. Its text is the key clients present. */
export interface Token extends Row {
  readonly text: string;
  readonly kind: 'installation' | 'personal';
  /** The user acted as: the App's bot for an installation token. */
  readonly userId: number;
  readonly installationId: number | null;
  /** Narrowed permissions of an installation token; `null` for a personal token, which has its owner's role. */
  readonly permissions: AppPermissions | null;
  readonly repositoryIds: readonly number[] | 'all';
  /** Classic scopes of a personal token, e.g. `repo`, `workflow`. */
  readonly scopes: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
}
