import { afterEach, describe, expect, test } from '@jest/globals';
import { GraphqlResponseError } from '@octokit/graphql';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Fault, GraphqlErrorEffect, Occurrence, RequestEffect, RequestMatch } from '../../src/faults/fault.js';
import type { TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

/* How GitHub refuses a part of a GraphQL answer, a query for its size, and a merge that lost a race. */

let p: TestPocket;
let issue: { readonly number: number; readonly id: string };
freshPocketEachTest(
  (fresh) => {
    p = fresh;
  },
  async (fresh) => {
    const { data } = await fresh.rest('wren').rest.issues.create({ ...fresh.at, title: 'Fragile' });
    await fresh.rest('wren').rest.issues.createComment({ ...fresh.at, issue_number: data.number, body: 'Hm' });
    issue = { number: data.number, id: data.node_id };
  },
);

afterEach(() => p.pocket.faults.clear());

const TOO_DEAR: GraphqlErrorEffect = {
  kind: 'graphql-error',
  type: 'RESOURCE_LIMITS_EXCEEDED',
  message: 'Resource limits for this query exceeded.',
};

function arm(effect: RequestEffect, match: RequestMatch, occurrence: Occurrence = { nth: 1 }): void {
  p.pocket.faults.arm({ on: 'request', match, occurrence, effect } satisfies Fault);
}

/** What a document was answered with, data and errors alike. */
async function answerOf(document: string, variables: Record<string, unknown> = {}) {
  const graphql = await p.graphql('wren');
  try {
    return { data: await graphql(document, variables), errors: [] };
  } catch (error) {
    if (!(error instanceof GraphqlResponseError)) throw error;
    return { data: error.data as unknown, errors: error.errors as unknown };
  }
}

const READ = /* GraphQL */ `
  query Read($number: Int!, $size: Int = 100) {
    viewer { login }
    repository(owner: "ada", name: "sandbox") {
      name
      thread: issue(number: $number) { title labels(first: $size) { nodes { name } } comments(first: $size) { nodes { body } } }
    }
  }
`;

describe('a place of an answer that fails', () => {
  test('is null with type and path, and the rest stands', async () => {
    arm({ ...TOO_DEAR, path: ['repository', 'thread', 'labels'] }, { operation: 'Read' });
    expect(await answerOf(READ, { number: issue.number })).toEqual({
      data: {
        viewer: { login: 'wren' },
        repository: {
          name: 'sandbox',
          thread: { title: 'Fragile', labels: null, comments: { nodes: [{ body: 'Hm' }] } },
        },
      },
      errors: [
        {
          type: 'RESOURCE_LIMITS_EXCEEDED',
          path: ['repository', 'thread', 'labels'],
          locations: expect.anything() as unknown,
          message: TOO_DEAR.message,
        },
      ],
    });
    expect(p.pocket.journal.requests().at(-1)).toMatchObject({ status: 200, errors: [TOO_DEAR.message] });
    expect((await answerOf(READ, { number: issue.number })).errors).toEqual([]);
  });

  test('takes with it what may not be without it', async () => {
    arm({ ...TOO_DEAR, path: ['repository', 'thread', 'comments'] }, { operation: 'Read' });
    expect(await answerOf(READ, { number: issue.number })).toMatchObject({
      data: { viewer: { login: 'wren' }, repository: { name: 'sandbox', thread: null } },
      errors: [{ path: ['repository', 'thread', 'comments'] }],
    });
  });

  test('in a list stands for every entry, unless its position is named', async () => {
    const wren = p.rest('wren');
    await wren.rest.issues.createComment({ ...p.at, issue_number: issue.number, body: 'Well' });
    const document = `query Bodies { repository(owner: "ada", name: "sandbox") { issue(number: ${issue.number}) { comments(first: 9) { nodes { body } } } } }`;
    const path = ['repository', 'issue', 'comments', 'nodes', 'body'];
    const nodes = (list: readonly unknown[]) => ({ data: { repository: { issue: { comments: { nodes: list } } } } });
    arm({ ...TOO_DEAR, path }, { operation: 'Bodies' });
    expect(await answerOf(document)).toMatchObject(nodes([null, null]));
    arm({ ...TOO_DEAR, path: path.toSpliced(4, 0, '1') }, { operation: 'Bodies' });
    expect(await answerOf(document)).toMatchObject(nodes([{ body: 'Hm' }, { body: 'Well' }]));
    arm({ ...TOO_DEAR, path: [...path.slice(0, 4), 1, 'body'] }, { operation: 'Bodies' });
    expect(await answerOf(document)).toMatchObject(nodes([{ body: 'Hm' }, null]));
  });

  test('may be null without a word, where the schema lets it be', async () => {
    const document = `query Nulls {
      repository(owner: "ada", name: "sandbox") {
        databaseId
        issue(number: ${issue.number}) { title projectItems(first: 1) { nodes { id } } comments(first: 1) { nodes { body } } }
      }
    }`;
    for (const path of [['databaseId'], ['issue', 'projectItems'], ['issue', 'comments', 'nodes'], ['issue', 'title']])
      arm({ kind: 'graphql-null', path: ['repository', ...path] }, { operation: 'Nulls' });
    expect(await answerOf(document)).toEqual({
      data: {
        repository: {
          databaseId: null,
          issue: { title: 'Fragile', projectItems: null, comments: { nodes: null } },
        },
      },
      errors: [],
    });
  });

  test('has no type where GitHub only says that something went wrong', async () => {
    arm({ kind: 'graphql-error', type: null, message: 'Something went wrong.' }, { field: 'viewer' });
    const { data, errors } = await answerOf('{ viewer { login } }');
    expect(data).toBeNull();
    expect(errors).toEqual([
      { path: ['viewer'], locations: expect.anything() as unknown, message: 'Something went wrong.' },
    ]);
  });

  test('of a mutation is refused with nothing done by its own path, and done but not told without one', async () => {
    const add = `mutation Add { said: addComment(input: { subjectId: "${issue.id}", body: "Again" }) { subject { id } } }`;
    const count = async () =>
      (await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: issue.number })).data.length;
    arm({ ...TOO_DEAR, path: ['said'] }, { operation: 'Add' });
    expect((await answerOf(add)).data).toEqual({ said: null });
    expect(await count()).toBe(1);
    arm(TOO_DEAR, { operation: 'Add' });
    expect(await answerOf(add)).toMatchObject({ data: { said: null }, errors: [{ path: ['said'] }] });
    expect(await count()).toBe(2);
    expect(p.pocket.journal.requests().at(-2)).toMatchObject({ operation: 'Add', applied: true });
  });
});

