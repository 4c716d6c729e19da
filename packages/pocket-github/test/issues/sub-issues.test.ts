import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import type { Repository } from '../../src/world/model.js';
import { askGraphql } from '../support/ask-graphql.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
let tess: typeof graphql;
let attic: Repository;
let cellar: Repository;

beforeAll(async () => {
  p = await openPocket();
  tess = await p.graphql('tess');
  attic = await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'attic' });
  cellar = await seedRepository(p.pocket.world, {
    owner: seedUser(p.pocket.world, { login: 'bob' }),
    name: 'cellar',
  });
});

afterAll(() => p.close());

const ofIssue = (number: number) => ({ ...p.at, issue_number: number });

async function open(title: string, at: { owner: string; repo: string } = p.at) {
  const { data } = await p.rest('ada').rest.issues.create({ ...at, title });
  return data;
}

const add = (parent: number, childId: number, more: { replace_parent?: boolean } = {}) =>
  p.rest('tess').rest.issues.addSubIssue({ ...ofIssue(parent), sub_issue_id: childId, ...more });

const titles = async (parent: number) =>
  (await p.rest('rita').rest.issues.listSubIssues(ofIssue(parent))).data.map((issue) => issue.title);

const PREFIX = 'An error occurred while adding the sub-issue to the parent issue.';

describe('a sub-issue', () => {
  test('is added last, shown on both ends, counted in the summary, and announced to both sides', async () => {
    const parent = await open('parent');
    const one = await open('one');
    const two = await open('two');
    const before = (await p.deliveries()).length;
    const { data, status } = await add(parent.number, one.id);
    expect(status).toBe(201);
    expect(data).toMatchObject({ id: parent.id, sub_issues_summary: { total: 1, completed: 0, percent_completed: 0 } });
    await add(parent.number, two.id);
    await p.rest('wren').rest.issues.update({ ...ofIssue(one.number), state: 'closed', state_reason: 'not_planned' });
    expect(await titles(parent.number)).toEqual(['one', 'two']);
    expect((await p.rest('rita').rest.issues.get(ofIssue(parent.number))).data.sub_issues_summary).toEqual({
      total: 2,
      completed: 1,
      percent_completed: 50,
    });
    expect((await p.rest('rita').rest.issues.getParent(ofIssue(one.number))).data.id).toBe(parent.id);
    const told = (await p.deliveries()).slice(before).filter(({ event }) => event === 'sub_issues');
    expect(told.map(({ payload }) => payload)).toMatchObject([
      {
        action: 'sub_issue_added',
        sub_issue_id: one.id,
        sub_issue: { title: 'one' },
        sub_issue_repo: { full_name: 'ada/sandbox' },
        parent_issue_id: parent.id,
        parent_issue: { title: 'parent', sub_issues_summary: { total: 1 } },
        repository: { full_name: 'ada/sandbox' },
        sender: { login: 'tess' },
      },
      {
        action: 'parent_issue_added',
        sub_issue_id: one.id,
        parent_issue_id: parent.id,
        parent_issue_repo: { full_name: 'ada/sandbox' },
      },
      { action: 'sub_issue_added', sub_issue_id: two.id },
      { action: 'parent_issue_added', sub_issue_id: two.id },
    ]);
  });

  test('is removed, which frees it for another parent', async () => {
    const parent = await open('leaving');
    const child = await open('left');
    await add(parent.number, child.id);
    const { data, status } = await p
      .rest('tess')
      .rest.issues.removeSubIssue({ ...ofIssue(parent.number), sub_issue_id: child.id });
    expect([status, data.id]).toEqual([200, parent.id]);
    expect(await refusalOf(p.rest('rita').rest.issues.getParent(ofIssue(child.number)))).toMatchObject({ status: 404 });
    expect(
      await refusalOf(p.rest('tess').rest.issues.removeSubIssue({ ...ofIssue(parent.number), sub_issue_id: child.id })),
    ).toMatchObject({ status: 404 });
    const actions = (await p.deliveries())
      .filter(({ event }) => event === 'sub_issues')
      .map(({ payload }) => payload.action);
    expect(actions.slice(-2)).toEqual(['sub_issue_removed', 'parent_issue_removed']);
  });

  test('moves among its siblings', async () => {
    const parent = await open('order');
    const [a, b, c] = [await open('a'), await open('b'), await open('c')];
    for (const child of [a, b, c]) await add(parent.number, child.id);
    const move = (child: number, place: { after_id?: number; before_id?: number }) =>
      p.rest('tess').rest.issues.reprioritizeSubIssue({ ...ofIssue(parent.number), sub_issue_id: child, ...place });
    await move(c.id, { before_id: a.id });
    expect(await titles(parent.number)).toEqual(['c', 'a', 'b']);
    await move(c.id, { after_id: a.id });
    expect(await titles(parent.number)).toEqual(['a', 'c', 'b']);
    expect(await refusalOf(move(c.id, {}))).toMatchObject({ status: 422 });
    expect(await refusalOf(move(c.id, { after_id: a.id, before_id: b.id }))).toMatchObject({ status: 422 });
    expect(await refusalOf(move(c.id, { after_id: parent.id }))).toMatchObject({ status: 422 });
  });

  test('may live in another repository of the same owner, and each repository hears its own side', async () => {
    const parent = await open('here');
    const child = await open('there', { owner: 'ada', repo: attic.name });
    const stranger = await p
      .rest('ada')
      .rest.issues.create({ owner: 'bob', repo: cellar.name, title: 'of somebody else' });
    const before = (await p.deliveries()).length;
    await add(parent.number, child.id);
    const told = (await p.deliveries()).slice(before).map(({ payload }) => payload);
    expect(told).toMatchObject([
      { action: 'sub_issue_added', repository: { name: 'sandbox' }, sub_issue_repo: { name: 'attic' } },
      { action: 'parent_issue_added', repository: { name: 'attic' }, parent_issue_repo: { name: 'sandbox' } },
    ]);
    expect(await refusalOf(add(parent.number, stranger.data.id))).toMatchObject({
      status: 422,
      message: `${PREFIX} Sub issue must belong to the same repository owner as the parent issue`,
    });
  });
});

