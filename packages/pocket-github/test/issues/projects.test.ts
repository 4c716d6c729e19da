import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { seedProject } from '../../src/resources/projects/seed-project.js';
import { seedInstallation } from '../../src/resources/apps/seed-app.js';
import { seedPersonalToken, seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import type { Repository, User } from '../../src/world/model.js';
import { formatNodeId } from '../../src/world/tables.js';
import { askGraphql } from '../support/ask-graphql.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
let acme: User;
let works: Repository;
/** A member of the organisation, with a token that may use projects. */
let mona: typeof graphql;
/** Ada, likewise. */
let ada: typeof graphql;

const AT = { owner: 'acme', repo: 'works' };

beforeAll(async () => {
  p = await openPocket();
  const { world } = p.pocket;
  acme = seedUser(world, { login: 'acme', type: 'Organization' });
  const member = world.tables.users.update(seedUser(world, { login: 'mona' }), { organizationIds: [acme.id] });
  works = await seedRepository(world, { owner: acme, name: 'works' });
  seedInstallation(world, p.app, acme, 'all');
  seedProject(world, {
    owner: acme,
    title: 'Road map',
    repositories: [works],
    fields: [
      { name: 'Size', options: ['XS', 'S', 'M', 'L', 'XL'] },
      { name: 'Notes', type: 'TEXT' },
      { name: 'Estimate', type: 'NUMBER' },
      { name: 'Due', type: 'DATE' },
    ],
  });
  mona = await clientOf(member, ['repo', 'project']);
  ada = await clientOf(p.users.ada, ['repo', 'project']);
});

afterAll(() => p.close());

async function clientOf(user: User, scopes: readonly string[]): Promise<typeof graphql> {
  const token = seedPersonalToken(p.pocket.world, user, scopes).text;
  return (await p.graphql('wren')).defaults({ headers: { authorization: `token ${token}` } });
}

async function openIssue(title: string) {
  return (await p.rest('rita').rest.issues.create({ ...AT, title })).data;
}

interface Board {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly sizes: Readonly<Record<string, string>>;
}

const FIELDS = `id fields(first: 20) { nodes {
  ... on ProjectV2FieldCommon { id name dataType }
  ... on ProjectV2SingleSelectField { options { id name color description } }
} }`;

async function board(): Promise<Board> {
  const { organization } = await mona<{ organization: { projectV2: { id: string; fields: { nodes: Field[] } } } }>(
    `{ organization(login: "acme") { projectV2(number: 1) { ${FIELDS} } } }`,
  );
  const { id, fields } = organization.projectV2;
  const sizes = fields.nodes.find((field) => field.name === 'Size')?.options ?? [];
  return {
    id,
    fields: Object.fromEntries(fields.nodes.map((field) => [field.name, field.id])),
    sizes: Object.fromEntries(sizes.map((option) => [option.name, option.id])),
  };
}

interface Field {
  readonly id: string;
  readonly name: string;
  readonly dataType: string;
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

const ADD =
  'mutation ($input: AddProjectV2ItemByIdInput!) { addProjectV2ItemById(input: $input) { item { id type updatedAt } } }';
const SET =
  'mutation ($input: UpdateProjectV2ItemFieldValueInput!) { updateProjectV2ItemFieldValue(input: $input) { projectV2Item { updatedAt } } }';

async function addCard(projectId: string, contentId: string) {
  const answer = await mona<{ addProjectV2ItemById: { item: { id: string; type: string; updatedAt: string } } }>(ADD, {
    input: { projectId, contentId },
  });
  return answer.addProjectV2ItemById.item;
}

const SIZE_OF = `query ($id: ID!) { node(id: $id) { ... on Issue { updatedAt projectItems(first: 5) { nodes {
  project { number title } type isArchived
  fieldValueByName(name: "Size") { ... on ProjectV2ItemFieldSingleSelectValue { name optionId field { ... on ProjectV2FieldCommon { name } } } }
} } } } }`;

describe('a board', () => {
  test('has Title, Status and the fields it was given, with their options', async () => {
    const { organization } = await mona<{ organization: unknown }>(
      `{ organization(login: "acme") { projectV2(number: 1) { number title closed url owner { ... on Organization { login } } repositories(first: 5) { nodes { nameWithOwner } }
        size: field(name: "size") { ... on ProjectV2SingleSelectField { name options(names: ["M"]) { name } } } nothing: field(name: "Colour") { __typename } ${FIELDS} } } }`,
    );
    expect(organization).toMatchObject({
      projectV2: {
        number: 1,
        title: 'Road map',
        closed: false,
        url: `${p.pocket.urls.html}/orgs/acme/projects/1`,
        owner: { login: 'acme' },
        repositories: { nodes: [{ nameWithOwner: 'acme/works' }] },
        size: { name: 'Size', options: [{ name: 'M' }] },
        nothing: null,
        fields: {
          nodes: [
            { name: 'Title', dataType: 'TITLE' },
            {
              name: 'Status',
              dataType: 'SINGLE_SELECT',
              options: [{ name: 'Todo' }, { name: 'In Progress' }, { name: 'Done' }],
            },
            {
              name: 'Size',
              dataType: 'SINGLE_SELECT',
              options: [{ name: 'XS' }, { name: 'S' }, { name: 'M' }, { name: 'L' }, { name: 'XL' }],
            },
            { name: 'Notes', dataType: 'TEXT' },
            { name: 'Estimate', dataType: 'NUMBER' },
            { name: 'Due', dataType: 'DATE' },
          ],
        },
      },
    });
  });

  test('is found through the repository it is linked to', async () => {
    const query =
      '{ repository(owner: "acme", name: "works") { projectsV2(first: 5) { nodes { title } } projectV2(number: 1) { title } } }';
    expect(await mona(query)).toEqual({
      repository: { projectsV2: { nodes: [{ title: 'Road map' }] }, projectV2: { title: 'Road map' } },
    });
  });

  test('takes an issue once: adding it again gives the card it has', async () => {
    const { id } = await board();
    const issue = await openIssue('Once');
    const first = await addCard(id, issue.node_id);
    p.clock.advance(60_000);
    expect(await addCard(id, issue.node_id)).toEqual(first);
    const { errors } = await askGraphql(mona, ADD, {
      input: { projectId: id, contentId: formatNodeId('repositories', works.id) },
    });
    expect(errors).toMatchObject([
      { type: 'VALIDATION', message: 'contentID must refer to an Issue or a Pull Request.' },
    ]);
  });

  test('is made and given fields through the API', async () => {
    const { createProjectV2 } = await ada<{ createProjectV2: { projectV2: { id: string; number: number } } }>(
      'mutation ($input: CreateProjectV2Input!) { createProjectV2(input: $input) { projectV2 { id number title url } } }',
      { input: { ownerId: formatNodeId('users', p.users.ada.id), title: 'Mine' } },
    );
    expect(createProjectV2.projectV2).toMatchObject({
      number: 1,
      title: 'Mine',
      url: `${p.pocket.urls.html}/users/ada/projects/1`,
    });
    const input = {
      projectId: createProjectV2.projectV2.id,
      dataType: 'SINGLE_SELECT',
      name: 'Size',
      singleSelectOptions: [{ name: 'S', color: 'GREEN', description: 'small' }],
    };
    const create =
      'mutation ($input: CreateProjectV2FieldInput!) { createProjectV2Field(input: $input) { projectV2Field { ... on ProjectV2SingleSelectField { name options { name color description } } } } }';
    expect(await ada(create, { input })).toEqual({
      createProjectV2Field: {
        projectV2Field: { name: 'Size', options: [{ name: 'S', color: 'GREEN', description: 'small' }] },
      },
    });
    expect((await askGraphql(ada, create, { input })).errors).toMatchObject([
      { message: 'Name has already been taken' },
    ]);
    await ada(
      'mutation ($input: LinkProjectV2ToRepositoryInput!) { linkProjectV2ToRepository(input: $input) { repository { name } } }',
      {
        input: { projectId: input.projectId, repositoryId: formatNodeId('repositories', p.repository.id) },
      },
    );
    expect(
      await ada('{ repository(owner: "ada", name: "sandbox") { projectsV2(first: 1) { nodes { title } } } }'),
    ).toEqual({
      repository: { projectsV2: { nodes: [{ title: 'Mine' }] } },
    });
  });
});

describe('the fields of a card', () => {
  test('setting Size shows on the issue and does not touch its updatedAt', async () => {
    const { id, fields, sizes } = await board();
    const issue = await openIssue('To be sized');
    const item = await addCard(id, issue.node_id);
    p.clock.advance(60_000);
    const input = {
      projectId: id,
      itemId: item.id,
      fieldId: fields['Size'],
      value: { singleSelectOptionId: sizes['M'] },
    };
    const { updateProjectV2ItemFieldValue: set } = await mona<Updated>(SET, { input });
    expect(set.projectV2Item.updatedAt > item.updatedAt).toBe(true);
    expect(await mona(SIZE_OF, { id: issue.node_id })).toEqual({
      node: {
        updatedAt: issue.updated_at,
        projectItems: {
          nodes: [
            {
              project: { number: 1, title: 'Road map' },
              type: 'ISSUE',
              isArchived: false,
              fieldValueByName: { name: 'M', optionId: sizes['M'], field: { name: 'Size' } },
            },
          ],
        },
      },
    });
    expect((await p.rest('rita').rest.issues.get({ ...AT, issue_number: issue.number })).data.updated_at).toBe(
      issue.updated_at,
    );
    const { data: timeline } = await p
      .rest('rita')
      .rest.issues.listEventsForTimeline({ ...AT, issue_number: issue.number });
    expect(timeline).toEqual([]);
    p.clock.advance(60_000);
    const again = await mona<Updated>(SET, { input });
    expect(again).toEqual({ updateProjectV2ItemFieldValue: set });
  });

  test('text, number and date hold what they are given, and are cleared', async () => {
    const { id, fields } = await board();
    const item = await addCard(id, (await openIssue('Filled in')).node_id);
    const set = (name: string, value: object) =>
      askGraphql(mona, SET, { input: { projectId: id, itemId: item.id, fieldId: fields[name], value } });
    for (const [name, value] of [
      ['Notes', { text: 'soon' }],
      ['Estimate', { number: 2.5 }],
      ['Due', { date: '2030-01-31' }],
    ] as const) {
      expect((await set(name, value)).errors).toEqual([]);
    }
    const read = `query ($id: ID!) { node(id: $id) { ... on ProjectV2Item { content { ... on Issue { title } } fieldValues(first: 10) { totalCount nodes { __typename
      ... on ProjectV2ItemFieldTextValue { text } ... on ProjectV2ItemFieldNumberValue { number } ... on ProjectV2ItemFieldDateValue { date } } } } } }`;
    const values = [
      { __typename: 'ProjectV2ItemFieldTextValue', text: 'Filled in' },
      { __typename: 'ProjectV2ItemFieldTextValue', text: 'soon' },
      { __typename: 'ProjectV2ItemFieldNumberValue', number: 2.5 },
      { __typename: 'ProjectV2ItemFieldDateValue', date: '2030-01-31' },
    ];
    expect(await mona(read, { id: item.id })).toEqual({
      node: { content: { title: 'Filled in' }, fieldValues: { totalCount: 4, nodes: values } },
    });
    await mona(
      'mutation ($input: ClearProjectV2ItemFieldValueInput!) { clearProjectV2ItemFieldValue(input: $input) { projectV2Item { id } } }',
      {
        input: { projectId: id, itemId: item.id, fieldId: fields['Notes'] },
      },
    );
    expect(await mona(read, { id: item.id })).toMatchObject({ node: { fieldValues: { totalCount: 3 } } });
  });

  test('refuse values of the wrong kind, foreign options and the title', async () => {
    const { id, fields } = await board();
    const item = await addCard(id, (await openIssue('Wrongly filled in')).node_id);
    const message = async (name: string, value: object) =>
      (
        await askGraphql(mona, SET, { input: { projectId: id, itemId: item.id, fieldId: fields[name], value } })
      ).errors.map((error) => [error.type, error.message]);
    expect(await message('Size', { text: 'M' })).toEqual([
      ['VALIDATION', 'Did not receive a single select option Id to update a field of type single_select'],
    ]);
    expect(await message('Size', { singleSelectOptionId: 'ffffffff' })).toEqual([
      ['VALIDATION', 'The single select option Id does not belong to the field'],
    ]);
    expect(await message('Estimate', { text: '2' })).toEqual([
      ['VALIDATION', 'Did not receive a number value to update a field of type number'],
    ]);
    expect(await message('Title', { text: 'x' })).toEqual([
      ['VALIDATION', 'The field of type title is currently not supported.'],
    ]);
  });
});

interface Updated {
  readonly updateProjectV2ItemFieldValue: { readonly projectV2Item: { readonly updatedAt: string } };
}

describe('who may use projects', () => {
  test('a token without the scope is told which one it lacks', async () => {
    const rita = await p.graphql('rita');
    const { errors } = await askGraphql(rita, '{ organization(login: "acme") { projectV2(number: 1) { title } } }');
    expect(errors).toMatchObject([
      {
        type: 'INSUFFICIENT_SCOPES',
        path: ['organization', 'projectV2'],
        message: expect.stringContaining(
          "The 'projectV2' field requires one of the following scopes: ['read:project'], but your token has only been granted the: ['repo', 'workflow'] scopes.",
        ),
      },
    ]);
  });

  test('a stranger does not find the project, nor can they change it', async () => {
    const { data, errors } = await askGraphql(
      ada,
      '{ organization(login: "acme") { projectV2(number: 1) { title } projectsV2(first: 5) { totalCount } } }',
    );
    expect(data).toEqual({ organization: { projectV2: null, projectsV2: { totalCount: 0 } } });
    expect(errors).toMatchObject([
      { type: 'NOT_FOUND', message: 'Could not resolve to a ProjectV2 with the number 1.' },
    ]);
    const { id } = await board();
    const issue = await openIssue('Not yours');
    expect((await askGraphql(ada, ADD, { input: { projectId: id, contentId: issue.node_id } })).errors).toMatchObject([
      { type: 'NOT_FOUND' },
    ]);
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    expect((await askGraphql(ada, node, { id })).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
    const [member] = p.pocket.world.tables.users.by('login', 'mona');
    if (member === undefined) throw new Error('there is no mona');
    expect((await askGraphql(await clientOf(member, ['repo']), node, { id })).errors).toMatchObject([
      { type: 'INSUFFICIENT_SCOPES' },
    ]);
  });

  test('an App reaches the organisation’s projects with the permission, and a user’s never', async () => {
    const { world } = p.pocket;
    const { data } = await p.rest('app-jwt').rest.apps.getOrgInstallation({ org: 'acme' });
    const token = async (permissions?: { organization_projects: 'write' } | { issues: 'read' }) =>
      (
        await p.rest('app-jwt').rest.apps.createInstallationAccessToken({
          installation_id: data.id,
          ...(permissions === undefined ? {} : { permissions }),
        })
      ).data.token;
    const app = async (permissions: { organization_projects: 'write' } | { issues: 'read' }) =>
      mona.defaults({ headers: { authorization: `token ${await token(permissions)}` } });
    const query = '{ organization(login: "acme") { projectV2(number: 1) { title } } }';
    expect(await (await app({ organization_projects: 'write' }))(query)).toEqual({
      organization: { projectV2: { title: 'Road map' } },
    });
    expect((await askGraphql(await app({ issues: 'read' }), query)).errors).toMatchObject([
      { type: 'FORBIDDEN', message: 'Resource not accessible by integration' },
    ]);
    seedProject(world, { owner: p.users.ada, title: 'Private matters', repositories: [p.repository] });
    const ofAda = await askGraphql(
      await p.graphql('app'),
      '{ repository(owner: "ada", name: "sandbox") { projectsV2(first: 5) { totalCount } } }',
    );
    expect(ofAda).toEqual({ data: { repository: { projectsV2: { totalCount: 0 } } }, errors: [] });
  });
});

describe('webhooks', () => {
  test('tell an organisation of its cards, without a repository', async () => {
    const { id, fields, sizes } = await board();
    const issue = await openIssue('Announced');
    const before = (await p.deliveries()).length;
    const item = await addCard(id, issue.node_id);
    const set = (option: string) =>
      mona(SET, {
        input: {
          projectId: id,
          itemId: item.id,
          fieldId: fields['Size'],
          value: { singleSelectOptionId: sizes[option] },
        },
      });
    await set('S');
    await set('L');
    await mona(
      'mutation ($input: DeleteProjectV2ItemInput!) { deleteProjectV2Item(input: $input) { deletedItemId } }',
      {
        input: { projectId: id, itemId: item.id },
      },
    );
    const told = (await p.deliveries()).slice(before);
    expect(told.map(({ event, payload }) => [event, payload.action])).toEqual([
      ['projects_v2_item', 'created'],
      ['projects_v2_item', 'edited'],
      ['projects_v2_item', 'edited'],
      ['projects_v2_item', 'deleted'],
    ]);
    const [created, , edited] = told.map(({ payload }) => payload);
    expect(created).toMatchObject({
      projects_v2_item: {
        node_id: item.id,
        project_node_id: id,
        content_node_id: issue.node_id,
        content_type: 'Issue',
        creator: { login: 'mona' },
      },
      organization: { login: 'acme' },
      sender: { login: 'mona' },
    });
    expect(created).not.toHaveProperty('repository');
    expect(edited).toMatchObject({
      changes: {
        field_value: {
          field_node_id: fields['Size'],
          field_name: 'Size',
          field_type: 'single_select',
          project_number: 1,
          from: { id: sizes['S'], name: 'S' },
          to: { id: sizes['L'], name: 'L' },
        },
      },
    });
  });

  test('say nothing of a user’s projects', async () => {
    const project = seedProject(p.pocket.world, { owner: p.users.ada, title: 'Quiet' });
    const { data: issue } = await p.rest('ada').rest.issues.create({ ...p.at, title: 'Quiet' });
    const before = (await p.deliveries()).length;
    await ada(ADD, { input: { projectId: formatNodeId('projects', project.id), contentId: issue.node_id } });
    expect((await p.deliveries()).slice(before)).toEqual([]);
  });
});