test('a query that asks for too many nodes is cut as long as it does; one with smaller pages is answered', async () => {
  arm(TOO_DEAR, { surface: 'graphql', nodesOver: 50 }, { always: true });
  const large = { number: issue.number, size: 100 };
  for (const _ of [1, 2]) {
    expect(await answerOf(READ, large)).toMatchObject({
      data: { viewer: { login: 'wren' }, repository: null },
      errors: [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['repository'] }],
    });
  }
  expect((await answerOf(READ, { number: issue.number, size: 25 })).errors).toEqual([]);
});

test('base moves several times in a row: the merge is refused each time, and only a merge that could succeed', async () => {
  const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
  const { data: pull } = await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Add', head: 'topic', base: 'main' });
  const words = 'Base branch was modified. Review and try the merge again.';
  const byRest = (sha = head) => p.rest('ada').rest.pulls.merge({ ...p.at, pull_number: pull.number, sha });
  const graphql = await p.graphql('ada');
  const byGraphql = () =>
    graphql(`mutation { mergePullRequest(input: { pullRequestId: "${pull.node_id}" }) { pullRequest { merged } } }`);

  arm({ kind: 'base-modified' }, { operation: 'PUT *merge' }, { times: 3 });
  expect((await refusalOf(byRest('0'.repeat(40)))).status).toBe(409);
  for (const _ of [1, 2]) expect(await refusalOf(byRest())).toEqual({ status: 405, message: words });
  arm({ kind: 'base-modified' }, { field: 'mergePullRequest' }, { times: 2 });
  for (const _ of [1, 2]) expect(await errorsOf(byGraphql())).toEqual([`UNPROCESSABLE: ${words}`]);
  expect(await byGraphql()).toEqual({ mergePullRequest: { pullRequest: { merged: true } } });
});