describe('GitHub refuses', () => {
  test('a second parent, unless it replaces the first', async () => {
    const [first, second, child] = [await open('first'), await open('second'), await open('wanted')];
    await add(first.number, child.id);
    expect(await refusalOf(add(first.number, child.id))).toMatchObject({
      status: 422,
      message: `${PREFIX} Issue may not contain duplicate sub-issues and Sub issue may only have one parent`,
    });
    expect(await refusalOf(add(second.number, child.id))).toMatchObject({
      status: 422,
      message: `${PREFIX} Sub issue may only have one parent`,
    });
    await add(second.number, child.id, { replace_parent: true });
    expect([await titles(first.number), await titles(second.number)]).toEqual([[], ['wanted']]);
    const actions = (await p.deliveries())
      .filter(({ event }) => event === 'sub_issues')
      .map(({ payload }) => payload.action);
    expect(actions.slice(-4)).toEqual([
      'sub_issue_removed',
      'parent_issue_removed',
      'sub_issue_added',
      'parent_issue_added',
    ]);
  });

  test('an issue as its own ancestor', async () => {
    const [a, b, c] = [await open('a'), await open('b'), await open('c')];
    await add(a.number, b.id);
    await add(b.number, c.id);
    expect(await refusalOf(add(a.number, a.id))).toMatchObject({ status: 422 });
    expect(await refusalOf(add(c.number, a.id))).toMatchObject({
      status: 422,
      message: `${PREFIX} Sub issue cannot be an ancestor of the parent issue`,
    });
  });

  test('more than a hundred children and more than eight levels', async () => {
    const { tables } = p.pocket.world;
    const full = await open('full');
    const child = await open('one too many');
    const row = tables.issues.must(full.id);
    tables.issues.update(row, { subIssueIds: Array.from({ length: 100 }, (_, index) => -index - 1) });
    expect(await refusalOf(add(full.number, child.id))).toMatchObject({
      message: `${PREFIX} Parent cannot have more than 100 sub-issues`,
    });
    tables.issues.update(row, { subIssueIds: [] });
    const chain = [await open('level 0')];
    for (let level = 1; level <= 8; level += 1) {
      const next = await open(`level ${level}`);
      await add(chain.at(-1)?.number ?? 0, next.id);
      chain.push(next);
    }
    const deepest = await open('level 9');
    expect(await refusalOf(add(chain.at(-1)?.number ?? 0, deepest.id))).toMatchObject({
      message: `${PREFIX} You can’t add more than 8 layers of sub-issues`,
    });
    const above = await open('level -1');
    expect(await refusalOf(add(above.number, chain[0]?.id ?? 0))).toMatchObject({ status: 422 });
  });

  test('people who may only read, and ids that lead nowhere', async () => {
    const [parent, child] = [await open('p'), await open('c')];
    const asRita = p.rest('rita').rest.issues.addSubIssue({ ...ofIssue(parent.number), sub_issue_id: child.id });
    expect(await refusalOf(asRita)).toMatchObject({ status: 403 });
    // The number of an issue is not its id.
    expect(await refusalOf(add(parent.number, child.number))).toMatchObject({ status: 404 });
  });
});

