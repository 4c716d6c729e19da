import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { askGraphql } from '../support/ask-graphql.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
let wren: typeof graphql;

beforeAll(async () => {
  p = await openPocket();
  wren = await p.graphql('wren');
});

afterAll(() => p.close({ unmodelledIsFine: true }));

/** What a document is charged, and what GitHub would report as its nodeCount. */
async function costOf(
  body: string,
  variables: Record<string, unknown> = {},
  header = 'query',
): Promise<{ cost: number; nodeCount: number } | undefined> {
  const { data } = await askGraphql<{ rateLimit: { cost: number; nodeCount: number } }>(
    wren,
    `${header} { rateLimit { cost nodeCount } ${body} }`,
    variables,
  );
  expect(p.pocket.journal.requests().at(-1)?.points).toBe(data?.rateLimit.cost);
  return data?.rateLimit;
}

const repository = (selection: string) => `repository(owner: "ada", name: "sandbox") { ${selection} }`;

describe('points and nodes', () => {
  test('GitHub’s documented example costs 51 points', async () => {
    const body =
      'viewer { repositories(first: 100) { edges { node { issues(first: 50) { edges { node { labels(first: 60) { edges { node { name } } } } } } } } } }';
    expect(await costOf(body)).toEqual({ cost: 51, nodeCount: 100 + 100 * 50 + 100 * 50 * 60 });
  });

  test('GitHub’s documented node count: 22,060', async () => {
    const comments = 'comments(first: 10) { edges { node { id } } }';
    const body = `user(login: "wren") {
      repositories(first: 50) { edges { node {
        pullRequests(first: 20) { edges { node { ${comments} } } }
        issues(first: 20) { edges { node { ${comments} } } }
      } } }
      followers(first: 10) { edges { node { login } } }
    }`;
    const { data } = await askGraphql<{ rateLimit: { nodeCount: number } }>(
      wren,
      `{ rateLimit { nodeCount } ${body} }`,
    );
    expect(data?.rateLimit.nodeCount).toBe(22_060);
  });

  test('a measured one: a hundred issues with their blockers cost two points', async () => {
    const inner = 'blockedBy(first: 50) { nodes { id } } closedByPullRequestsReferences(first: 20) { nodes { id } }';
    expect(await costOf(repository(`issues(first: 100) { nodes { ${inner} } }`))).toEqual({ cost: 2, nodeCount: 7100 });
    expect(await costOf(repository(`issues(first: 50) { nodes { ${inner} } }`))).toEqual({ cost: 1, nodeCount: 3550 });
  });

  test('a document without connections costs one point and no nodes', async () => {
    expect(await costOf('viewer { login }')).toEqual({ cost: 1, nodeCount: 0 });
  });

  test('counting costs a request but no nodes', async () => {
    expect(await costOf(repository('issues { totalCount }'))).toEqual({ cost: 1, nodeCount: 0 });
  });

  test('variables and their defaults count, skipped selections do not', async () => {
    const body = repository('issues(first: $n) { nodes { labels(first: $m) @include(if: $deep) { nodes { id } } } }');
    const header = 'query ($n: Int!, $m: Int = 3, $deep: Boolean!)';
    expect(await costOf(body, { n: 20, deep: true }, header)).toEqual({ cost: 1, nodeCount: 20 + 20 * 3 });
    expect(await costOf(body, { n: 20, deep: false }, header)).toEqual({ cost: 1, nodeCount: 20 });
  });

  test('a field asked for in two fragments is one, under two aliases it is two', async () => {
    const twice =
      '... on Repository { issues(first: 10) { nodes { id } } } ... on Repository { issues(first: 10) { nodes { title } } }';
    expect(await costOf(repository(twice))).toMatchObject({ nodeCount: 10 });
    expect(
      await costOf(repository('a: issues(first: 10) { nodes { id } } b: issues(first: 10) { nodes { id } }')),
    ).toMatchObject({ nodeCount: 20 });
  });

  test('fragments that are spread twice at every level are counted at once', async () => {
    const levels = Array.from({ length: 40 }, (_, at) => `fragment F${at} on Node { ...F${at + 1} ...F${at + 1} }`);
    const query = `{ node(id: "x") { ...F0 } } ${levels.join(' ')} fragment F40 on Node { id }`;
    await askGraphql(wren, query);
    expect(p.pocket.journal.requests().at(-1)?.points).toBe(1);
  });

  test('of fragments that exclude each other, the dearest counts', async () => {
    const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'Either or' });
    const body =
      'node(id: $id) { ... on Issue { labels(first: 30) { nodes { id } } } ... on PullRequest { labels(first: 50) { nodes { id } } } }';
    expect(await costOf(body, { id: data.node_id }, 'query ($id: ID!)')).toMatchObject({ nodeCount: 50 });
  });
});

describe('the limit of 500,000 nodes', () => {
  const nested = (first: number) =>
    repository(
      `issues(first: 100) { nodes { comments(first: 100) { nodes { reactions(first: ${first}) { nodes { id } } } } } }`,
    );

  test('refuses a connection that alone asks for more, before anything runs', async () => {
    const { data, errors } = await askGraphql(wren, `{ ${nested(100)} }`);
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      {
        type: 'MAX_NODE_LIMIT_EXCEEDED',
        message:
          'By the time this query traverses to the reactions connection, it is requesting up to 1,000,000 possible nodes which exceeds the maximum limit of 500,000.',
      },
    ]);
  });

  test('refuses a document that asks for more in sum', async () => {
    const { errors } = await askGraphql(wren, `{ a: ${nested(30)} b: ${nested(30)} }`);
    expect(errors).toEqual([
      {
        type: 'MAX_NODE_LIMIT_EXCEEDED',
        message: 'This query requests up to 620,200 possible nodes which exceeds the maximum limit of 500,000.',
      },
    ]);
  });
});
