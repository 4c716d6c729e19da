import { describe, expect, test } from '@jest/globals';
import { seedRepository } from '../../src/seed/seed-repository.js';
import { findRepository } from '../../src/world/lookup.js';
import { formatNodeId } from '../../src/world/tables.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest(
  (opened) => {
    p = opened;
  },
  async ({ pocket, users }) => {
    for (const name of ['second', 'third']) await seedRepository(pocket.world, { owner: users.ada, name });
    await seedRepository(pocket.world, { owner: users.wren, name: 'mine' });
  },
);

/** Node id of a repository. */
function idOf(owner: string, name: string): string {
  return formatNodeId('repositories', findRepository(p.pocket.world.tables, owner, name)?.id ?? 0);
}

async function ask<T>(who: Person, document: string, variables: Record<string, unknown>): Promise<T> {
  return (await p.graphql(who))<T>(document, variables);
}

async function open(title: string, labels: string[] = []) {
  return (await p.rest('wren').rest.issues.create({ ...p.at, title, labels })).data;
}

const DELETE = 'mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { repository { nameWithOwner } } }';
const TRANSFER = `mutation($id: ID!, $to: ID!, $create: Boolean) {
  transferIssue(input: { issueId: $id, repositoryId: $to, createLabelsIfMissing: $create }) {
    issue { number id title url comments(first: 5) { nodes { body } } labels(first: 5) { nodes { name } } }
  }
}`;

describe('deleting an issue', () => {
  test('is for administrators', async () => {
    const { node_id: id } = await open('One');
    expect(await errorsOf(ask('wren', DELETE, { id }))).toEqual([expect.stringMatching(/^FORBIDDEN: /)]);
  });

  test('leaves 410 behind and frees no number', async () => {
    const { node_id: id } = await open('One');
    await p.rest('rita').rest.issues.createComment({ ...p.at, issue_number: 1, body: 'Hm' });
    expect(await ask('ada', DELETE, { id })).toEqual({ deleteIssue: { repository: { nameWithOwner: 'ada/sandbox' } } });
    expect(await refusalOf(p.rest('wren').rest.issues.get({ ...p.at, issue_number: 1 }))).toMatchObject({
      status: 410,
      message: 'This issue was deleted',
    });
    expect((await p.rest('wren').rest.issues.listCommentsForRepo(p.at)).data).toEqual([]);
    expect((await open('Two')).number).toBe(2);
    expect(await errorsOf(ask('ada', DELETE, { id }))).toEqual([expect.stringMatching(/^NOT_FOUND: /)]);
    const deleted = (await p.deliveries()).find(({ payload }) => payload.action === 'deleted');
    expect(deleted?.payload).toMatchObject({
      action: 'deleted',
      issue: { number: 1, title: 'One' },
      sender: { login: 'ada' },
    });
  });
});

describe('transferring an issue', () => {
  test('takes comments along, and labels the new repository has', async () => {
    const to = idOf('ada', 'second');
    await p.rest('ada').rest.issues.createLabel({ owner: 'ada', repo: 'second', name: 'bug' });
    const issue = await open('One', ['bug', 'ui']);
    await p.rest('rita').rest.issues.createComment({ ...p.at, issue_number: 1, body: 'Hm' });
    const answer = await ask<{ transferIssue: { issue: { id: string } } }>('ada', TRANSFER, { id: issue.node_id, to });
    expect(answer.transferIssue.issue).toMatchObject({
      number: 1,
      title: 'One',
      url: `${p.pocket.urls.html}/ada/second/issues/1`,
      comments: { nodes: [{ body: 'Hm' }] },
      labels: { nodes: [{ name: 'bug' }] },
    });
    expect(answer.transferIssue.issue.id).not.toBe(issue.node_id);
  });

  test('creates the missing labels when asked to', async () => {
    const to = idOf('ada', 'second');
    const { node_id: id } = await open('One', ['ui']);
    const answer = await ask('ada', TRANSFER, { id, to, create: true });
    expect(answer).toMatchObject({ transferIssue: { issue: { labels: { nodes: [{ name: 'ui' }] } } } });
  });

  test('the old address redirects, through several moves', async () => {
    const [second, third] = [idOf('ada', 'second'), idOf('ada', 'third')];
    const { node_id: id } = await open('One');
    const moved = await ask<{ transferIssue: { issue: { id: string } } }>('ada', TRANSFER, { id, to: second });
    await ask('ada', TRANSFER, { id: moved.transferIssue.issue.id, to: third });
    const { data, url } = await p.rest('rita').rest.issues.get({ ...p.at, issue_number: 1 });
    expect(data.title).toBe('One');
    expect(url).toBe(`${p.pocket.urls.api}/repos/ada/third/issues/1`);
  });

  test('both repositories are told', async () => {
    const to = idOf('ada', 'second');
    const { node_id: id } = await open('One');
    const before = (await p.deliveries()).length;
    await ask('ada', TRANSFER, { id, to });
    const [transferred, opened, ...more] = (await p.deliveries()).slice(before);
    expect(more).toEqual([]);
    expect(transferred?.payload).toMatchObject({
      action: 'transferred',
      issue: { html_url: `${p.pocket.urls.html}/ada/sandbox/issues/1` },
      changes: { new_issue: { number: 1 }, new_repository: { full_name: 'ada/second' } },
      repository: { full_name: 'ada/sandbox' },
    });
    expect(opened?.payload).toMatchObject({
      action: 'opened',
      issue: { html_url: `${p.pocket.urls.html}/ada/second/issues/1` },
      changes: { old_issue: { number: 1 }, old_repository: { full_name: 'ada/sandbox' } },
      repository: { full_name: 'ada/second' },
    });
  });

  test('needs write access to both, and one owner', async () => {
    const to = idOf('ada', 'second');
    const { node_id: id } = await open('One');
    expect(await errorsOf(ask('wren', TRANSFER, { id, to }))).toEqual([expect.stringMatching(/^FORBIDDEN: /)]);
    expect(await errorsOf(ask('wren', TRANSFER, { id, to: idOf('wren', 'mine') }))).toEqual([
      expect.stringMatching(/^UNPROCESSABLE: .*same owner/),
    ]);
  });
});
