import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { seedApp, seedInstallation } from '../../src/resources/apps/seed-app.js';
import type { TestPocket } from './test-pocket.js';
import { appKeys } from './app-keys.js';

const KEYS = appKeys();
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Another App on the same repositories: a stranger's, with rights of its own. */
export function foreignApp({ pocket, users }: TestPocket): Octokit {
  const { world, urls } = pocket;
  const app = seedApp(world, {
    owner: users.mallory,
    slug: 'helpful',
    permissions: { checks: 'write', contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' },
    events: [],
    keys: KEYS,
  });
  const installation = seedInstallation(world, app, users.ada, 'all');
  const auth = { appId: app.id, privateKey: app.privateKey, installationId: installation.id, log: QUIET };
  return new Octokit({ baseUrl: urls.api, log: QUIET, authStrategy: createAppAuth, auth });
}
