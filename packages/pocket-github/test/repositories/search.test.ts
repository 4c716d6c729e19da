import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

async function searchRest(p: TestPocket, who: Person, q: string, more: { sort?: 'updated'; order?: 'asc' } = {}) {
  const { data } = await p.rest(who).rest.search.issuesAndPullRequests({ q, ...more });
  return data.items.map(({ title }) => title);
}

async function searchGraphql(p: TestPocket, query: string): Promise<string[]> {
  const document = `query($q: String!) { search(type: ISSUE, query: $q, first: 10) { issueCount nodes {
    __typename ... on Issue { title } ... on PullRequest { title }
  } } }`;
  const { search } = await (await p.graphql('rita'))<{ search: { nodes: { title: string }[] } }>(document, {
    q: query,
  });
  return search.nodes.map(({ title }) => title);
}

/** Two issues, the younger one closed, and a pull request. */
async function plant(p: TestPocket): Promise<void> {
  const labels = ['bug', 'help wanted'];
  await p.rest('wren').rest.issues.create({ ...p.at, title: 'Login fails', body: 'With a timeout.', labels });
  p.clock.advance(1000);
  await p.rest('rita').rest.issues.create({ ...p.at, title: 'Add a theme' });
  await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
  p.clock.advance(1000);
  await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Fix login', head: 'topic', base: 'main' });
  await p.rest('wren').rest.issues.update({ ...p.at, issue_number: 2, state: 'closed', assignees: ['tess'] });
}

describe('searching issues', () => {
  let p: TestPocket;
  freshPocketEachTest((opened) => {
    p = opened;
  }, plant);

  test.each([
    ['repo:ada/sandbox', ['Fix login', 'Add a theme', 'Login fails']],
    ['repo:ada/sandbox is:issue', ['Add a theme', 'Login fails']],
    ['repo:ada/sandbox is:pr is:open', ['Fix login']],
    ['is:issue is:open', ['Login fails']],
    ['type:issue state:closed', ['Add a theme']],
    ['user:ada label:bug', ['Login fails']],
    ['label:"help wanted"', ['Login fails']],
    ['label:nothing,bug', ['Login fails']],
    ['-label:bug is:issue', ['Add a theme']],
    ['author:rita', ['Add a theme']],
    ['assignee:tess', ['Add a theme']],
    ['no:assignee is:issue', ['Login fails']],
    ['login', ['Fix login', 'Login fails']],
    ['TIMEOUT login', ['Login fails']],
    ['"login fails"', ['Login fails']],
    ['sort:created-asc', ['Login fails', 'Add a theme', 'Fix login']],
  ])('%s', async (query, titles) => {
    expect(await searchRest(p, 'rita', query)).toEqual(titles);
    expect(await searchGraphql(p, query)).toEqual(titles);
  });

  test('the answer counts and orders as asked', async () => {
    const { data } = await p.rest('rita').rest.search.issuesAndPullRequests({ q: 'repo:ada/sandbox', per_page: 1 });
    expect(data).toMatchObject({
      total_count: 3,
      incomplete_results: false,
      items: [{ title: 'Fix login', score: 1 }],
    });
    const [last] = await searchRest(p, 'rita', 'is:issue', { sort: 'updated' });
    expect(last).toBe('Add a theme');
    expect(await searchRest(p, 'rita', 'is:issue', { sort: 'updated', order: 'asc' })).toEqual([
      'Login fails',
      'Add a theme',
    ]);
  });

  test('a repository one may not see cannot be named, and its issues are not found', async () => {
    p.pocket.world.tables.repositories.update(p.repository, { private: true });
    expect(await searchRest(p, 'mallory', 'login')).toEqual([]);
    expect(await refusalOf(searchRest(p, 'mallory', 'repo:ada/sandbox login'))).toMatchObject({
      status: 422,
      message: 'Validation Failed',
      errors: [{ resource: 'Search', field: 'q', code: 'invalid' }],
    });
  });

  test('without a query there is nothing to look for', async () => {
    expect((await refusalOf(searchRest(p, 'rita', ''))).status).toBe(422);
  });
});

describe('what the search does not model', () => {
  let p: TestPocket;
  beforeEach(async () => {
    p = await openPocket();
  });
  afterEach(() => p.close({ unmodelledIsFine: true }));

  test('fails by name', async () => {
    expect(await refusalOf(searchRest(p, 'rita', 'reactions:>3'))).toMatchObject({
      status: 501,
      message: 'Pocket GitHub does not model the search qualifier "reactions:>3"',
    });
    expect((await refusalOf(searchRest(p, 'rita', 'a OR b'))).status).toBe(501);
    const users = '{ search(type: USER, query: "ada", first: 1) { userCount } }';
    expect(await errorsOf((await p.graphql('rita'))(users))).toEqual([
      'POCKET_UNMODELLED: Pocket GitHub does not model Query.search(type: USER)',
    ]);
  });
});
