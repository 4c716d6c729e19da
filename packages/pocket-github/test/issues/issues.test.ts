import { describe, expect, test } from '@jest/globals';
import { isoTime } from '../../src/world/time.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

const now = (): string => isoTime(p.clock.now());

async function open(title: string, more: { body?: string; labels?: string[]; assignees?: string[] } = {}) {
  return (await p.rest('wren').rest.issues.create({ ...p.at, title, ...more })).data;
}

describe('opening an issue', () => {
  test('answers 201 with the issue as GitHub shows it', async () => {
    const { status, data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'It breaks', body: 'Badly.' });
    const url = `${p.pocket.urls.api}/repos/ada/sandbox/issues/1`;
    expect(status).toBe(201);
    expect(data).toMatchObject({
      url,
      html_url: `${p.pocket.urls.html}/ada/sandbox/issues/1`,
      comments_url: `${url}/comments`,
      number: 1,
      title: 'It breaks',
      body: 'Badly.',
      state: 'open',
      state_reason: null,
      user: { login: 'wren' },
      author_association: 'COLLABORATOR',
      labels: [],
      assignee: null,
      milestone: null,
      locked: false,
      active_lock_reason: null,
      comments: 0,
      created_at: now(),
      closed_at: null,
      closed_by: null,
      performed_via_github_app: null,
      reactions: { total_count: 0, '+1': 0 },
      sub_issues_summary: { total: 0, completed: 0, percent_completed: 0 },
    });
    expect(data.pull_request).toBeUndefined();
  });

  test('everybody can open one, but labels and assignees of those without triage rights are dropped', async () => {
    const { data } = await p
      .rest('mallory')
      .rest.issues.create({ ...p.at, title: 'Hello', labels: ['bug'], assignees: ['wren'] });
    expect(data).toMatchObject({ author_association: 'NONE', labels: [], assignees: [] });
    expect((await p.rest('ada').rest.issues.listLabelsForRepo(p.at)).data).toEqual([]);
  });

  test('labels that do not exist come into being', async () => {
    const issue = await open('With labels', { labels: ['bug', 'size/L'] });
    expect(issue.labels).toMatchObject([
      { name: 'bug', color: 'ededed' },
      { name: 'size/L', color: 'ededed' },
    ]);
  });

  test('an empty body is no body', async () => {
    expect((await open('Terse', { body: '' })).body).toBeNull();
  });

  test('an App opens issues as its bot', async () => {
    const { data } = await p.rest('app').rest.issues.create({ ...p.at, title: 'By machine' });
    expect(data).toMatchObject({
      user: { login: 'sluice-dev[bot]', type: 'Bot' },
      performed_via_github_app: { slug: 'sluice-dev' },
    });
  });

  test.each([
    ['a blank title', { title: ' ' }, { resource: 'Issue', code: 'missing_field', field: 'title' }],
    [
      'a title of 257 characters',
      { title: 'x'.repeat(257) },
      {
        resource: 'Issue',
        code: 'custom',
        field: 'title',
        message: 'title is too long (maximum is 256 characters)',
      },
    ],
    [
      'a body of 65,537 characters',
      { title: 'Long', body: 'x'.repeat(65_537) },
      {
        resource: 'Issue',
        code: 'custom',
        field: 'body',
        message: 'body is too long (maximum is 65536 characters)',
      },
    ],
    [
      'an assignee who cannot be one',
      { title: 'Yours', assignees: ['mallory'] },
      { value: 'mallory', resource: 'Issue', code: 'invalid', field: 'assignees' },
    ],
    [
      'a milestone that does not exist',
      { title: 'Soon', milestone: 7 },
      { value: '7', resource: 'Issue', code: 'invalid', field: 'milestone' },
    ],
  ])('%s is refused and leaves nothing behind', async (_, given, error) => {
    const refusal = await refusalOf(p.rest('wren').rest.issues.create({ ...p.at, ...given }));
    expect(refusal).toEqual({ status: 422, message: 'Validation Failed', errors: [error] });
    expect((await p.rest('wren').rest.issues.listForRepo(p.at)).data).toEqual([]);
  });

  test('a body of exactly 65,536 characters is accepted, astral ones counted once', async () => {
    const body = '🙂'.repeat(65_536);
    expect((await open('Long', { body })).body).toHaveLength(2 * 65_536);
  });

  test('nobody without a token can', async () => {
    expect((await refusalOf(p.rest('anonymous').rest.issues.create({ ...p.at, title: 'Hi' }))).status).toBe(401);
  });
});

