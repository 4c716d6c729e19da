import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { seedPersonalToken } from '../../src/seed/seed-repository.js';
import { askGraphql } from '../support/ask-graphql.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

const REPOSITORY = 'repository(owner: "ada", name: "sandbox")';

let p: TestPocket;
let wren: typeof graphql;

beforeAll(async () => {
  p = await openPocket();
  wren = await p.graphql('wren');
});

afterAll(() => p.close({ unmodelledIsFine: true }));

async function openIssue(title = 'Something'): Promise<{ id: string; number: number }> {
  const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title });
  return { id: data.node_id, number: data.number };
}

const lastUnmodelled = () => p.pocket.journal.requests().at(-1)?.unmodelled;

describe('what is not modelled', () => {
  test('a field without a resolver fails by name, leaves the rest standing and lands in the journal', async () => {
    const { data, errors } = await askGraphql<{ repository: unknown }>(
      wren,
      `{ ${REPOSITORY} { name fundingLinks { url } } }`,
    );
    expect(errors).toEqual([
      {
        type: 'POCKET_UNMODELLED',
        path: ['repository', 'fundingLinks'],
        locations: [{ line: 1, column: 52 }],
        message: 'Pocket GitHub does not model Repository.fundingLinks',
      },
    ]);
    expect(data).toEqual({ repository: null });
    expect(p.pocket.journal.unmodelled()).toContain('Repository.fundingLinks');
    expect(lastUnmodelled()).toBe('Repository.fundingLinks');
  });

  test('an argument that no resolver reads fails by name instead of being ignored', async () => {
    const planner = wren.defaults({
      headers: { authorization: `token ${seedPersonalToken(p.pocket.world, p.users.wren, ['repo', 'project']).text}` },
    });
    const { errors } = await askGraphql(
      planner,
      `{ ${REPOSITORY} { projectsV2(first: 1, minPermissionLevel: ADMIN) { totalCount } } }`,
    );
    expect(errors).toMatchObject([{ type: 'POCKET_UNMODELLED', path: ['repository', 'projectsV2'] }]);
    expect(lastUnmodelled()).toBe('Repository.projectsV2(minPermissionLevel)');
  });

  test('so does a member of a mutation input', async () => {
    const planner = wren.defaults({
      headers: { authorization: `token ${seedPersonalToken(p.pocket.world, p.users.wren, ['repo', 'project']).text}` },
    });
    const { data } = await askGraphql<{ viewer: { id: string } }>(wren, '{ viewer { id } }');
    const document =
      'mutation ($id: ID!) { createProjectV2(input: { ownerId: $id, title: "x", teamId: $id }) { projectV2 { id } } }';
    expect((await askGraphql(planner, document, { id: data?.viewer.id })).errors).toMatchObject([
      { type: 'POCKET_UNMODELLED' },
    ]);
    expect(lastUnmodelled()).toBe('Mutation.createProjectV2(input.teamId)');
  });

  test('a modelled document leaves no trace there', async () => {
    await askGraphql(wren, '{ viewer { login } }');
    expect(lastUnmodelled()).toBeNull();
  });
});

describe('documents GitHub refuses to run', () => {
  test('an unknown field is refused in the words clients recognise', async () => {
    const { data, errors } = await askGraphql(wren, `query Probe { ${REPOSITORY} { name nonsense } }`);
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      {
        path: ['query Probe', 'repository', 'nonsense'],
        extensions: { code: 'undefinedField', typeName: 'Repository', fieldName: 'nonsense' },
        locations: [{ line: 1, column: 64 }],
        message: "Field 'nonsense' doesn't exist on type 'Repository'",
      },
    ]);
  });

  test('an unknown argument too', async () => {
    const { errors } = await askGraphql(wren, `{ ${REPOSITORY} { labels(first: 1, colour: "red") { totalCount } } }`);
    expect(errors).toMatchObject([
      {
        path: ['query', 'repository', 'labels', 'colour'],
        extensions: { code: 'argumentNotAccepted', name: 'labels', typeName: 'Field', argumentName: 'colour' },
        message: "Field 'labels' doesn't accept argument 'colour'",
      },
    ]);
  });

  test('a variable that does not fit its type, before anything runs', async () => {
    const { errors } = await askGraphql(wren, 'query ($id: ID!) { node(id: $id) { id } }', { id: null });
    expect(errors).toMatchObject([
      { message: 'Variable $id of type ID! was provided invalid value', extensions: { value: null } },
    ]);
    const number = await askGraphql(wren, `query ($n: Int!) { ${REPOSITORY} { labels(first: $n) { totalCount } } }`, {
      n: 'ten',
    });
    expect(number.errors).toMatchObject([
      { message: 'Variable $n of type Int! was provided invalid value', extensions: { value: 'ten' } },
    ]);
  });

  test('what does not parse', async () => {
    const { errors } = await askGraphql(wren, '{ viewer { login }');
    expect(errors).toMatchObject([
      { message: expect.stringContaining('Syntax Error'), locations: [{ line: 1, column: 19 }] },
    ]);
  });

  test('a body without a query, and one that is no JSON', async () => {
    const post = async (body: string) => {
      const response = await fetch(p.pocket.urls.graphql, {
        method: 'POST',
        body,
        headers: { authorization: `token ${p.tokenOf('wren')}` },
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await post('{}')).toEqual({
      status: 200,
      body: { errors: [{ message: 'A query attribute must be specified and must be a string.' }] },
    });
    expect(await post('{')).toMatchObject({ status: 400, body: { message: 'Problems parsing JSON' } });
  });

  test('with several operations the name decides', async () => {
    const two = 'query A { viewer { login } } query B { viewer { id } }';
    expect((await askGraphql(wren, two)).errors).toEqual([{ message: 'An operation name is required' }]);
    expect((await askGraphql(wren, two, { operationName: 'C' })).errors).toEqual([
      { message: 'No operation named "C"' },
    ]);
    expect(await askGraphql(wren, two, { operationName: 'A' })).toEqual({
      data: { viewer: { login: 'wren' } },
      errors: [],
    });
    expect(p.pocket.journal.requests().at(-1)).toMatchObject({
      operation: 'A',
      fields: ['viewer'],
      status: 200,
      errors: [],
    });
  });
});

