import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { authorAssociation } from '../../src/identity/association.js';
import { seedUser } from '../../src/seed/seed-repository.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
const open = async () => {
  p = await openPocket();
};
const close = () => p.close();

const permissionOf = async (username: string) =>
  (await p.rest('wren').rest.repos.getCollaboratorPermissionLevel({ ...p.at, username })).data;

describe('the permission of a user', () => {
  beforeAll(open);
  afterAll(close);

  test.each([
    ['ada', 'admin', 'admin'],
    ['wren', 'write', 'write'],
    ['tess', 'read', 'triage'],
    ['rita', 'read', 'read'],
    ['mallory', 'read', 'read'],
  ])('%s: %s, by role %s', async (username, permission, role_name) => {
    expect(await permissionOf(username)).toMatchObject({ permission, role_name, user: { login: username, role_name } });
  });

  test('is none for an outsider of a private repository', async () => {
    const other = await openPocket({ private: true });
    const { data } = await other
      .rest('wren')
      .rest.repos.getCollaboratorPermissionLevel({ ...other.at, username: 'mallory' });
    expect(data).toMatchObject({ permission: 'none', role_name: 'none' });
    await other.close();
  });

  test('is asked for by an App through its installation', async () => {
    const { data } = await p.rest('app').rest.repos.getCollaboratorPermissionLevel({ ...p.at, username: 'wren' });
    expect(data.permission).toBe('write');
  });

  test('is not told to those who may not push', async () => {
    await expect(
      p.rest('rita').rest.repos.getCollaboratorPermissionLevel({ ...p.at, username: 'wren' }),
    ).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Must have push access to view collaborator permission.'),
    });
  });

  test.each(['nobody', 'sluice-dev[bot]'])('does not exist for %s', async (username) => {
    await expect(permissionOf(username)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining(`${username} is not a user`),
    });
  });
});

describe('collaborators', () => {
  beforeEach(open);
  afterEach(close);

  test('are listed with their roles, the owner among them', async () => {
    const { data } = await p.rest('wren').rest.repos.listCollaborators(p.at);
    expect(data.map(({ login, role_name }) => `${login} ${role_name}`)).toEqual([
      'ada admin',
      'wren write',
      'tess triage',
      'rita read',
    ]);
    await expect(p.rest('rita').rest.repos.listCollaborators(p.at)).rejects.toMatchObject({ status: 403 });
    await expect(p.rest('anonymous').rest.repos.listCollaborators(p.at)).rejects.toMatchObject({ status: 401 });
  });

  test('who maintain read as writers to those who know only three roles', async () => {
    await p.rest('ada').rest.repos.addCollaborator({ ...p.at, username: 'mallory', permission: 'maintain' });
    expect(await permissionOf('mallory')).toMatchObject({
      permission: 'write',
      role_name: 'maintain',
      user: { permissions: { push: true, admin: false } },
    });
  });

  test('are told from outsiders', async () => {
    const check = (username: Person) => p.rest('wren').rest.repos.checkCollaborator({ ...p.at, username });
    expect((await check('rita')).status).toBe(204);
    expect((await check('ada')).status).toBe(204);
    await expect(check('mallory')).rejects.toMatchObject({ status: 404 });
  });

  test('come, change and go by an administrator, and webhooks tell', async () => {
    const { rest } = p.rest('ada');
    const added = await rest.repos.addCollaborator({ ...p.at, username: 'mallory', permission: 'triage' });
    expect(added.status).toBe(201);
    expect(added.data).toMatchObject({
      invitee: { login: 'mallory' },
      inviter: { login: 'ada' },
      permissions: 'triage',
    });
    expect((await rest.repos.addCollaborator({ ...p.at, username: 'mallory', permission: 'push' })).status).toBe(204);
    expect(await permissionOf('mallory')).toMatchObject({ role_name: 'write' });
    expect((await rest.repos.removeCollaborator({ ...p.at, username: 'mallory' })).status).toBe(204);
    expect(await permissionOf('mallory')).toMatchObject({ role_name: 'read' });
    const deliveries = await p.deliveries();
    for (const delivery of deliveries) expect(compareWithExamples(delivery).missing).toEqual([]);
    expect(deliveries.map(({ payload }) => payload)).toMatchObject([
      {
        action: 'added',
        member: { login: 'mallory' },
        changes: { permission: { to: 'read' }, role_name: { to: 'triage' } },
      },
      { action: 'edited', changes: { permission: { from: 'read', to: 'write' } } },
      { action: 'removed', member: { login: 'mallory' } },
    ]);
  });

  test('are changed by nobody else, but may leave', async () => {
    const add = p.rest('wren').rest.repos.addCollaborator({ ...p.at, username: 'mallory' });
    await expect(add).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Must have admin rights to Repository.'),
    });
    await expect(p.rest('wren').rest.repos.removeCollaborator({ ...p.at, username: 'rita' })).rejects.toMatchObject({
      status: 403,
    });
    expect((await p.rest('rita').rest.repos.removeCollaborator({ ...p.at, username: 'rita' })).status).toBe(204);
  });

  test('are a connection with permissions on its edges', async () => {
    const ask =
      '{ repository(owner: "ada", name: "sandbox") { collaborators(first: 2, after: null) { totalCount edges { permission node { login } } } } }';
    expect(await (await p.graphql('wren'))(ask)).toEqual({
      repository: {
        collaborators: {
          totalCount: 4,
          edges: [
            { permission: 'ADMIN', node: { login: 'ada' } },
            { permission: 'WRITE', node: { login: 'wren' } },
          ],
        },
      },
    });
    await expect((await p.graphql('rita'))(ask)).rejects.toMatchObject({ errors: [{ type: 'FORBIDDEN' }] });
  });
});

describe('the association of an author', () => {
  beforeEach(open);
  afterEach(close);

  const associationOf = (userId: number) => authorAssociation(p.pocket.world.tables, p.repository, userId);

  test('tells owner, member, collaborator and stranger apart', () => {
    const { world } = p.pocket;
    expect(associationOf(p.users.ada.id)).toBe('OWNER');
    expect(associationOf(p.users.rita.id)).toBe('COLLABORATOR');
    expect(associationOf(p.users.mallory.id)).toBe('NONE');
    const guild = seedUser(world, { login: 'guild', type: 'Organization' });
    world.tables.users.update(p.users.mallory, { organizationIds: [guild.id] });
    world.tables.repositories.update(p.repository, { ownerId: guild.id });
    expect(authorAssociation(world.tables, world.tables.repositories.must(p.repository.id), p.users.mallory.id)).toBe(
      'MEMBER',
    );
  });

  test('makes a contributor of whoever has pushed to the default branch', async () => {
    const { world } = p.pocket;
    expect(associationOf(p.app.botId)).toBe('NONE');
    const push = { before: null, after: 'a'.repeat(40), forced: false, commits: [] };
    const bot = { userId: p.app.botId, viaAppId: p.app.id };
    await world.record(
      bot,
      'pushed',
      { repositoryId: p.repository.id },
      { ...push, ref: 'refs/heads/topic', after: null },
    );
    expect(associationOf(p.app.botId)).toBe('NONE');
    await world.record(
      bot,
      'pushed',
      { repositoryId: p.repository.id },
      { ...push, ref: 'refs/heads/main', after: null },
    );
    expect(associationOf(p.app.botId)).toBe('CONTRIBUTOR');
  });
});