describe('editing an issue', () => {
  test('its author and those who may triage can; a reader cannot', async () => {
    const { data: issue } = await p.rest('rita').rest.issues.create({ ...p.at, title: 'Tpyo' });
    const at = { ...p.at, issue_number: issue.number };
    expect((await p.rest('rita').rest.issues.update({ ...at, title: 'Typo' })).data.title).toBe('Typo');
    expect((await p.rest('tess').rest.issues.update({ ...at, title: 'A typo' })).data.title).toBe('A typo');
    expect((await refusalOf(p.rest('mallory').rest.issues.update({ ...at, title: 'Mine' }))).status).toBe(403);
  });

  test('everything can be replaced in one request', async () => {
    const { number } = await open('Before', { labels: ['old'], assignees: ['tess'] });
    await p.rest('wren').rest.issues.createMilestone({ ...p.at, title: 'v1' });
    p.clock.advance(60_000);
    const { data } = await p.rest('wren').rest.issues.update({
      ...p.at,
      issue_number: number,
      title: 'After',
      body: 'New',
      labels: ['new'],
      assignees: ['ada'],
      milestone: 1,
      state: 'closed',
      state_reason: 'not_planned',
    });
    expect(data).toMatchObject({
      title: 'After',
      body: 'New',
      labels: [{ name: 'new' }],
      assignees: [{ login: 'ada' }],
      assignee: { login: 'ada' },
      milestone: { number: 1, title: 'v1', open_issues: 0, closed_issues: 1 },
      state: 'closed',
      state_reason: 'not_planned',
      closed_at: now(),
      updated_at: now(),
      closed_by: { login: 'wren' },
    });
  });

  test('the author without triage rights changes text only', async () => {
    const { data: issue } = await p.rest('rita').rest.issues.create({ ...p.at, title: 'Mine' });
    await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'bug' });
    const { data } = await p
      .rest('rita')
      .rest.issues.update({ ...p.at, issue_number: issue.number, body: 'More', labels: ['bug'] });
    expect(data).toMatchObject({ body: 'More', labels: [] });
  });

  test('an archived repository is read-only', async () => {
    const { number } = await open('Old');
    p.pocket.world.tables.repositories.update(p.repository, { archived: true });
    const refusal = await refusalOf(p.rest('ada').rest.issues.update({ ...p.at, issue_number: number, title: 'New' }));
    expect(refusal).toMatchObject({ status: 403, message: 'Repository was archived so is read-only.' });
  });
});

describe('closing and reopening', () => {
  test('an issue closes as completed and reopens as reopened', async () => {
    const at = { ...p.at, issue_number: (await open('Do it')).number };
    expect((await p.rest('tess').rest.issues.update({ ...at, state: 'closed' })).data.state_reason).toBe('completed');
    const { data } = await p.rest('tess').rest.issues.update({ ...at, state: 'open' });
    expect(data).toMatchObject({ state: 'open', state_reason: 'reopened', closed_at: null, closed_by: null });
  });

  test('closing again changes nothing, not even the reason', async () => {
    const at = { ...p.at, issue_number: (await open('Do it')).number };
    await p.rest('wren').rest.issues.update({ ...at, state: 'closed' });
    const closedAt = now();
    p.clock.advance(60_000);
    const { data } = await p.rest('wren').rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' });
    expect(data).toMatchObject({ state_reason: 'completed', closed_at: closedAt });
  });

  test('a reader reopens what she closed herself, not what others closed', async () => {
    const { data: issue } = await p.rest('rita').rest.issues.create({ ...p.at, title: 'Mine' });
    const at = { ...p.at, issue_number: issue.number };
    await p.rest('rita').rest.issues.update({ ...at, state: 'closed' });
    expect((await p.rest('rita').rest.issues.update({ ...at, state: 'open' })).data.state).toBe('open');
    await p.rest('wren').rest.issues.update({ ...at, state: 'closed' });
    expect((await refusalOf(p.rest('rita').rest.issues.update({ ...at, state: 'open' }))).status).toBe(403);
  });
});

