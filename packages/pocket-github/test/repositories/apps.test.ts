import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { installApp, selectRepositories } from '../../src/resources/apps/rules.js';
import { seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
beforeEach(async () => {
  p = await openPocket();
});
afterEach(() => p.close());

const byAda = () => ({ userId: p.users.ada.id, viaAppId: null });
const installationId = () => ({ installation_id: p.installation.id });

describe('an App', () => {
  test('learns about itself with @octokit/auth-app, whose clock runs elsewhere', async () => {
    const { data } = await p.rest('app-jwt').rest.apps.getAuthenticated();
    expect(data).toMatchObject({ id: p.app.id, slug: 'sluice-dev', owner: { login: 'ada' }, installations_count: 1 });
    expect(data?.permissions).toMatchObject({ issues: 'write' });
  });

  test('is known to everybody by its slug', async () => {
    const { data } = await p.rest('anonymous').rest.apps.getBySlug({ app_slug: 'sluice-dev' });
    expect(data).toMatchObject({ id: p.app.id, client_id: p.app.clientId });
    await expect(p.rest('anonymous').rest.apps.getBySlug({ app_slug: 'nothing' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('acts as its bot through an installation', async () => {
    const octokit = new Octokit({
      baseUrl: p.pocket.urls.api,
      authStrategy: createAppAuth,
      auth: {
        appId: p.app.id,
        privateKey: p.app.privateKey,
        installationId: p.installation.id,
        log: { warn: () => {}, info: () => {}, debug: () => {}, error: () => {} },
      },
    });
    await octokit.rest.issues.createLabel({ ...p.at, name: 'by the bot' });
    const [delivery] = await p.deliveries();
    expect(delivery?.payload).toMatchObject({ sender: { login: 'sluice-dev[bot]', type: 'Bot' } });
  });
});

describe('installations', () => {
  test('are listed, and found by repository, by user and by organisation', async () => {
    const { rest } = p.rest('app-jwt');
    const guild = seedUser(p.pocket.world, { login: 'guild', type: 'Organization' });
    const atGuild = await installApp(p.pocket.world, byAda(), p.app, guild, 'all');
    const all = await rest.apps.listInstallations();
    expect(all.data.map(({ id }) => id)).toEqual([p.installation.id, atGuild.id]);
    expect((await rest.apps.getRepoInstallation(p.at)).data.id).toBe(p.installation.id);
    expect((await rest.apps.getUserInstallation({ username: 'ada' })).data.id).toBe(p.installation.id);
    expect((await rest.apps.getOrgInstallation({ org: 'guild' })).data).toMatchObject({
      id: atGuild.id,
      target_type: 'Organization',
    });
    await expect(rest.apps.getOrgInstallation({ org: 'ada' })).rejects.toMatchObject({ status: 404 });
    await expect(rest.apps.getUserInstallation({ username: 'wren' })).rejects.toMatchObject({ status: 404 });
  });

  test('do not cover a repository that was not selected', async () => {
    const { world } = p.pocket;
    const other = await seedRepository(world, { owner: p.users.ada, name: 'other' });
    await selectRepositories(world, byAda(), p.installation, [other]);
    const { rest } = p.rest('app-jwt');
    await expect(rest.apps.getRepoInstallation(p.at)).rejects.toMatchObject({ status: 404 });
    const { data } = await p.rest('app').rest.apps.listReposAccessibleToInstallation();
    expect(data).toMatchObject({ total_count: 1, repository_selection: 'selected', repositories: [{ name: 'other' }] });
  });

  test('of another App are nobody’s business', async () => {
    const { rest } = p.rest('app-jwt');
    await expect(rest.apps.getInstallation({ installation_id: 1 })).rejects.toMatchObject({ status: 404 });
    await expect(rest.apps.createInstallationAccessToken({ installation_id: 1 })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('an installation token', () => {
  test('has everything the installation has, for an hour', async () => {
    const { data, status } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken(installationId());
    expect(status).toBe(201);
    expect(data).toMatchObject({
      expires_at: '2026-01-05T10:00:00Z',
      repository_selection: 'all',
      permissions: p.installation.permissions,
    });
    expect(data.token).toMatch(new RegExp(`^ghs_${p.app.id}_eyJ[\\w-]+\\.eyJ[\\w-]+\\.[\\w-]+$`));
    expect(data.token.length).toBeGreaterThan(500);
    expect(data.token.length).toBeLessThan(560);
    expect(data).not.toHaveProperty('repositories');
  });

  test('is another one each time', async () => {
    const mint = async () =>
      (await p.rest('app-jwt').rest.apps.createInstallationAccessToken(installationId())).data.token;
    expect(await mint()).not.toBe(await mint());
  });

  test('can be narrowed to some permissions and repositories', async () => {
    const { data } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken({
      ...installationId(),
      permissions: { issues: 'read' },
      repositories: ['sandbox'],
    });
    expect(data.permissions).toEqual({ issues: 'read', metadata: 'read' });
    expect(data.repository_selection).toBe('selected');
    expect(data.repositories?.map(({ full_name }) => full_name)).toEqual(['ada/sandbox']);
  });

  test('cannot have more than the installation was granted', async () => {
    p.pocket.world.tables.installations.update(p.installation, { permissions: { issues: 'read' } });
    const mint = (permissions: object) =>
      p.rest('app-jwt').rest.apps.createInstallationAccessToken({ ...installationId(), permissions });
    const message = expect.stringContaining('The permissions requested are not granted to this installation.');
    await expect(mint({ issues: 'write' })).rejects.toMatchObject({ status: 422, message });
    await expect(mint({ contents: 'read' })).rejects.toMatchObject({ status: 422, message });
    expect((await mint({ issues: 'read' })).status).toBe(201);
  });

  test('cannot reach a repository the installation does not cover', async () => {
    const mint = (scope: object) =>
      p.rest('app-jwt').rest.apps.createInstallationAccessToken({ ...installationId(), ...scope });
    const message = expect.stringContaining(
      'There is at least one repository that does not exist or is not accessible',
    );
    await expect(mint({ repositories: ['nothing'] })).rejects.toMatchObject({ status: 422, message });
    await expect(mint({ repository_ids: [p.repository.id, 1] })).rejects.toMatchObject({ status: 422, message });
  });

  test('knows no user, and says so', async () => {
    await expect(p.rest('app').rest.users.getAuthenticated()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration'),
    });
  });

  test('is what listing its repositories takes', async () => {
    const { data } = await p.rest('app').rest.apps.listReposAccessibleToInstallation();
    expect(data).toMatchObject({
      total_count: 1,
      repository_selection: 'all',
      repositories: [{ full_name: 'ada/sandbox' }],
    });
    await expect(p.rest('ada').rest.apps.listReposAccessibleToInstallation()).rejects.toMatchObject({ status: 403 });
  });
});

describe('what happens to an installation', () => {
  const told = async () =>
    (await p.deliveries()).map((delivery) => {
      expect(compareWithExamples(delivery)).toMatchObject({ missing: [] });
      return `${delivery.event}.${delivery.payload.action}`;
    });

  test('its App is told of, subscribed or not', async () => {
    const { rest } = p.rest('app-jwt');
    await rest.apps.suspendInstallation(installationId());
    await rest.apps.unsuspendInstallation(installationId());
    await rest.apps.deleteInstallation(installationId());
    expect(await told()).toEqual(['installation.suspend', 'installation.unsuspend', 'installation.deleted']);
    const [suspend, , deleted] = p.receiver.received;
    expect(suspend?.payload).toMatchObject({
      installation: { suspended_by: { login: 'sluice-dev[bot]' }, suspended_at: '2026-01-05T09:00:00Z' },
    });
    expect(deleted?.payload).toMatchObject({
      installation: { id: p.installation.id },
      repositories: [{ full_name: 'ada/sandbox' }],
    });
    await expect(rest.apps.getInstallation(installationId())).rejects.toMatchObject({ status: 404 });
  });

  test('is told when it comes to be and when its repositories change', async () => {
    const { world } = p.pocket;
    const guild = seedUser(world, { login: 'guild', type: 'Organization' });
    const [works, den] = [
      await seedRepository(world, { owner: guild, name: 'works' }),
      await seedRepository(world, { owner: guild, name: 'den' }),
    ];
    const installation = await installApp(world, byAda(), p.app, guild, [works]);
    await selectRepositories(world, byAda(), installation, [den]);
    expect(await told()).toEqual([
      'installation.created',
      'installation_repositories.added',
      'installation_repositories.removed',
    ]);
    const [created, added, removed] = p.receiver.received;
    expect(created?.payload).toMatchObject({
      installation: { account: { login: 'guild' } },
      repositories: [{ name: 'works' }],
      sender: { login: 'ada' },
    });
    expect(added?.payload).toMatchObject({
      repositories_added: [{ name: 'den' }],
      repositories_removed: [],
      repository_selection: 'selected',
    });
    expect(removed?.payload).toMatchObject({ repositories_added: [], repositories_removed: [{ name: 'works' }] });
  });

  test('ends its tokens when it is uninstalled', async () => {
    const { data } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken(installationId());
    await p.rest('app-jwt').rest.apps.deleteInstallation(installationId());
    const response = await fetch(`${p.pocket.urls.api}/repos/ada/sandbox`, {
      headers: { authorization: `token ${data.token}` },
    });
    expect(response.status).toBe(401);
  });

  test('refuses new tokens while it is suspended', async () => {
    await p.rest('app-jwt').rest.apps.suspendInstallation(installationId());
    await expect(p.rest('app-jwt').rest.apps.createInstallationAccessToken(installationId())).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('This installation has been suspended'),
    });
  });
});
