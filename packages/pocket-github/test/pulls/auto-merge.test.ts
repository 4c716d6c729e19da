import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { errorsOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

async function opened(head = 'topic'): Promise<{ id: string; number: number }> {
  const { data } = await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Add a file', head, base: 'main' });
  return { id: data.node_id, number: data.number };
}

async function autoMerge(who: Person, id: string, more = ''): Promise<unknown> {
  const client = await p.graphql(who);
  return client(
    `mutation ($id: ID!) {
      enablePullRequestAutoMerge(input: { pullRequestId: $id ${more} }) {
        pullRequest { autoMergeRequest { mergeMethod commitHeadline enabledBy { login } enabledAt } }
      }
    }`,
    { id },
  );
}

const allow = () => p.pocket.world.tables.repositories.update(p.repository, { allowAutoMerge: true });
const get = async (pull_number: number) => (await p.rest('rita').rest.pulls.get({ ...p.at, pull_number })).data;
const green = (sha: string) =>
  p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha, context: 'ci', state: 'success' });
const needCi = { requiredChecks: [{ context: 'ci', appId: null }] };

describe('auto-merge', () => {
  test('is refused where the repository forbids it or nothing stands in the way', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id } = await opened();
    expect(await errorsOf(autoMerge('wren', id))).toEqual([
      'UNPROCESSABLE: Pull request Auto merge is not allowed for this repository',
    ]);
    allow();
    expect(await errorsOf(autoMerge('wren', id))).toEqual([
      'UNPROCESSABLE: Pull request Pull request is in clean status',
    ]);
    expect(await errorsOf(autoMerge('tess', id))).toHaveLength(1);
  });

  test('merges by itself when the last requirement is met', async () => {
    allow();
    protectMain(p, { ...needCi, requirePullRequest: true, requiredApprovals: 1 });
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id, number } = await opened();
    const more = ', mergeMethod: SQUASH, commitHeadline: "As promised"';
    expect(await autoMerge('wren', id, more)).toMatchObject({
      enablePullRequestAutoMerge: {
        pullRequest: {
          autoMergeRequest: { mergeMethod: 'SQUASH', commitHeadline: 'As promised', enabledBy: { login: 'wren' } },
        },
      },
    });
    expect((await get(number)).auto_merge).toMatchObject({
      merge_method: 'squash',
      enabled_by: { login: 'wren' },
      commit_message: null,
    });
    await green(head);
    expect((await get(number)).merged).toBe(false);
    await p.rest('ada').rest.pulls.createReview({ ...p.at, pull_number: number, event: 'APPROVE' });
    expect(await get(number)).toMatchObject({ merged: true, merged_by: { login: 'wren' } });
    const commit = await p.pocket.world.git(p.repository.id).commit(tipOf(p, 'main'));
    expect(commit?.message).toMatch(/^As promised/);
    const told = (await p.deliveries())
      .filter(({ event }) => event === 'pull_request')
      .map(({ payload }) => payload.action);
    expect(told).toEqual(['opened', 'auto_merge_enabled', 'closed']);
  });

  test('waits for the rules even for somebody who could pass them by', async () => {
    allow();
    protectMain(p, needCi, { enforceAdmins: false });
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id, number } = await opened();
    await autoMerge('ada', id);
    await pushTo(p, 'main', { files: { 'c.txt': 'c' } });
    expect((await get(number)).merged).toBe(false);
    await green(head);
    expect((await get(number)).merged).toBe(true);
  });

  test('of several, each merges when its own turn comes, on top of the others', async () => {
    allow();
    protectMain(p, needCi);
    const heads = [];
    for (const branch of ['one', 'two']) {
      heads.push(await pushTo(p, branch, { files: { [`${branch}.txt`]: branch } }));
      await autoMerge('wren', (await opened(branch)).id);
    }
    for (const head of heads) await green(head);
    expect([(await get(1)).merged, (await get(2)).merged]).toEqual([true, true]);
    const git = p.pocket.world.git(p.repository.id);
    for (const head of heads) expect(await git.isAncestor(head, tipOf(p, 'main'))).toBe(true);
  });

  test('is taken back by hand or by closing', async () => {
    allow();
    protectMain(p, needCi);
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id, number } = await opened();
    const client = await p.graphql('wren');
    const disable = () =>
      client(
        'mutation ($id: ID!) { disablePullRequestAutoMerge(input: { pullRequestId: $id }) { pullRequest { number } } }',
        { id },
      );
    await autoMerge('wren', id);
    await disable();
    expect(await errorsOf(disable())).toEqual(["UNPROCESSABLE: Can't disable auto-merge for this pull request."]);
    await green(head);
    expect((await get(number)).merged).toBe(false);
    const next = await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    await autoMerge('wren', id);
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: number, state: 'closed' });
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: number, state: 'open' });
    await green(next);
    expect((await get(number)).merged).toBe(false);
    const told = (await p.deliveries()).flatMap(({ payload }) =>
      payload.action === 'auto_merge_disabled' ? [payload['reason']] : [],
    );
    expect(told).toHaveLength(2);
  });
});