describe('reading issues', () => {
  test('a number nobody has is 404', async () => {
    expect(await refusalOf(p.rest('wren').rest.issues.get({ ...p.at, issue_number: 9 }))).toMatchObject({
      status: 404,
      message: 'Not Found',
    });
  });

  test('an App without the issues permission is refused by name', async () => {
    await open('Secret');
    p.pocket.world.tables.repositories.update(p.repository, { private: true });
    const app = p.rest('app-jwt');
    const { data } = await app.rest.apps.createInstallationAccessToken({
      installation_id: p.installation.id,
      permissions: { pull_requests: 'write' },
    });
    const reader = p.rest('anonymous');
    const get = reader.rest.issues.get({ ...p.at, issue_number: 1, headers: { authorization: `token ${data.token}` } });
    expect(await refusalOf(get)).toMatchObject({ status: 403, message: 'Resource not accessible by integration' });
  });

  test('the list is filtered as asked', async () => {
    await open('One', { labels: ['bug', 'ui'], assignees: ['tess'] });
    p.clock.advance(60_000);
    await open('Two', { labels: ['bug'] });
    await p.rest('rita').rest.issues.create({ ...p.at, title: 'Three' });
    await p.rest('wren').rest.issues.update({ ...p.at, issue_number: 2, state: 'closed' });
    const titles = async (query: Record<string, string>) => {
      const { data } = await p.rest('rita').request('GET /repos/{owner}/{repo}/issues', { ...p.at, ...query });
      return data.map(({ title }) => title);
    };
    expect(await titles({})).toEqual(['Three', 'One']);
    expect(await titles({ direction: 'asc', state: 'all' })).toEqual(['One', 'Two', 'Three']);
    expect(await titles({ state: 'closed' })).toEqual(['Two']);
    expect(await titles({ labels: 'bug,ui', state: 'all' })).toEqual(['One']);
    expect(await titles({ labels: 'nowhere', state: 'all' })).toEqual([]);
    expect(await titles({ assignee: 'tess' })).toEqual(['One']);
    expect(await titles({ assignee: 'none' })).toEqual(['Three']);
    expect(await titles({ assignee: '*' })).toEqual(['One']);
    expect(await titles({ creator: 'rita' })).toEqual(['Three']);
    expect(await titles({ milestone: 'none', state: 'all', sort: 'updated' })).toEqual(['Three', 'Two', 'One']);
    expect(await titles({ since: now(), state: 'all' })).toEqual(['Three', 'Two']);
  });

  test('pages keep the filter in their links', async () => {
    for (const title of ['One', 'Two', 'Three']) await open(title);
    const query = { ...p.at, per_page: 1, since: now(), sort: 'updated' as const };
    const all = await p.rest('wren').paginate('GET /repos/{owner}/{repo}/issues', query);
    expect(all.map(({ title }) => title)).toEqual(['Three', 'Two', 'One']);
  });
});

describe('locking', () => {
  test('takes write access and says why', async () => {
    const at = { ...p.at, issue_number: (await open('Heated')).number };
    expect((await refusalOf(p.rest('tess').rest.issues.lock(at))).status).toBe(403);
    expect((await p.rest('wren').rest.issues.lock({ ...at, lock_reason: 'too heated' })).status).toBe(204);
    expect((await p.rest('rita').rest.issues.get(at)).data).toMatchObject({
      locked: true,
      active_lock_reason: 'too heated',
    });
    await p.rest('wren').rest.issues.unlock(at);
    expect((await p.rest('rita').rest.issues.get(at)).data).toMatchObject({ locked: false, active_lock_reason: null });
  });
});
