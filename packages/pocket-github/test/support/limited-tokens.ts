import { Octokit } from '@octokit/rest';
import { seedPersonalToken } from '../../src/seed/seed-repository.js';
import type { Person, TestPocket } from './test-pocket.js';

const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const client = (p: TestPocket, auth: string) => new Octokit({ baseUrl: p.pocket.urls.api, auth, log: QUIET });

/** The App by a token that may do only this. */
export async function appWithPermissions(
  p: TestPocket,
  permissions: Readonly<Record<string, 'read' | 'write'>>,
): Promise<Octokit> {
  const { data } = await p
    .rest('app-jwt')
    .rest.apps.createInstallationAccessToken({ installation_id: p.installation.id, permissions });
  return client(p, data.token);
}

/** Somebody by a classic token with these scopes only. */
export function personWithScopes(p: TestPocket, person: Person, scopes: readonly string[]): Octokit {
  return client(p, seedPersonalToken(p.pocket.world, p.users[person], scopes).text);
}