describe('through GraphQL', () => {
  const ADD =
    'mutation ($input: AddSubIssueInput!) { addSubIssue(input: $input) { issue { subIssuesSummary { total completed percentCompleted } } subIssue { parent { title } } } }';

  test('adds by id or address, lists, reorders and removes', async () => {
    const [parent, one, two] = [await open('graph'), await open('by id'), await open('by address')];
    expect(await tess(ADD, { input: { issueId: parent.node_id, subIssueId: one.node_id } })).toEqual({
      addSubIssue: {
        issue: { subIssuesSummary: { total: 1, completed: 0, percentCompleted: 0 } },
        subIssue: { parent: { title: 'graph' } },
      },
    });
    await tess(ADD, { input: { issueId: parent.node_id, subIssueUrl: two.html_url } });
    const list = '{ totalCount nodes { title } }';
    const moved = await tess(
      `mutation ($input: ReprioritizeSubIssueInput!) { reprioritizeSubIssue(input: $input) { issue { subIssues(first: 10) ${list} } } }`,
      { input: { issueId: parent.node_id, subIssueId: two.node_id, beforeId: one.node_id } },
    );
    expect(moved).toEqual({
      reprioritizeSubIssue: {
        issue: { subIssues: { totalCount: 2, nodes: [{ title: 'by address' }, { title: 'by id' }] } },
      },
    });
    const removed = await tess(
      `mutation ($input: RemoveSubIssueInput!) { removeSubIssue(input: $input) { issue { subIssues(first: 10) ${list} } subIssue { parent { id } } } }`,
      { input: { issueId: parent.node_id, subIssueId: one.node_id } },
    );
    expect(removed).toEqual({
      removeSubIssue: {
        issue: { subIssues: { totalCount: 1, nodes: [{ title: 'by address' }] } },
        subIssue: { parent: null },
      },
    });
  });

  test('refuses with the type VALIDATION', async () => {
    const [parent, child] = [await open('g1'), await open('g2')];
    await tess(ADD, { input: { issueId: parent.node_id, subIssueId: child.node_id } });
    const { data, errors } = await askGraphql(tess, ADD, {
      input: { issueId: child.node_id, subIssueId: parent.node_id },
    });
    expect(data).toEqual({ addSubIssue: null });
    expect(errors).toMatchObject([
      { type: 'VALIDATION', path: ['addSubIssue'], message: expect.stringContaining('ancestor') },
    ]);
    const other = await open('g3');
    await tess(ADD, { input: { issueId: other.node_id, subIssueId: child.node_id, replaceParent: true } });
    expect(await titles(other.number)).toEqual(['g2']);
  });

  test('leaves out what the viewer may not know of', async () => {
    const vault = await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'vault', private: true });
    const parent = await open('public');
    const secret = await open('secret', { owner: 'ada', repo: vault.name });
    await p.rest('ada').rest.issues.addSubIssue({ ...ofIssue(parent.number), sub_issue_id: secret.id });
    expect(await titles(parent.number)).toEqual([]);
    expect(await refusalOf(add(parent.number, secret.id))).toMatchObject({ status: 404 });
    const { data } = await askGraphql(
      tess,
      `query ($id: ID!) { node(id: $id) { ... on Issue { subIssues(first: 5) { totalCount } } } }`,
      { id: parent.node_id },
    );
    expect(data).toEqual({ node: { subIssues: { totalCount: 0 } } });
  });
});
