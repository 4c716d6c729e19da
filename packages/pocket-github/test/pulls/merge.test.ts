import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const git = () => p.pocket.world.git(p.repository.id);

async function open(head = 'topic', more: Record<string, unknown> = {}): Promise<number> {
  const { data } = await p
    .rest('wren')
    .rest.pulls.create({ ...p.at, title: 'Add a file', head, base: 'main', ...more });
  return data.number;
}
const get = async (pull_number: number) => (await p.rest('rita').rest.pulls.get({ ...p.at, pull_number })).data;
const merge = (pull_number: number, more: Record<string, unknown> = {}) =>
  p.rest('ada').rest.pulls.merge({ ...p.at, pull_number, ...more });

async function commit(oid: string) {
  const found = await git().commit(oid);
  if (found === null) throw new Error(`${oid} is not a commit`);
  return found;
}

describe('merging', () => {
  test('by merge commit', async () => {
    const base = tipOf(p, 'main');
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    const { status, data } = await merge(pull, { sha: head });
    expect([status, data]).toEqual([
      200,
      { sha: tipOf(p, 'main'), merged: true, message: 'Pull Request successfully merged' },
    ]);
    expect(await commit(data.sha)).toMatchObject({
      parents: [base, head],
      message: expect.stringMatching(/^Merge pull request #1 from ada\/topic\n\nAdd a file\s*$/) as unknown,
      author: { name: 'ada' },
      committer: { name: 'GitHub', email: 'noreply@github.com' },
    });
    expect(await get(pull)).toMatchObject({
      state: 'closed',
      merged: true,
      merged_by: { login: 'ada' },
      merge_commit_sha: data.sha,
      mergeable: null,
      mergeable_state: 'unknown',
    });
    expect((await p.rest('rita').rest.pulls.checkIfMerged({ ...p.at, pull_number: pull })).status).toBe(204);
  });

  test('by squash: one commit, the author’s, with everybody’s words', async () => {
    const base = tipOf(p, 'main');
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' }, message: 'First step' });
    await pushTo(p, 'topic', { files: { 'b.txt': 'b' }, message: 'Second step\n\nBecause', by: 'tess' });
    const { data } = await merge(await open(), { merge_method: 'squash' });
    const squashed = await commit(data.sha);
    expect(squashed).toMatchObject({ parents: [base], author: { name: 'wren' }, committer: { name: 'GitHub' } });
    expect(squashed.message.trimEnd()).toBe(
      `Add a file (#1)\n\n* First step\n\n* Second step\n\nBecause\n\n---------\n\nCo-authored-by: tess <${p.users.tess.email}>`,
    );
  });

  test('a squash of one commit keeps its words; given words win', async () => {
    await pushTo(p, 'one', { files: { 'a.txt': 'a' }, message: 'Only step\n\nBecause' });
    await pushTo(p, 'two', { files: { 'b.txt': 'b' } });
    const [one, two] = [await open('one'), await open('two')];
    const first = await merge(one, { merge_method: 'squash' });
    expect((await commit(first.data.sha)).message.trimEnd()).toBe('Only step (#1)\n\nBecause');
    const second = await merge(two, { merge_method: 'squash', commit_title: 'Title', commit_message: 'Body' });
    expect((await commit(second.data.sha)).message.trimEnd()).toBe('Title\n\nBody');
  });

  test('by rebase: each commit again on top of base', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' }, message: 'First step' });
    await pushTo(p, 'topic', { files: { 'b.txt': 'b' }, message: 'Second step' });
    const base = await pushTo(p, 'main', { files: { 'c.txt': 'c' } });
    const { data } = await merge(await open(), { merge_method: 'rebase' });
    const log = await git().log(base, data.sha);
    expect(log.map(({ message, author, committer }) => [message.trim(), author.name, committer.name])).toEqual([
      ['Second step', 'wren', 'ada'],
      ['First step', 'wren', 'ada'],
    ]);
  });

  test('is a push first, then the merge, then the closing, and is told once', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    const happened = p.pocket.world.tables.events.all().length;
    const { data } = await merge(pull);
    const events = p.pocket.world.tables.events.all().slice(happened);
    expect(events.map(({ name }) => name).filter((name) => ['pushed', 'merged', 'closed'].includes(name))).toEqual([
      'pushed',
      'merged',
      'closed',
    ]);
    const told = (await p.deliveries()).filter(({ event }) => event === 'pull_request').map(({ payload }) => payload);
    expect(told.map(({ action }) => action)).toEqual(['opened', 'closed']);
    expect(told[1]?.['pull_request']).toMatchObject({
      merged: true,
      merge_commit_sha: data.sha,
      merged_by: { login: 'ada' },
    });
  });

  test('a head that moved is a conflict', async () => {
    const seen = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    const base = tipOf(p, 'main');
    expect(await refusalOf(merge(pull, { sha: seen }))).toEqual({
      status: 409,
      message: 'Head branch was modified. Review and try the merge again.',
    });
    expect(tipOf(p, 'main')).toBe(base);
    expect((await get(pull)).merged).toBe(false);
    const check = p.rest('rita').rest.pulls.checkIfMerged({ ...p.at, pull_number: pull });
    expect((await refusalOf(check)).status).toBe(404);
  });

  test('conflicts, drafts, closed and merged pull requests are not merged', async () => {
    await pushTo(p, 'topic', { files: { 'README.md': 'mine' } });
    await pushTo(p, 'draft', { files: { 'a.txt': 'a' } });
    const [conflicting, draft] = [await open(), await open('draft', { draft: true })];
    await pushTo(p, 'main', { files: { 'README.md': 'theirs' } });
    expect(await get(conflicting)).toMatchObject({ mergeable: false, mergeable_state: 'dirty', rebaseable: false });
    expect(await refusalOf(merge(conflicting))).toEqual({ status: 405, message: 'Pull Request is not mergeable' });
    expect(await get(draft)).toMatchObject({ mergeable: true, mergeable_state: 'draft' });
    expect(await refusalOf(merge(draft))).toEqual({ status: 405, message: 'Pull Request is still a draft' });
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: draft, state: 'closed' });
    expect((await refusalOf(merge(draft))).status).toBe(405);
    expect((await refusalOf(p.rest('tess').rest.pulls.merge({ ...p.at, pull_number: conflicting }))).status).toBe(403);
  });

  test.each([
    ['merge', { allowMergeCommit: false }, 'Merge commits are not allowed on this repository.'],
    ['squash', { allowSquashMerge: false }, 'Squash merges are not allowed on this repository.'],
    ['rebase', { allowRebaseMerge: false }, 'Rebase merges are not allowed on this repository.'],
  ])('a method the repository does not allow is refused: %s', async (merge_method, settings, message) => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    p.pocket.world.tables.repositories.update(p.repository, settings);
    expect(await refusalOf(merge(pull, { merge_method }))).toEqual({ status: 405, message });
  });

  test('the head branch is deleted where the repository says so, and pull requests on top of it move on', async () => {
    p.pocket.world.tables.repositories.update(p.repository, { deleteBranchOnMerge: true });
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const below = await open();
    await pushTo(p, 'stacked', { files: { 'b.txt': 'b' }, onto: tipOf(p, 'topic') });
    const above = await open('stacked', { base: 'topic' });
    await merge(below);
    const { data: branches } = await p.rest('rita').request('GET /repos/{owner}/{repo}/pulls', p.at);
    expect(branches.map(({ number, base }) => [number, base.ref])).toEqual([[above, 'main']]);
    expect(() => tipOf(p, 'topic')).toThrow('no branch topic');
    expect(await get(above)).toMatchObject({ state: 'open', mergeable: true });
  });
});

