import { describe, expect, test } from '@jest/globals';
import { deleteBranch, pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

/** Octokit's types promise JSON whatever format was asked for. */
const textOf = (data: unknown): string => data as string;

const said = async (p: TestPocket, event = 'pull_request') =>
  (await p.deliveries()).filter((delivery) => delivery.event === event).map((delivery) => delivery.payload.action);

describe('pull requests', () => {
  let p: TestPocket;
  freshPocketEachTest((fresh) => {
    p = fresh;
  });

  const open = async (head = 'topic', more: Record<string, unknown> = {}) => {
    const { data } = await p
      .rest('wren')
      .rest.pulls.create({ ...p.at, title: 'Add a file', head, base: 'main', ...more });
    return data;
  };

  test('one is opened from a branch, counted with issues, and told', async () => {
    await p.rest('rita').rest.issues.create({ ...p.at, title: 'First' });
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'one\ntwo\n' } });
    const pull = await open('topic', { body: 'What it does' });
    expect(pull).toMatchObject({
      number: 2,
      state: 'open',
      title: 'Add a file',
      body: 'What it does',
      draft: false,
      merged: false,
      mergeable: true,
      mergeable_state: 'clean',
      rebaseable: true,
      commits: 1,
      additions: 2,
      deletions: 0,
      changed_files: 1,
      user: { login: 'wren' },
      author_association: 'COLLABORATOR',
      maintainer_can_modify: false,
      head: { ref: 'topic', label: 'ada:topic', sha: head, repo: { full_name: 'ada/sandbox' } },
      base: { ref: 'main', label: 'ada:main', sha: tipOf(p, 'main') },
    });
    const [told] = (await p.deliveries()).filter(({ event }) => event === 'pull_request');
    expect(told?.payload).toMatchObject({
      action: 'opened',
      number: 2,
      pull_request: { id: pull.id, additions: 2 },
      sender: { login: 'wren' },
    });
    expect((await p.deliveries()).filter(({ event }) => event === 'issues')).toHaveLength(1);
  });

  test('what cannot become a pull request is refused with GitHub’s words', async () => {
    const custom = (message: string) => ({
      status: 422,
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', code: 'custom', message }],
    });
    const invalid = (field: string) => ({
      status: 422,
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', field, code: 'invalid' }],
    });
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    expect(await refusalOf(open('topic', { base: 'nowhere' }))).toMatchObject(invalid('base'));
    expect(await refusalOf(open('nowhere'))).toMatchObject(invalid('head'));
    expect(await refusalOf(open('nobody:topic'))).toMatchObject(invalid('head'));
    expect(await refusalOf(open('main', { base: 'topic' }))).toMatchObject(custom('No commits between topic and main'));
    expect(await refusalOf(open('topic', { title: '' }))).toMatchObject({
      status: 422,
      errors: [{ field: 'title', code: 'missing_field' }],
    });
    await open('ada:topic');
    expect(await refusalOf(open())).toMatchObject(custom('A pull request already exists for ada:topic.'));
    const { data: all } = await p.rest('wren').rest.pulls.list({ ...p.at, state: 'all' });
    expect(all).toHaveLength(1);
  });

  test('only those who may push open one', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const call = p.rest('rita').rest.pulls.create({ ...p.at, title: 'Mine', head: 'topic', base: 'main' });
    expect(await refusalOf(call)).toMatchObject({ status: 403 });
  });

  test('issues turned into pull requests are not modelled, and say so', async () => {
    const own = await openPocket();
    await pushTo(own, 'topic', { files: { 'a.txt': 'a' } });
    const { pulls } = own.rest('wren').rest;
    const ends = { head: 'topic', base: 'main' };
    expect(await refusalOf(pulls.create({ ...own.at, ...ends, issue: 1 }))).toMatchObject({ status: 501 });
    expect(own.pocket.journal.unmodelled()).toHaveLength(1);
    await own.close({ unmodelledIsFine: true });
  });

  test('lists filter by state, head and base and sort', async () => {
    await pushTo(p, 'dev', { files: { 'dev.txt': 'd' } });
    await pushTo(p, 'one', { files: { '1.txt': '1' } });
    await pushTo(p, 'two', { files: { '2.txt': '2' } });
    const first = await open('one');
    p.clock.advance(1000);
    await open('two', { base: 'dev' });
    p.clock.advance(1000);
    await open('dev');
    p.clock.advance(1000);
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: first.number, state: 'closed' });
    const list = async (query: Record<string, string>) =>
      (await p.rest('rita').rest.pulls.list({ ...p.at, ...query })).data.map((pull) => pull.number);
    expect(await list({})).toEqual([3, 2]);
    expect(await list({ state: 'all' })).toEqual([3, 2, 1]);
    expect(await list({ state: 'closed' })).toEqual([1]);
    expect(await list({ base: 'dev' })).toEqual([2]);
    expect(await list({ head: 'ada:two' })).toEqual([2]);
    expect(await list({ head: 'two' })).toEqual([3, 2]);
    expect(await list({ state: 'all', sort: 'updated' })).toEqual([2, 3, 1]);
    expect(await list({ state: 'all', direction: 'asc' })).toEqual([1, 2, 3]);
  });

  test('its commits, files, diff and patch are those of the branch', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' }, message: 'Add a' });
    const head = await pushTo(p, 'topic', {
      files: { 'README.md': '# Sandbox 2\n' },
      message: 'Edit the readme\n\nAnd say why',
    });
    await pushTo(p, 'main', { files: { 'other.txt': 'o' } });
    const { number: pull_number } = await open();
    const rita = p.rest('rita').rest.pulls;
    const { data: commits } = await rita.listCommits({ ...p.at, pull_number });
    expect(commits.map(({ commit, author }) => [commit.message, author?.login])).toEqual([
      ['Add a', 'wren'],
      ['Edit the readme\n\nAnd say why', 'wren'],
    ]);
    const { data: files } = await rita.listFiles({ ...p.at, pull_number });
    expect(files.map(({ filename, status, additions, deletions }) => [filename, status, additions, deletions])).toEqual(
      [
        ['README.md', 'modified', 1, 1],
        ['a.txt', 'added', 1, 0],
      ],
    );
    const { data: diff } = await rita.get({ ...p.at, pull_number, mediaType: { format: 'diff' } });
    expect(textOf(diff)).toContain('+# Sandbox 2');
    expect(textOf(diff)).not.toContain('other.txt');
    const { data: patch } = await rita.get({ ...p.at, pull_number, mediaType: { format: 'patch' } });
    expect(textOf(patch)).toMatch(/^From [0-9a-f]{40}[\s\S]*Subject: \[PATCH 2\/2\] Edit the readme/);
    const { data: of } = await p
      .rest('rita')
      .rest.repos.listPullRequestsAssociatedWithCommit({ ...p.at, commit_sha: head });
    expect(of.map(({ number }) => number)).toEqual([pull_number]);
  });

  test('title, body and base are edited by the author and by those who may push', async () => {
    await pushTo(p, 'dev', { files: { 'dev.txt': 'd' } });
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { number: pull_number } = await open();
    const before = tipOf(p, 'main');
    const { data } = await p
      .rest('ada')
      .rest.pulls.update({ ...p.at, pull_number, title: 'Better', body: 'Text', base: 'dev' });
    expect(data).toMatchObject({ title: 'Better', body: 'Text', base: { ref: 'dev', sha: tipOf(p, 'dev') } });
    expect(await refusalOf(p.rest('tess').rest.pulls.update({ ...p.at, pull_number, title: 'Mine' }))).toMatchObject({
      status: 403,
    });
    const told = (await p.deliveries())
      .filter(({ payload }) => payload.action === 'edited')
      .map(({ payload }) => payload['changes']);
    expect(told).toEqual([
      { base: { ref: { from: 'main' }, sha: { from: before } } },
      { title: { from: 'Add a file' }, body: { from: '' } },
    ]);
  });

  test('triage may close and reopen; a reopened one shows what was pushed meanwhile', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { number: pull_number } = await open();
    const tess = p.rest('tess').rest.pulls;
    expect((await tess.update({ ...p.at, pull_number, state: 'closed' })).data).toMatchObject({
      state: 'closed',
      merged: false,
      mergeable_state: 'unknown',
    });
    const head = await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    expect((await tess.get({ ...p.at, pull_number })).data.head.sha).not.toBe(head);
    const { data } = await tess.update({ ...p.at, pull_number, state: 'open' });
    expect(data).toMatchObject({ state: 'open', commits: 2, head: { sha: head }, closed_at: null });
    expect(await said(p)).toEqual(['opened', 'closed', 'reopened']);
  });

  test.each<[string, (p: TestPocket) => Promise<unknown>, string]>([
    ['deleted', (p) => deleteBranch(p, 'topic'), 'state cannot be changed. The topic branch has been deleted.'],
    [
      'force-pushed',
      (p) => pushTo(p, 'topic', { files: { 'z.txt': 'z' }, onto: tipOf(p, 'main') }),
      'state cannot be changed. The topic branch was force-pushed or recreated.',
    ],
    [
      'used by another pull request',
      (p) => p.rest('ada').rest.pulls.create({ ...p.at, title: 'Again', head: 'topic', base: 'main' }),
      'state cannot be changed. There is already an open pull request (#2) from ada:topic to ada:main.',
    ],
  ])('one whose branch was %s cannot be reopened', async (_, happen, message) => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { number: pull_number } = await open();
    const { rest } = p.rest('wren');
    await rest.pulls.update({ ...p.at, pull_number, state: 'closed' });
    await happen(p);
    const reopened = rest.pulls.update({ ...p.at, pull_number, state: 'open' });
    expect(await refusalOf(reopened)).toMatchObject({
      status: 422,
      errors: [{ resource: 'PullRequest', field: 'state', code: 'custom', message }],
    });
  });

  test('reviews are requested of collaborators, not of the author', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { number: pull_number } = await open();
    const { rest } = p.rest('wren');
    const { data } = await rest.pulls.requestReviewers({ ...p.at, pull_number, reviewers: ['ada', 'rita', 'ada'] });
    expect(data.requested_reviewers?.map(({ login }) => login)).toEqual(['ada', 'rita']);
    expect(await refusalOf(rest.pulls.requestReviewers({ ...p.at, pull_number, reviewers: ['wren'] }))).toEqual({
      status: 422,
      message: 'Review cannot be requested from pull request author.',
    });
    expect(
      (await refusalOf(rest.pulls.requestReviewers({ ...p.at, pull_number, reviewers: ['mallory'] }))).message,
    ).toContain('collaborator');
    await rest.pulls.removeRequestedReviewers({ ...p.at, pull_number, reviewers: ['rita'] });
    const { data: left } = await rest.pulls.listRequestedReviewers({ ...p.at, pull_number });
    expect(left.users.map(({ login }) => login)).toEqual(['ada']);
    expect(await said(p)).toEqual(['opened', 'review_requested', 'review_requested', 'review_request_removed']);
  });
});
