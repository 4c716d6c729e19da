import { expect, test } from '@jest/globals';
import { Octokit } from '@octokit/rest';
import { openPocket } from '../support/test-pocket.js';

/* A maintainer's day with @octokit/rest alone: from an idea to a closed issue. */

test('open, label, comment, branch, commit, pull request, check, review, merge, close', async () => {
  const p = await openPocket();
  const wren = p.rest('wren').rest;
  const ada = p.rest('ada').rest;
  const app = p.rest('app').rest;

  const { data: issue } = await wren.issues.create({ ...p.at, title: 'Say hello', body: 'A greeting is missing.' });
  expect(issue).toMatchObject({
    number: 1,
    state: 'open',
    user: { login: 'wren' },
    author_association: 'COLLABORATOR',
    comments: 0,
  });
  await wren.issues.addLabels({ ...p.at, issue_number: 1, labels: ['enhancement'] });
  const { data: comment } = await ada.issues.createComment({ ...p.at, issue_number: 1, body: 'Go on.' });
  expect(comment).toMatchObject({ user: { login: 'ada' }, author_association: 'OWNER' });
  await app.reactions.createForIssueComment({ ...p.at, comment_id: comment.id, content: 'eyes' });
  const { data: seen } = await wren.issues.listComments({ ...p.at, issue_number: 1 });
  expect(seen[0]?.reactions).toMatchObject({ total_count: 1, eyes: 1 });

  const { data: main } = await wren.git.getRef({ ...p.at, ref: 'heads/main' });
  await wren.git.createRef({ ...p.at, ref: 'refs/heads/hello', sha: main.object.sha });
  await wren.repos.createOrUpdateFileContents({
    ...p.at,
    path: 'hello.txt',
    branch: 'hello',
    message: 'Say hello',
    content: Buffer.from('hello\n').toString('base64'),
  });
  const { data: pull } = await wren.pulls.create({
    ...p.at,
    title: 'Say hello',
    head: 'hello',
    base: 'main',
    body: 'Closes #1',
  });
  expect(pull).toMatchObject({ number: 2, state: 'open', commits: 1, changed_files: 1, additions: 1, draft: false });

  const { data: run } = await app.checks.create({
    ...p.at,
    name: 'build',
    head_sha: pull.head.sha,
    status: 'in_progress',
  });
  const { data: waiting } = await wren.pulls.get({ ...p.at, pull_number: 2 });
  expect(waiting).toMatchObject({ mergeable: true, mergeable_state: 'unstable' });
  await app.checks.update({ ...p.at, check_run_id: run.id, status: 'completed', conclusion: 'success' });
  await expect(wren.pulls.createReview({ ...p.at, pull_number: 2, event: 'APPROVE' })).rejects.toMatchObject({
    status: 422,
  });
  const { data: review } = await ada.pulls.createReview({ ...p.at, pull_number: 2, event: 'APPROVE', body: 'Good.' });
  expect(review.state).toBe('APPROVED');

  await expect(wren.pulls.merge({ ...p.at, pull_number: 2, sha: main.object.sha })).rejects.toMatchObject({
    status: 409,
    response: { data: { message: 'Head branch was modified. Review and try the merge again.' } },
  });
  const { data: merged } = await wren.pulls.merge({
    ...p.at,
    pull_number: 2,
    sha: pull.head.sha,
    merge_method: 'squash',
  });
  expect(merged).toMatchObject({ merged: true, message: 'Pull Request successfully merged' });
  const { data: tip } = await wren.repos.getCommit({ ...p.at, ref: 'main' });
  expect(tip).toMatchObject({ sha: merged.sha, commit: { message: expect.stringMatching(/^Say hello \(#2\)/) } });
  await expect(wren.pulls.merge({ ...p.at, pull_number: 2 })).rejects.toMatchObject({ status: 405 });

  const { data: closed } = await wren.issues.get({ ...p.at, issue_number: 1 });
  expect(closed).toMatchObject({ state: 'closed', state_reason: 'completed', closed_by: { login: 'wren' } });
  const told = (await p.deliveries()).map(({ event, payload }) => `${event}.${payload.action ?? ''}`);
  const story = [
    'issues.opened',
    'issues.labeled',
    'issue_comment.created',
    'pull_request.opened',
    'check_run.completed',
    'pull_request_review.submitted',
    'pull_request.closed',
    'issues.closed',
  ];
  expect(told.filter((name) => story.includes(name))).toEqual(story);
  await p.close();
});

test('lists come in pages, linked both ways', async () => {
  const p = await openPocket();
  const octokit = p.rest('wren');
  for (let number = 1; number <= 7; number += 1)
    await octokit.rest.issues.create({ ...p.at, title: `Issue ${number}` });
  const { headers, data } = await octokit.rest.issues.listForRepo({ ...p.at, per_page: 3, page: 2, direction: 'asc' });
  expect(data.map((issue) => issue.number)).toEqual([4, 5, 6]);
  expect(headers.link).toMatch(/page=1>; rel="prev".*page=3>; rel="next".*page=3>; rel="last".*page=1>; rel="first"/);
  const all = await octokit.paginate(octokit.rest.issues.listForRepo, { ...p.at, per_page: 3 });
  expect(all).toHaveLength(7);
  await p.close();
});

test('an unchanged answer is 304 and costs nothing', async () => {
  const p = await openPocket();
  const octokit = p.rest('wren');
  const first = await octokit.rest.repos.get(p.at);
  const left = first.headers['x-ratelimit-remaining'];
  const headers = { 'if-none-match': first.headers.etag ?? '' };
  await expect(octokit.rest.repos.get({ ...p.at, headers })).rejects.toMatchObject({
    status: 304,
    response: { headers: { 'x-ratelimit-remaining': left } },
  });
  await octokit.rest.issues.create({ ...p.at, title: 'Something new' });
  expect((await octokit.rest.repos.get({ ...p.at, headers })).status).toBe(200);
  await p.close();
});

test('refusals come with GitHub’s bodies', async () => {
  const p = await openPocket({ private: true });
  const { owner, repo } = p.at;
  await expect(p.rest('mallory').rest.repos.get({ owner, repo })).rejects.toMatchObject({
    status: 404,
    response: { data: { message: 'Not Found' } },
  });
  await p.rest('wren').rest.issues.create({ owner, repo, title: 'Real' });
  await expect(
    p.rest('rita').rest.issues.addLabels({ owner, repo, issue_number: 1, labels: ['x'] }),
  ).rejects.toMatchObject({ status: 403 });
  await expect(p.rest('wren').rest.issues.create({ owner, repo, title: '' })).rejects.toMatchObject({
    status: 422,
    response: { data: { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title' }] } },
  });
  const wrong = new Octokit({ baseUrl: p.pocket.urls.api, auth: 'ghp_wrong' });
  await expect(wrong.rest.repos.get({ owner, repo })).rejects.toMatchObject({
    status: 401,
    response: { data: { message: 'Bad credentials' } },
  });
  await p.close();
});

test('a route that is not modelled answers 501 and fails the test that touched it', async () => {
  const p = await openPocket();
  await expect(p.rest('wren').rest.gists.list()).rejects.toMatchObject({ status: 501 });
  await expect(p.rest('wren').rest.issues.create({ ...p.at, title: 'x', colour: 'red' })).rejects.toMatchObject({
    status: 501,
  });
  expect(p.pocket.journal.unmodelled()).toEqual([
    expect.stringContaining('GET /gists'),
    expect.stringContaining('"colour"'),
  ]);
  await expect(p.close()).rejects.toThrow('touched what is not modelled');
});
