import { describe, expect, test } from '@jest/globals';
import { seedInstallation } from '../../src/resources/apps/seed-app.js';
import { seedCollaborator, seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import { findUser } from '../../src/world/lookup.js';
import { formatNodeId } from '../../src/world/tables.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest(
  (opened) => {
    p = opened;
  },
  async ({ pocket: { world }, users, app }) => {
    const guild = seedUser(world, { login: 'guild', type: 'Organization' });
    const works = await seedRepository(world, { owner: guild, name: 'works' });
    seedCollaborator(world, works, users.wren, 'write');
    seedInstallation(world, app, guild, 'all');
    for (const [name, color] of [
      ['Bug', 'red'],
      ['Task', 'yellow'],
    ] as const) {
      world.tables.issueTypes.insert({
        id: world.newId(),
        ownerId: guild.id,
        name,
        description: null,
        color,
        createdAt: world.now(),
      });
    }
  },
);

const at = { owner: 'guild', repo: 'works' };

function typeId(name: string): string {
  const owner = findUser(p.pocket.world.tables, 'guild');
  const type = p.pocket.world.tables.issueTypes
    .by('ownerId', owner?.id ?? 0)
    .find((candidate) => candidate.name === name);
  return formatNodeId('issueTypes', type?.id ?? 0);
}

async function ask<T>(who: Person, document: string, variables: Record<string, unknown> = {}): Promise<T> {
  return (await p.graphql(who))<T>(document, variables);
}

describe('issue types', () => {
  test('are an organisation’s, and so its repositories’', async () => {
    const { data } = await p.rest('wren').request('GET /orgs/{org}/issue-types', { org: 'guild' });
    expect(data).toMatchObject([
      { name: 'Bug', color: 'red', is_enabled: true },
      { name: 'Task', color: 'yellow' },
    ]);
    expect((await p.rest('wren').request('GET /repos/{owner}/{repo}/issue-types', at)).data).toEqual(data);
    expect((await p.rest('wren').request('GET /repos/{owner}/{repo}/issue-types', p.at)).data).toEqual([]);
    expect((await refusalOf(p.rest('wren').request('GET /orgs/{org}/issue-types', { org: 'ada' }))).status).toBe(404);
    expect(
      await ask(
        'wren',
        '{ repository(owner: "guild", name: "works") { issueTypes(first: 5) { nodes { name color } } } }',
      ),
    ).toEqual({
      repository: {
        issueTypes: {
          nodes: [
            { name: 'Bug', color: 'RED' },
            { name: 'Task', color: 'YELLOW' },
          ],
        },
      },
    });
  });

  test('are given, changed and taken away by REST, and told', async () => {
    const { data } = await p.rest('wren').rest.issues.create({ ...at, title: 'One', type: 'bug' });
    expect(data.type).toMatchObject({ name: 'Bug' });
    const here = { ...at, issue_number: data.number };
    expect((await p.rest('wren').rest.issues.update({ ...here, type: 'Task' })).data.type).toMatchObject({
      name: 'Task',
    });
    expect((await p.rest('wren').rest.issues.update({ ...here, type: null })).data.type).toBeNull();
    const told = (await p.deliveries()).map(({ payload }) => [
      payload.action,
      (payload['type'] as { name?: string })?.name,
    ]);
    expect(told).toEqual([
      ['opened', undefined],
      ['typed', 'Bug'],
      ['untyped', 'Bug'],
      ['typed', 'Task'],
      ['untyped', 'Task'],
    ]);
  });

  test('a name the organisation does not have is refused', async () => {
    expect(
      await refusalOf(p.rest('wren').rest.issues.create({ ...at, title: 'One', type: 'RequestedWork' })),
    ).toMatchObject({
      status: 422,
      errors: [{ resource: 'Issue', field: 'type', code: 'invalid', value: 'RequestedWork' }],
    });
  });

  test('are set by GraphQL; another organisation’s are unknown', async () => {
    const { data } = await p.rest('wren').rest.issues.create({ ...at, title: 'One' });
    const document = `mutation($id: ID!, $type: ID) {
      updateIssueIssueType(input: { issueId: $id, issueTypeId: $type }) { issue { issueType { name isEnabled } } }
    }`;
    expect(await ask('wren', document, { id: data.node_id, type: typeId('Bug') })).toEqual({
      updateIssueIssueType: { issue: { issueType: { name: 'Bug', isEnabled: true } } },
    });
    expect(await ask('wren', document, { id: data.node_id, type: null })).toEqual({
      updateIssueIssueType: { issue: { issueType: null } },
    });
    const { data: elsewhere } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'Two' });
    expect(await errorsOf(ask('wren', document, { id: elsewhere.node_id, type: typeId('Bug') }))).toEqual([
      expect.stringMatching(/^NOT_FOUND: /),
    ]);
  });

  test('the list finds issues by type', async () => {
    await p.rest('wren').rest.issues.create({ ...at, title: 'One', type: 'Bug' });
    await p.rest('wren').rest.issues.create({ ...at, title: 'Two' });
    const titles = async (type: string) =>
      (await p.rest('wren').rest.issues.listForRepo({ ...at, type })).data.map(({ title }) => title);
    expect(await titles('bug')).toEqual(['One']);
    expect(await titles('*')).toEqual(['One']);
    expect(await titles('none')).toEqual(['Two']);
  });
});
