import { describe, expect, test } from '@jest/globals';
import { seedCollaborator, seedUser } from '../../src/seed/seed-repository.js';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

async function issue(more: { assignees?: string[] } = {}) {
  const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'One', ...more });
  return { ...p.at, issue_number: data.number };
}

const loginsOf = ({ data }: { data: { assignees?: { login: string }[] | null } }) =>
  data.assignees?.map(({ login }) => login);

describe('assignees', () => {
  test('are the owner and the collaborators', async () => {
    const { data } = await p.rest('rita').rest.issues.listAssignees(p.at);
    expect(data.map(({ login }) => login)).toEqual(['ada', 'wren', 'tess', 'rita']);
    expect((await p.rest('rita').rest.issues.checkUserCanBeAssigned({ ...p.at, assignee: 'wren' })).status).toBe(204);
    const mallory = p.rest('rita').rest.issues.checkUserCanBeAssigned({ ...p.at, assignee: 'mallory' });
    expect((await refusalOf(mallory)).status).toBe(404);
  });

  test('are added and removed; who cannot be one is left out in silence', async () => {
    const at = await issue();
    const added = await p
      .rest('tess')
      .rest.issues.addAssignees({ ...at, assignees: ['wren', 'mallory', 'nobody', 'ada'] });
    expect(added.status).toBe(201);
    expect(loginsOf(added)).toEqual(['wren', 'ada']);
    expect(loginsOf(await p.rest('tess').rest.issues.removeAssignees({ ...at, assignees: ['wren', 'rita'] }))).toEqual([
      'ada',
    ]);
  });

  test('somebody who commented can be assigned to that issue', async () => {
    const at = await issue();
    const check = () => p.rest('tess').rest.issues.checkUserCanBeAssignedToIssue({ ...at, assignee: 'mallory' });
    expect((await refusalOf(check())).status).toBe(404);
    await p.rest('mallory').rest.issues.createComment({ ...at, body: 'I can do it' });
    expect((await check()).status).toBe(204);
    expect(loginsOf(await p.rest('tess').rest.issues.addAssignees({ ...at, assignees: ['mallory'] }))).toEqual([
      'mallory',
    ]);
  });

  test('a reader who assigns is answered as if it had worked', async () => {
    const at = await issue();
    const answer = await p.rest('rita').rest.issues.addAssignees({ ...at, assignees: ['rita'] });
    expect([answer.status, loginsOf(answer)]).toEqual([201, []]);
  });

  test('are ten at most', async () => {
    const logins = Array.from({ length: 11 }, (_, index) => `helper-${index}`);
    for (const login of logins)
      seedCollaborator(p.pocket.world, p.repository, seedUser(p.pocket.world, { login }), 'write');
    const at = await issue();
    expect(loginsOf(await p.rest('wren').rest.issues.addAssignees({ ...at, assignees: logins }))).toEqual(
      logins.slice(0, 10),
    );
  });
});

describe('milestones', () => {
  test('are made, listed and read', async () => {
    const { data } = await p.rest('wren').rest.issues.createMilestone({ ...p.at, title: 'v1' });
    expect(data).toMatchObject({ number: 1, title: 'v1', state: 'open', creator: { login: 'wren' }, open_issues: 0 });
    await p.rest('wren').rest.issues.createMilestone({ ...p.at, title: 'v2' });
    await p.rest('wren').rest.issues.create({ ...p.at, title: 'One', milestone: 2 });
    expect((await p.rest('rita').rest.issues.listMilestones(p.at)).data).toMatchObject([
      { title: 'v1', open_issues: 0 },
      { title: 'v2', open_issues: 1 },
    ]);
    const found = await p.rest('rita').rest.issues.listForRepo({ ...p.at, milestone: '2' });
    expect(found.data.map(({ title }) => title)).toEqual(['One']);
    expect((await p.rest('rita').rest.issues.getMilestone({ ...p.at, milestone_number: 2 })).data.title).toBe('v2');
    expect((await refusalOf(p.rest('rita').rest.issues.getMilestone({ ...p.at, milestone_number: 3 }))).status).toBe(
      404,
    );
    expect((await refusalOf(p.rest('wren').rest.issues.createMilestone({ ...p.at, title: 'v1' }))).errors).toEqual([
      { resource: 'Milestone', code: 'already_exists', field: 'title' },
    ]);
    expect((await refusalOf(p.rest('tess').rest.issues.createMilestone({ ...p.at, title: 'v3' }))).status).toBe(403);
  });
});

describe('a pull request seen as an issue', () => {
  async function pull() {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
    await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Add', head: 'topic', base: 'main' });
    return { ...p.at, issue_number: 1 };
  }

  test('is in the list of issues and says what it is', async () => {
    await pull();
    await issue();
    const { data } = await p.rest('rita').rest.issues.listForRepo(p.at);
    expect(data.map(({ number, pull_request }) => [number, pull_request !== undefined])).toEqual([
      [2, false],
      [1, true],
    ]);
    expect(data[1]).toMatchObject({ draft: false, html_url: `${p.pocket.urls.html}/ada/sandbox/pull/1` });
    const { repository } = await (await p.graphql('rita'))<{ repository: Record<string, unknown> }>(
      `{ repository(owner: "ada", name: "sandbox") {
        issues(first: 5) { nodes { number } }
        first: issueOrPullRequest(number: 1) { __typename ... on PullRequest { title author { login } } }
        second: issueOrPullRequest(number: 2) { __typename }
      } }`,
    );
    expect(repository).toEqual({
      issues: { nodes: [{ number: 2 }] },
      first: { __typename: 'PullRequest', title: 'Add', author: { login: 'wren' } },
      second: { __typename: 'Issue' },
    });
  });

  test('what happens to it is told as pull_request', async () => {
    const at = await pull();
    const before = (await p.deliveries()).length;
    await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'bug' });
    await p.rest('wren').rest.issues.update({ ...at, title: 'Add a', labels: ['bug'], assignees: ['tess'] });
    await p.rest('wren').rest.issues.lock(at);
    await p.rest('wren').rest.issues.update({ ...at, state: 'closed' });
    await p.rest('wren').rest.issues.update({ ...at, state: 'open' });
    const told = (await p.deliveries()).slice(before).map(({ event, payload }) => `${event}.${payload.action}`);
    expect(told).toEqual([
      'label.created',
      'pull_request.edited',
      'pull_request.labeled',
      'pull_request.assigned',
      'pull_request.locked',
      'pull_request.closed',
      'pull_request.reopened',
    ]);
  });

  test('has no reason for being closed', async () => {
    const at = await pull();
    const { data } = await p.rest('wren').rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' });
    expect(data).toMatchObject({ state: 'closed', state_reason: null, closed_by: { login: 'wren' } });
  });
});
