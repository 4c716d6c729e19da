import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { seedRepository } from '../../src/seed/seed-repository.js';
import { askGraphql } from '../support/ask-graphql.js';
import { pushTo } from '../support/branches.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
let tess: typeof graphql;

beforeAll(async () => {
  p = await openPocket();
  tess = await p.graphql('tess');
});

afterAll(() => p.close());

const ofIssue = (number: number) => ({ ...p.at, issue_number: number });

async function open(title: string, at: { owner: string; repo: string } = p.at) {
  const { data } = await p.rest('ada').rest.issues.create({ ...at, title });
  return data;
}

const block = (blocked: number, blockingId: number) =>
  p.rest('tess').rest.issues.addBlockedByDependency({ ...ofIssue(blocked), issue_id: blockingId });

const PREFIX = 'An error occurred while adding the blocking issue to the issue. Validation failed:';

describe('a dependency', () => {
  test('is shown on both ends, counted apart while its blocker is open, and announced to both sides', async () => {
    const [blocked, blocker] = [await open('blocked'), await open('blocker')];
    const before = (await p.deliveries()).length;
    const { data, status } = await block(blocked.number, blocker.id);
    expect(status).toBe(201);
    expect(data).toMatchObject({
      id: blocked.id,
      issue_dependencies_summary: { blocked_by: 1, total_blocked_by: 1, blocking: 0, total_blocking: 0 },
    });
    const { data: blockers } = await p.rest('rita').rest.issues.listDependenciesBlockedBy(ofIssue(blocked.number));
    expect(blockers.map(({ id }) => id)).toEqual([blocker.id]);
    const { data: blocking } = await p.rest('rita').rest.issues.listDependenciesBlocking(ofIssue(blocker.number));
    expect(blocking.map(({ id }) => id)).toEqual([blocked.id]);
    await p.rest('wren').rest.issues.update({ ...ofIssue(blocker.number), state: 'closed' });
    const summary = async (number: number) =>
      (await p.rest('rita').rest.issues.get(ofIssue(number))).data.issue_dependencies_summary;
    expect(await summary(blocked.number)).toEqual({
      blocked_by: 0,
      total_blocked_by: 1,
      blocking: 0,
      total_blocking: 0,
    });
    expect(await summary(blocker.number)).toEqual({
      blocked_by: 0,
      total_blocked_by: 0,
      blocking: 1,
      total_blocking: 1,
    });
    const told = (await p.deliveries()).slice(before).filter(({ event }) => event === 'issue_dependencies');
    expect(told.map(({ payload }) => payload)).toMatchObject([
      {
        action: 'blocked_by_added',
        blocked_issue_id: blocked.id,
        blocked_issue: { title: 'blocked' },
        blocking_issue_id: blocker.id,
        blocking_issue: { title: 'blocker' },
        blocking_issue_repo: { full_name: 'ada/sandbox' },
        repository: { full_name: 'ada/sandbox' },
        sender: { login: 'tess' },
      },
      {
        action: 'blocking_added',
        blocked_issue_id: blocked.id,
        blocking_issue_id: blocker.id,
        blocked_issue_repo: { full_name: 'ada/sandbox' },
      },
    ]);
  });

  test('is removed by the blocker’s id', async () => {
    const [blocked, blocker] = [await open('was blocked'), await open('was blocker')];
    await block(blocked.number, blocker.id);
    const remove = () =>
      p.rest('tess').rest.issues.removeDependencyBlockedBy({ ...ofIssue(blocked.number), issue_id: blocker.id });
    const { data, status } = await remove();
    expect([status, data.id, data.issue_dependencies_summary?.total_blocked_by]).toEqual([200, blocked.id, 0]);
    expect(await refusalOf(remove())).toMatchObject({ status: 404 });
    const actions = (await p.deliveries())
      .filter(({ event }) => event === 'issue_dependencies')
      .map(({ payload }) => payload.action);
    expect(actions.slice(-2)).toEqual(['blocked_by_removed', 'blocking_removed']);
  });

  test('crosses repositories, even of other owners, and each hears its own side', async () => {
    await seedRepository(p.pocket.world, { owner: p.users.mallory, name: 'upstream' });
    await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'attic' });
    const here = await open('here');
    const upstream = await open('upstream', { owner: 'mallory', repo: 'upstream' });
    const attic = await open('in the attic', { owner: 'ada', repo: 'attic' });
    const before = (await p.deliveries()).length;
    await block(here.number, upstream.id);
    await block(here.number, attic.id);
    const told = (await p.deliveries()).slice(before).map(({ payload }) => payload);
    // The App is not installed where mallory's repository is.
    expect(told).toMatchObject([
      {
        action: 'blocked_by_added',
        repository: { name: 'sandbox' },
        blocking_issue_repo: { full_name: 'mallory/upstream' },
      },
      { action: 'blocked_by_added', repository: { name: 'sandbox' }, blocking_issue_repo: { full_name: 'ada/attic' } },
      { action: 'blocking_added', repository: { name: 'attic' }, blocked_issue_repo: { name: 'sandbox' } },
    ]);
  });

  test('may close a circle: GitHub does not say it refuses that', async () => {
    const [a, b] = [await open('hen'), await open('egg')];
    await block(a.number, b.id);
    expect((await block(b.number, a.id)).status).toBe(201);
  });
});