describe('pages', () => {
  test('a connection without first or last is an error of that field, with its path', async () => {
    const { data, errors } = await askGraphql(wren, `{ viewer { login } ${REPOSITORY} { labels { nodes { name } } } }`);
    expect(data).toEqual({ viewer: { login: 'wren' }, repository: { labels: null } });
    expect(errors).toEqual([
      {
        type: 'MISSING_PAGINATION_BOUNDARIES',
        path: ['repository', 'labels'],
        locations: [{ line: 1, column: 64 }],
        message: 'You must provide a `first` or `last` value to properly paginate the `labels` connection.',
      },
    ]);
  });

  test('counting needs no page', async () => {
    const count = p.pocket.world.tables.issues.all().length;
    const { data, errors } = await askGraphql(wren, `{ ${REPOSITORY} { issues { totalCount } } }`);
    expect({ data, errors }).toEqual({ data: { repository: { issues: { totalCount: count } } }, errors: [] });
  });

  test('more than a hundred is too much, and takes a non-null parent with it', async () => {
    const { data, errors } = await askGraphql(wren, `{ ${REPOSITORY} { issues(first: 101) { nodes { id } } } }`);
    expect(data).toEqual({ repository: null });
    expect(errors).toMatchObject([
      {
        type: 'EXCESSIVE_PAGINATION',
        path: ['repository', 'issues'],
        message: 'Requesting 101 records on the `issues` connection exceeds the `first` limit of 100 records.',
      },
    ]);
  });

  test('neither both ends nor less than nothing', async () => {
    const both = await askGraphql(wren, `{ ${REPOSITORY} { labels(first: 1, last: 1) { nodes { id } } } }`);
    expect(both.errors).toMatchObject([
      {
        type: 'INVALID_PAGINATION',
        message: 'Passing both `first` and `last` to paginate the `labels` connection is not supported.',
      },
    ]);
    const less = await askGraphql(wren, `{ ${REPOSITORY} { labels(last: -1) { nodes { id } } } }`);
    expect(less.errors).toMatchObject([{ message: '`last` on the `labels` connection cannot be less than zero.' }]);
  });

  test('cursors lead from page to page, in both directions', async () => {
    const parent = await openIssue('Parent');
    for (const title of ['1', '2', '3', '4', '5']) {
      const child = await openIssue(title);
      await wren(
        'mutation ($p: ID!, $c: ID!) { addSubIssue(input: { issueId: $p, subIssueId: $c }) { issue { id } } }',
        { p: parent.id, c: child.id },
      );
    }
    const page = (args: string) =>
      askGraphql<{ repository: { issue: { subIssues: Page } } }>(
        wren,
        `{ ${REPOSITORY} { issue(number: ${parent.number}) { subIssues(${args}) { totalCount nodes { title } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`,
      ).then(({ data }) => data?.repository.issue.subIssues);
    const first = await page('first: 2');
    expect(first).toMatchObject({
      totalCount: 5,
      nodes: [{ title: '1' }, { title: '2' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    });
    const second = await page(`first: 2, after: "${first?.pageInfo.endCursor}"`);
    expect(second).toMatchObject({
      nodes: [{ title: '3' }, { title: '4' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
    const back = await page(`last: 2, before: "${second?.pageInfo.startCursor}"`);
    expect(back).toMatchObject({
      nodes: [{ title: '1' }, { title: '2' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    });
    const end = await page('last: 1');
    expect(end).toMatchObject({ nodes: [{ title: '5' }], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    expect(await page(`first: 2, after: "${end?.pageInfo.endCursor}"`)).toMatchObject({
      nodes: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  test('a cursor of nobody’s making is refused', async () => {
    const { errors } = await askGraphql(
      wren,
      `{ ${REPOSITORY} { labels(first: 1, after: "invalid cursor") { nodes { id } } } }`,
    );
    expect(errors).toMatchObject([
      {
        type: 'INVALID_CURSOR_ARGUMENTS',
        path: ['repository', 'labels'],
        message: '`invalid cursor` does not appear to be a valid cursor.',
      },
    ]);
  });
});

interface Page {
  readonly pageInfo: { readonly startCursor: string; readonly endCursor: string };
}

describe('several mutations in one document', () => {
  test('run in order, and go on after one has failed', async () => {
    const { id, number } = await openIssue();
    const { data, errors } = await askGraphql(
      wren,
      `mutation ($id: ID!) {
        first: addComment(input: { subjectId: $id, body: "one", clientMutationId: "a" }) { clientMutationId }
        broken: addComment(input: { subjectId: "I_nobody", body: "two" }) { clientMutationId }
        last: addComment(input: { subjectId: $id, body: "three" }) { clientMutationId }
      }`,
      { id },
    );
    expect(data).toEqual({ first: { clientMutationId: 'a' }, broken: null, last: { clientMutationId: null } });
    expect(errors).toEqual([
      {
        type: 'NOT_FOUND',
        path: ['broken'],
        locations: [{ line: 3, column: 9 }],
        message: "Could not resolve to a node with the global id of 'I_nobody'",
      },
    ]);
    const { data: comments } = await p.rest('wren').rest.issues.listComments({ ...p.at, issue_number: number });
    expect(comments.map((comment) => comment.body)).toEqual(['one', 'three']);
    expect(p.pocket.journal.requests().findLast((entry) => entry.surface === 'graphql')).toMatchObject({
      status: 200,
      applied: true,
      fields: ['addComment', 'addComment', 'addComment'],
    });
  });

  test('a payload that breaks the paging rules comes after the deed', async () => {
    const { id, number } = await openIssue();
    const { data, errors } = await askGraphql(
      wren,
      'mutation ($id: ID!) { addComment(input: { subjectId: $id, body: "done" }) { subject { ... on Issue { comments { nodes { id } } } } } }',
      { id },
    );
    expect(errors).toMatchObject([
      { type: 'MISSING_PAGINATION_BOUNDARIES', path: ['addComment', 'subject', 'comments'] },
    ]);
    expect(data).toEqual({ addComment: { subject: null } });
    expect((await p.rest('wren').rest.issues.get({ ...p.at, issue_number: number })).data.comments).toBe(1);
  });
});

describe('the shape of answers', () => {
  test('aliases, fragments, __typename and directives work as GraphQL says', async () => {
    const { id, number } = await openIssue();
    const { data } = await askGraphql(
      wren,
      `query ($id: ID!, $no: Boolean!) {
        it: node(id: $id) { __typename ...Facts ... on PullRequest { merged } }
        ${REPOSITORY} @skip(if: true) { name }
        viewer { login name @include(if: $no) }
      }
      fragment Facts on Issue { number title }`,
      { id, no: false },
    );
    expect(data).toEqual({ it: { __typename: 'Issue', number, title: 'Something' }, viewer: { login: 'wren' } });
  });

  test('the schema can be asked about itself, our extension included', async () => {
    const { data } = await askGraphql<{ type: { fields: { name: string }[] } }>(
      wren,
      '{ type: __type(name: "Issue") { fields { name } } }',
    );
    expect(data?.type.fields.map((field) => field.name)).toEqual(
      expect.arrayContaining(['title', 'subIssues', 'blockedBy']),
    );
  });

  test('a lookup that finds nothing is null with NOT_FOUND, beside what was found', async () => {
    const { data, errors } = await askGraphql(
      wren,
      `{ viewer { login } repository(owner: "ada", name: "nowhere") { name } }`,
    );
    expect(data).toEqual({ viewer: { login: 'wren' }, repository: null });
    expect(errors).toMatchObject([
      {
        type: 'NOT_FOUND',
        path: ['repository'],
        message: "Could not resolve to a Repository with the name 'ada/nowhere'.",
      },
    ]);
  });
});
