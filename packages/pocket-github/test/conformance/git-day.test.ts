import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { openPocket } from '../support/test-pocket.js';

/* The git command line against Pocket, with tokens in the address as CI systems do it. */

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function checkout(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'git-day-'));
  folders.push(folder);
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const git = async (...args: string[]) => execa('git', args, { cwd: folder, env, reject: false });
  await git('clone', '--quiet', url, '.');
  await git('config', 'user.name', 'Wren');
  await git('config', 'user.email', 'wren@users.noreply.example.com');
  const commit = async (file: string, content: string, message: string): Promise<string> => {
    await writeFile(join(folder, file), content);
    await git('add', '.');
    await git('commit', '--quiet', '-m', message);
    return (await git('rev-parse', 'HEAD')).stdout;
  };
  return { git, commit };
}

test('clone, branch, push, pull request, amend with lease, merge, fetch', async () => {
  const p = await openPocket();
  const { git, commit } = await checkout(p.gitUrl('wren'));
  await git('switch', '--quiet', '-c', 'topic');
  const first = await commit('a.txt', 'one\n', 'One');
  expect((await git('push', 'origin', 'topic')).exitCode).toBe(0);
  const { data: pull } = await p
    .rest('wren')
    .rest.pulls.create({ ...p.at, title: 'Topic', head: 'topic', base: 'main' });
  expect(pull.head.sha).toBe(first);

  await writeAndAmend();
  const second = (await git('rev-parse', 'HEAD')).stdout;
  expect((await git('push', 'origin', 'topic')).stderr).toContain('[rejected]');
  expect((await git('push', `--force-with-lease=topic:${'0'.repeat(39)}1`, 'origin', 'topic')).stderr).toContain(
    'stale info',
  );
  expect((await git('push', `--force-with-lease=topic:${first}`, 'origin', 'topic')).exitCode).toBe(0);
  const { data: moved } = await p.rest('wren').rest.pulls.get({ ...p.at, pull_number: pull.number });
  expect(moved.head.sha).toBe(second);
  const synchronised = (await p.deliveries()).find(
    ({ event, payload }) => event === 'pull_request' && payload.action === 'synchronize',
  );
  expect(synchronised?.payload).toMatchObject({ before: first, after: second, sender: { login: 'wren' } });

  await p.rest('ada').rest.pulls.merge({ ...p.at, pull_number: pull.number, merge_method: 'rebase' });
  await git('fetch', '--quiet', 'origin', 'main');
  expect((await git('log', '--format=%s', 'origin/main')).stdout.split('\n')[0]).toBe('One, amended');
  await p.close();

  async function writeAndAmend(): Promise<void> {
    await commit('b.txt', 'two\n', 'Two');
    await git('reset', '--quiet', '--soft', 'HEAD~1');
    await git('commit', '--quiet', '--amend', '-m', 'One, amended');
  }
});

test('custom refs move by compare-and-swap and tell nobody', async () => {
  const p = await openPocket();
  const { git, commit } = await checkout(p.gitUrl('wren'));
  const state = await commit('state.json', '{"step":1}\n', 'Step 1');
  expect((await git('push', 'origin', `${state}:refs/sluice/issue-1`)).exitCode).toBe(0);
  const graphql = await p.graphql('wren');
  const answer = await graphql(
    'query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { object(expression: "refs/sluice/issue-1") { oid ... on Commit { message file(path: "state.json") { object { ... on Blob { text } } } } } } }',
    p.at,
  );
  expect(answer).toMatchObject({
    repository: {
      object: { oid: state, message: expect.stringContaining('Step 1'), file: { object: { text: '{"step":1}\n' } } },
    },
  });
  const next = await commit('state.json', '{"step":2}\n', 'Step 2');
  const stale = await git('push', '--force-with-lease=refs/sluice/issue-1', 'origin', `${next}:refs/sluice/issue-1`);
  const late = await git(
    'push',
    `--force-with-lease=refs/sluice/issue-1:${next}`,
    'origin',
    `${next}:refs/sluice/issue-1`,
  );
  expect([stale.exitCode === 0, late.exitCode === 0]).toEqual([false, false]);
  expect(
    (await git('push', `--force-with-lease=refs/sluice/issue-1:${state}`, 'origin', `${next}:refs/sluice/issue-1`))
      .exitCode,
  ).toBe(0);
  expect((await git('ls-remote', 'origin', 'refs/sluice/*')).stdout).toContain(next);
  expect((await p.rest('wren').rest.repos.listBranches(p.at)).data.map((branch) => branch.name)).toEqual(['main']);
  expect((await p.deliveries()).filter((delivery) => delivery.event === 'push')).toEqual([]);
  await p.close();
});

test('a protected branch refuses, and with --atomic so does everything pushed with it', async () => {
  const p = await openPocket();
  await p.rest('ada').rest.repos.updateBranchProtection({
    ...p.at,
    branch: 'main',
    required_status_checks: null,
    enforce_admins: true,
    required_pull_request_reviews: { required_approving_review_count: 1 },
    restrictions: null,
  });
  const { git, commit } = await checkout(p.gitUrl('wren'));
  await commit('a.txt', 'one\n', 'One');
  const refused = await git('push', '--atomic', 'origin', 'HEAD:refs/heads/main', 'HEAD:refs/heads/side');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('GH006: Protected branch update failed for refs/heads/main.');
  expect(refused.stderr).toContain('protected branch hook declined');
  expect((await git('ls-remote', 'origin', 'refs/heads/side')).stdout).toBe('');
  await p.close();
});

test('who may not push is told so, and who is nobody is asked who they are', async () => {
  const p = await openPocket();
  const reader = await checkout(p.gitUrl('rita'));
  await reader.commit('a.txt', 'one\n', 'One');
  expect((await reader.git('push', 'origin', 'HEAD:refs/heads/x')).stderr).toMatch(
    /Permission to ada\/sandbox\.git denied to rita|403/,
  );
  const stranger = await checkout(p.gitUrl('anonymous'));
  await stranger.commit('a.txt', 'one\n', 'One');
  expect((await stranger.git('push', 'origin', 'HEAD:refs/heads/x')).stderr).toMatch(
    /could not read Username|Authentication failed/,
  );
  await p.close();
});

test('an App clones, fetches and pushes with its long token, in the address and in a header', async () => {
  const p = await openPocket({ private: true });
  const { data } = await p
    .rest('app-jwt')
    .rest.apps.createInstallationAccessToken({ installation_id: p.installation.id });
  expect(data.token.length).toBeGreaterThan(500);
  const { git, commit } = await checkout(
    p.gitUrl('anonymous').replace('//', `//x-access-token:${encodeURIComponent(data.token)}@`),
  );
  const first = await commit('a.txt', 'one\n', 'One');
  expect((await git('push', 'origin', 'HEAD:refs/heads/topic')).exitCode).toBe(0);
  expect((await git('ls-remote', 'origin', 'refs/heads/topic')).stdout).toContain(first);
  const basic = Buffer.from(`x-access-token:${data.token}`).toString('base64');
  const header = ['-c', `http.extraHeader=Authorization: Basic ${basic}`];
  const second = await commit('a.txt', 'two\n', 'Two');
  expect((await git(...header, 'push', p.gitUrl('anonymous'), 'HEAD:refs/heads/topic')).exitCode).toBe(0);
  expect((await git(...header, 'ls-remote', p.gitUrl('anonymous'), 'refs/heads/topic')).stdout).toContain(second);
  await p.close();
});