describe('GitHub refuses', () => {
  test('the same dependency twice, and an issue that waits for itself', async () => {
    const [blocked, blocker] = [await open('once'), await open('only')];
    await block(blocked.number, blocker.id);
    expect(await refusalOf(block(blocked.number, blocker.id))).toEqual({
      status: 422,
      message: `${PREFIX} Target issue has already been taken`,
    });
    expect(await refusalOf(block(blocked.number, blocked.id))).toEqual({
      status: 422,
      message: `${PREFIX} Target issue cannot be the same as the source issue`,
    });
  });

  test('pull requests at either end, though it lists none of theirs', async () => {
    const issue = await open('an issue');
    await pushTo(p, 'depends', { files: { 'a.txt': 'a' } });
    const { data: pull } = await p
      .rest('wren')
      .rest.pulls.create({ ...p.at, title: 'Depends', head: 'depends', base: 'main' });
    const { data: half } = await p.rest('rita').rest.issues.get(ofIssue(pull.number));
    expect(await refusalOf(block(issue.number, half.id))).toMatchObject({
      message: `${PREFIX} Target issue may only be an issue`,
    });
    expect(await refusalOf(block(pull.number, issue.id))).toMatchObject({
      message: `${PREFIX} Source issue may only be an issue`,
    });
    expect((await p.rest('rita').rest.issues.listDependenciesBlockedBy(ofIssue(pull.number))).data).toEqual([]);
    const sub = p.rest('tess').rest.issues.addSubIssue({ ...ofIssue(issue.number), sub_issue_id: half.id });
    expect(await refusalOf(sub)).toMatchObject({
      status: 422,
      message: expect.stringContaining('Sub issue may only be an issue'),
    });
  });

  test('more than fifty in either direction', async () => {
    const { tables } = p.pocket.world;
    const [blocked, blocker] = [await open('much waited'), await open('much awaited')];
    const fifty = Array.from({ length: 50 }, (_, index) => ({ issueId: -index - 1, addedAt: 0 }));
    tables.issues.update(tables.issues.must(blocked.id), { blockedBy: fifty });
    expect(await refusalOf(block(blocked.number, blocker.id))).toMatchObject({
      status: 422,
      message: expect.stringContaining('more than 50'),
    });
  });

  test('people who may only read', async () => {
    const [blocked, blocker] = [await open('no'), await open('way')];
    const asRita = p
      .rest('rita')
      .rest.issues.addBlockedByDependency({ ...ofIssue(blocked.number), issue_id: blocker.id });
    expect(await refusalOf(asRita)).toMatchObject({ status: 403 });
  });
});

describe('through GraphQL', () => {
  const ADD =
    'mutation ($input: AddBlockedByInput!) { addBlockedBy(input: $input) { issue { title } blockingIssue { title } } }';
  const READ = `query ($id: ID!) { node(id: $id) { ... on Issue {
    blockedBy(first: 10) { totalCount nodes { title state } }
    oldest: blockedBy(first: 10, orderBy: { field: DEPENDENCY_ADDED_AT, direction: ASC }) { nodes { title } }
    blocking(first: 10) { nodes { title } }
    issueDependenciesSummary { blockedBy blocking totalBlockedBy totalBlocking }
  } } }`;

  test('adds, lists newest first, counts and removes', async () => {
    const [blocked, one, two] = [await open('graph'), await open('one'), await open('two')];
    const input = { issueId: blocked.node_id, blockingIssueId: one.node_id };
    expect(await tess(ADD, { input })).toEqual({
      addBlockedBy: { issue: { title: 'graph' }, blockingIssue: { title: 'one' } },
    });
    p.clock.advance(1000);
    await tess(ADD, { input: { ...input, blockingIssueId: two.node_id } });
    expect(await tess(READ, { id: blocked.node_id })).toEqual({
      node: {
        blockedBy: {
          totalCount: 2,
          nodes: [
            { title: 'two', state: 'OPEN' },
            { title: 'one', state: 'OPEN' },
          ],
        },
        oldest: { nodes: [{ title: 'one' }, { title: 'two' }] },
        blocking: { nodes: [] },
        issueDependenciesSummary: { blockedBy: 2, blocking: 0, totalBlockedBy: 2, totalBlocking: 0 },
      },
    });
    await tess('mutation ($input: RemoveBlockedByInput!) { removeBlockedBy(input: $input) { issue { id } } }', {
      input,
    });
    expect(await tess(READ, { id: one.node_id })).toMatchObject({ node: { blocking: { nodes: [] } } });
    expect(await tess(READ, { id: two.node_id })).toMatchObject({
      node: { blocking: { nodes: [{ title: 'graph' }] } },
    });
  });

  test('refuses with the type VALIDATION', async () => {
    const [blocked, one] = [await open('g'), await open('h')];
    const input = { issueId: blocked.node_id, blockingIssueId: one.node_id };
    await tess(ADD, { input });
    expect(await askGraphql(tess, ADD, { input })).toMatchObject({
      data: { addBlockedBy: null },
      errors: [
        { type: 'VALIDATION', path: ['addBlockedBy'], message: `${PREFIX} Target issue has already been taken` },
      ],
    });
  });
});
