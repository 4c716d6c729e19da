import { createAppAuth } from '@octokit/auth-app';
import { graphql } from '@octokit/graphql';
import { Octokit } from '@octokit/rest';
import { ManualClock } from '../../src/clock/manual-clock.js';
import { type Pocket, type PocketOptions, startPocket } from '../../src/pocket.js';
import { seedApp, seedInstallation } from '../../src/resources/apps/seed-app.js';
import { seedCollaborator, seedPersonalToken, seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import type { App, AppPermissions, Installation, Repository, User } from '../../src/world/model.js';
import { openWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from './webhook-receiver.js';
import { appKeys } from './app-keys.js';
import { afterThisFile } from '../../../../test/support/clean-up.js';
import { countCalls } from './count-calls.js';

/** Everything an App can ask for here. */
const ALL_PERMISSIONS: AppPermissions = {
  actions: 'write',
  administration: 'write',
  checks: 'write',
  contents: 'write',
  issues: 'write',
  members: 'read',
  merge_queues: 'write',
  metadata: 'read',
  organization_projects: 'write',
  pull_requests: 'write',
  repository_projects: 'write',
  statuses: 'write',
  workflows: 'write',
};

const ALL_EVENTS = [
  'branch_protection_rule',
  'check_run',
  'check_suite',
  'create',
  'delete',
  'issue_comment',
  'issue_dependencies',
  'issues',
  'label',
  'member',
  'merge_group',
  'projects_v2_item',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'push',
  'repository',
  'status',
  'sub_issues',
];

const KEYS = appKeys();

const FILES = {
  'README.md': '# Sandbox\n',
  'package.json': '{ "name": "sandbox", "private": true }\n',
  'test.sh': '#!/bin/sh\ntest -f README.md\n',
};

const PEOPLE = ['ada', 'wren', 'tess', 'rita', 'mallory'] as const;
export type Person = (typeof PEOPLE)[number];

/** A running Pocket GitHub with a few people, one repository, one installed App and a webhook receiver. */
export interface TestPocket {
  readonly pocket: Pocket;
  readonly clock: ManualClock;
  readonly receiver: WebhookReceiver;
  readonly users: Readonly<Record<Person, User>>;
  readonly repository: Repository;
  readonly app: App;
  readonly installation: Installation;
  /** Where `ada/sandbox` is, for REST calls. */
  readonly at: { readonly owner: 'ada'; readonly repo: 'sandbox' };
  tokenOf(person: Person): string;
  rest(who: Person | 'app' | 'app-jwt' | 'anonymous'): Octokit;
  graphql(who: Person | 'app'): Promise<typeof graphql>;
  gitUrl(who: Person | 'anonymous', repository?: string): string;
  /** How many requests and git commands are under way. */
  busy(): number;
  /** Every webhook received so far, once nothing is under way. */
  deliveries(): Promise<readonly ReceivedWebhook[]>;
  /** Ends everything; fails when a client touched what Pocket does not model, unless told that it may. */
  close(options?: { readonly unmodelledIsFine?: boolean }): Promise<void>;
}

export async function openPocket(
  options: Partial<PocketOptions> & { readonly private?: boolean } = {},
): Promise<TestPocket> {
  const clock = new ManualClock();
  const receiver = await openWebhookReceiver();
  const pocket = await startPocket({ clock, ...options });
  const isOpen = { yet: true };
  // A test that failed half-way must not leave them running.
  afterThisFile(async () => {
    if (!isOpen.yet) return;
    await pocket.close().catch(() => undefined);
    await receiver.close();
  });
  const { world, urls } = pocket;
  const users = Object.fromEntries(PEOPLE.map((login) => [login, seedUser(world, { login })])) as Record<Person, User>;
  const repository = await seedRepository(world, {
    owner: users.ada,
    name: 'sandbox',
    files: FILES,
    private: options.private ?? false,
  });
  const gitCalls = countCalls(world.git(repository.id));
  seedCollaborator(world, repository, users.wren, 'write');
  seedCollaborator(world, repository, users.tess, 'triage');
  seedCollaborator(world, repository, users.rita, 'read');
  const app = seedApp(world, {
    owner: users.ada,
    slug: 'sluice-dev',
    permissions: ALL_PERMISSIONS,
    events: ALL_EVENTS,
    keys: KEYS,
    hook: { url: receiver.url, secret: 'a webhook secret' },
  });
  const installation = seedInstallation(world, app, users.ada, 'all');
  const tokens = Object.fromEntries(
    PEOPLE.map((login) => [login, seedPersonalToken(world, users[login]).text]),
  ) as Record<Person, string>;

  const rest: TestPocket['rest'] = (who) => {
    const common = { baseUrl: urls.api, log: QUIET };
    if (who === 'anonymous') return new Octokit(common);
    if (who !== 'app' && who !== 'app-jwt') return new Octokit({ ...common, auth: tokens[who] });
    const auth = {
      appId: app.id,
      privateKey: app.privateKey,
      ...(who === 'app' ? { installationId: installation.id } : {}),
    };
    return new Octokit({ ...common, authStrategy: createAppAuth, auth: { ...auth, log: QUIET } });
  };

  return {
    pocket,
    clock,
    receiver,
    users,
    repository,
    app,
    installation,
    at: { owner: 'ada', repo: 'sandbox' },
    tokenOf: (person) => tokens[person],
    rest,
    graphql: async (who) => {
      const token = who === 'app' ? await installationToken(rest('app-jwt'), installation.id) : tokens[who];
      return graphql.defaults({ baseUrl: urls.api, headers: { authorization: `token ${token}` } });
    },
    gitUrl: (who, name = 'ada/sandbox') => {
      const url = new URL(`${urls.html}/${name}.git`);
      if (who !== 'anonymous') Object.assign(url, { username: who, password: tokens[who] });
      return url.href;
    },
    busy: () => pocket.requestsUnderWay() + gitCalls(),
    deliveries: async () => {
      await pocket.settle();
      return receiver.received;
    },
    close: async (end = {}) => {
      isOpen.yet = false;
      await pocket.settle();
      try {
        await pocket.close();
      } finally {
        await receiver.close();
      }
      const unmodelled = pocket.journal.unmodelled();
      if (unmodelled.length > 0 && end.unmodelledIsFine !== true)
        throw new Error(`touched what is not modelled: ${unmodelled.join('; ')}`);
    },
  };
}

const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function installationToken(appClient: Octokit, installationId: number): Promise<string> {
  const { data } = await appClient.rest.apps.createInstallationAccessToken({ installation_id: installationId });
  return data.token;
}
