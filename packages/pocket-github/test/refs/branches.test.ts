import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { addRuleset, protectMain } from '../support/branch-protection.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const repos = () => p.rest('wren').rest.repos;

describe('branches', () => {
  test('are listed by name, with whether they are protected', async () => {
    await pushTo(p, 'release/1', { files: { a: '1' } });
    await pushTo(p, 'alpha', { files: { a: '2' } });
    protectMain(p, { requiredChecks: [{ context: 'ci', appId: null }] });
    addRuleset(p, ['refs/heads/release/*'], { blockDeletions: true });
    const list = async (more: Record<string, unknown> = {}) =>
      (await repos().listBranches({ ...p.at, ...more })).data.map((branch) => [branch.name, branch.protected]);
    expect(await list()).toEqual([
      ['alpha', false],
      ['main', true],
      ['release/1', true],
    ]);
    expect(await list({ protected: true })).toEqual([
      ['main', true],
      ['release/1', true],
    ]);
    expect(await list({ per_page: 1, page: 2 })).toEqual([['main', true]]);
  });

  test('one with its commit and a summary of its protection', async () => {
    protectMain(p, { requiredChecks: [{ context: 'ci', appId: null }] });
    const { data } = await repos().getBranch({ ...p.at, branch: 'main' });
    expect(data).toMatchObject({
      name: 'main',
      commit: { sha: tipOf(p, 'main'), commit: { message: 'Initial commit' }, author: { login: 'ada' } },
      protected: true,
      protection: {
        enabled: true,
        required_status_checks: {
          enforcement_level: 'everyone',
          contexts: ['ci'],
          checks: [{ context: 'ci', app_id: null }],
        },
      },
      protection_url: `${p.pocket.urls.api}/repos/ada/sandbox/branches/main/protection`,
    });
    expect(await refusalOf(repos().getBranch({ ...p.at, branch: 'nope' }))).toEqual({
      status: 404,
      message: 'Branch not found',
    });
  });

  test('with a slash in the name are found', async () => {
    const tip = await pushTo(p, 'feature/x', { files: { a: '1' } });
    expect((await repos().getBranch({ ...p.at, branch: 'feature/x' })).data.commit.sha).toBe(tip);
    const { data } = await repos().listBranchesForHeadCommit({ ...p.at, commit_sha: tip });
    expect(data).toMatchObject([{ name: 'feature/x', commit: { sha: tip }, protected: false }]);
  });
});

describe('merging branches', () => {
  const merge = (head: string, more: Record<string, unknown> = {}, base = 'main') =>
    repos().merge({ ...p.at, base, head, ...more });

  test('makes a merge commit, even where base could be moved forward', async () => {
    const start = tipOf(p, 'main');
    const head = await pushTo(p, 'topic', { files: { a: '1' } });
    const { status, data } = await merge('topic');
    expect([status, data.sha, data.commit.message]).toEqual([201, tipOf(p, 'main'), 'Merge topic into main']);
    expect(data.parents.map(({ sha }) => sha)).toEqual([start, head]);
    expect(data).toMatchObject({ author: { login: 'wren' }, commit: { committer: { name: 'GitHub' } } });
    expect((await merge('topic')).status).toBe(204);
  });

  test('in words of one’s own, of a commit by its id', async () => {
    const head = await pushTo(p, 'topic', { files: { a: '1' } });
    expect((await merge(head, { commit_message: 'Ship it' })).data.commit.message).toBe('Ship it');
  });

  test('that conflict, or are not there, is refused', async () => {
    await pushTo(p, 'topic', { files: { 'README.md': 'one\n' } });
    await pushTo(p, 'main', { files: { 'README.md': 'two\n' } });
    expect(await refusalOf(merge('topic'))).toEqual({ status: 409, message: 'Merge Conflict' });
    expect(await refusalOf(merge('nope'))).toEqual({ status: 404, message: 'Head does not exist' });
    expect(await refusalOf(merge('topic', {}, 'nope'))).toEqual({ status: 404, message: 'Base does not exist' });
  });

  test('into a protected branch is refused', async () => {
    await pushTo(p, 'topic', { files: { a: '1' } });
    protectMain(p, { requireLinearHistory: true });
    expect(await refusalOf(merge('topic'))).toEqual({
      status: 422,
      message: 'This branch must not contain merge commits.',
    });
  });

  test('through GraphQL', async () => {
    const head = await pushTo(p, 'topic', { files: { a: '1' } });
    const client = await p.graphql('wren');
    const { repository } = await client<{ repository: { id: string } }>(
      `{ repository(owner: "ada", name: "sandbox") { id } }`,
    );
    const run = () =>
      client(
        `mutation ($id: ID!) { mergeBranch(input: { repositoryId: $id, base: "main", head: "topic" }) { mergeCommit { parents(last: 1) { nodes { oid } } } } }`,
        { id: repository.id },
      );
    expect(await run()).toEqual({ mergeBranch: { mergeCommit: { parents: { nodes: [{ oid: head }] } } } });
    expect(await errorsOf(run())).toEqual(['UNPROCESSABLE: Failed to merge: "Already merged"']);
  });
});