describe('the rules of the base branch', () => {
  const green = (oid: string, context = 'ci') =>
    p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha: oid, context, state: 'success' });

  test('required checks keep it out until they pass', async () => {
    protectMain(p, { requiredChecks: [{ context: 'ci', appId: null }] });
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    expect((await get(pull)).mergeable_state).toBe('blocked');
    expect(await refusalOf(merge(pull))).toEqual({ status: 405, message: 'Required status check "ci" is expected.' });
    await green(head);
    expect((await get(pull)).mergeable_state).toBe('clean');
    expect((await merge(pull)).status).toBe(200);
  });

  test('a failing check that is not required makes it unstable, not blocked', async () => {
    const sha = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    await p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha, context: 'lint', state: 'failure' });
    expect((await get(pull)).mergeable_state).toBe('unstable');
    expect((await merge(pull)).status).toBe(200);
  });

  test('a strict branch wants its tip in the head', async () => {
    protectMain(
      p,
      {
        requiredChecks: [
          { context: 'ci', appId: null },
          { context: 'lint', appId: null },
        ],
        strictChecks: true,
      },
      { enforceAdmins: true },
    );
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    await green(head);
    await green(head, 'lint');
    const base = await pushTo(p, 'main', { files: { 'c.txt': 'c' } });
    expect((await get(pull)).mergeable_state).toBe('behind');
    expect(await refusalOf(merge(pull))).toEqual({
      status: 405,
      message: '2 of 2 required status checks are expected.',
    });
    const { rest } = p.rest('wren');
    const stale = rest.pulls.updateBranch({ ...p.at, pull_number: pull, expected_head_sha: base });
    expect(await refusalOf(stale)).toEqual({
      status: 422,
      message: 'expected head sha didn’t match current head ref.',
    });
    const { status, data } = await rest.pulls.updateBranch({ ...p.at, pull_number: pull, expected_head_sha: head });
    expect([status, data.message]).toEqual([202, 'Updating pull request branch.']);
    const updated = tipOf(p, 'topic');
    expect(await commit(updated)).toMatchObject({ parents: [head, base], author: { name: 'wren' } });
    expect((await get(pull)).mergeable_state).toBe('blocked');
    await green(updated);
    await green(updated, 'lint');
    expect((await merge(pull, { sha: updated })).status).toBe(200);
    const again = rest.pulls.updateBranch({ ...p.at, pull_number: pull });
    expect((await refusalOf(again)).status).toBe(422);
  });

  test('required approvals, linear history and the merge queue are honoured; administrators may pass where they are exempt', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    const { protections } = p.pocket.world.tables;
    protectMain(p, { requirePullRequest: true, requiredApprovals: 1 });
    expect(await refusalOf(merge(pull))).toEqual({
      status: 405,
      message: 'At least 1 approving review is required by reviewers with write access.',
    });
    protections.delete(protections.all()[0]?.id ?? 0);
    protectMain(p, { requireLinearHistory: true });
    expect(await refusalOf(merge(pull))).toEqual({
      status: 405,
      message: 'This branch must not contain merge commits.',
    });
    protections.delete(protections.all()[0]?.id ?? 0);
    protectMain(p, { requirePullRequest: true, requiredApprovals: 1 }, { enforceAdmins: false });
    expect((await refusalOf(p.rest('wren').rest.pulls.merge({ ...p.at, pull_number: pull }))).status).toBe(405);
    expect((await merge(pull)).status).toBe(200);
  });

  test('an App without the permission for workflows does not merge one', async () => {
    await pushTo(p, 'topic', { files: { '.github/workflows/ci.yml': 'on: push\n' } });
    const pull_number = await open();
    const { data } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken({
      installation_id: p.installation.id,
      permissions: { contents: 'write', pull_requests: 'write' },
    });
    const limited = p.rest('anonymous').request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
      ...p.at,
      pull_number,
      headers: { authorization: `token ${data.token}` },
    });
    expect(await refusalOf(limited)).toMatchObject({
      status: 403,
      message: expect.stringContaining('without `workflows` permission') as unknown,
    });
    expect((await p.rest('app').rest.pulls.merge({ ...p.at, pull_number })).status).toBe(200);
    expect((await get(pull_number)).merged_by?.login).toBe('sluice-dev[bot]');
  });
});
