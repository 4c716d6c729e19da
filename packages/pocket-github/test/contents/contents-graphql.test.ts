import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { appWithPermissions } from '../support/limited-tokens.js';
import type { TestPocket } from '../support/test-pocket.js';
import { addRuleset, protectMain } from '../support/branch-protection.js';
import { errorsOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const COMMIT = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) {
    commit {
      oid message messageHeadline messageBody
      author { name user { login } }
      committer { name email user { login } }
      parents(first: 2) { nodes { oid } }
      committedViaWeb
    }
    ref { name target { oid } }
  }
}`;

const base64 = (text: string) => Buffer.from(text).toString('base64');

function input(more: Record<string, unknown> = {}) {
  return {
    branch: { repositoryNameWithOwner: 'ada/sandbox', branchName: 'main' },
    expectedHeadOid: tipOf(p, 'main'),
    message: { headline: 'Change files', body: 'All of them.' },
    fileChanges: {
      additions: [
        { path: 'src/a.txt', contents: base64('a\n') },
        { path: 'test.sh', contents: base64('#!/bin/sh\ntrue\n') },
      ],
      deletions: [{ path: 'package.json' }],
    },
    ...more,
  };
}

async function commit(given: Record<string, unknown> = input(), who: 'wren' | 'rita' | 'app' = 'wren') {
  return (await p.graphql(who))<{ createCommitOnBranch: { commit: { oid: string } } }>(COMMIT, { input: given });
}

const files = async (oid: string) => {
  const git = p.pocket.world.git(p.repository.id);
  const paths = ['README.md', 'package.json', 'src/a.txt', 'test.sh'];
  const entries = await Promise.all(paths.map((path) => git.entryAt(oid, path)));
  return entries.flatMap((entry) => (entry === null ? [] : [`${entry.path} ${entry.mode}`]));
};

describe('createCommitOnBranch', () => {
  test('adds, changes and deletes files in one commit by the caller, committed by GitHub', async () => {
    const head = tipOf(p, 'main');
    const answer = await commit();
    const { oid } = answer.createCommitOnBranch.commit;
    expect(answer).toEqual({
      createCommitOnBranch: {
        commit: {
          oid,
          message: 'Change files\n\nAll of them.',
          messageHeadline: 'Change files',
          messageBody: 'All of them.',
          author: { name: 'wren', user: { login: 'wren' } },
          committer: { name: 'GitHub', email: 'noreply@github.com', user: null },
          parents: { nodes: [{ oid: head }] },
          committedViaWeb: true,
        },
        ref: { name: 'main', target: { oid } },
      },
    });
    expect(tipOf(p, 'main')).toBe(oid);
    expect(await files(oid)).toEqual(['README.md 100644', 'src/a.txt 100644', 'test.sh 100755']);
  });

  test('by the App, on a branch given by its id', async () => {
    const expectedHeadOid = await pushTo(p, 'topic', { files: { b: '1' } });
    const client = await p.graphql('app');
    const { repository } = await client<{ repository: { ref: { id: string } } }>(
      `{ repository(owner: "ada", name: "sandbox") { ref(qualifiedName: "topic") { id } } }`,
    );
    const answer = await commit(input({ branch: { id: repository.ref.id }, expectedHeadOid }), 'app');
    expect(answer).toMatchObject({
      createCommitOnBranch: { commit: { author: { name: 'sluice-dev[bot]' } }, ref: { name: 'topic' } },
    });
  });

  test('a branch that has moved on is refused as stale', async () => {
    const expectedHeadOid = tipOf(p, 'main');
    const newer = await pushTo(p, 'main', { files: { b: '1' } });
    expect(await errorsOf(commit(input({ expectedHeadOid })))).toEqual([
      `STALE_DATA: Expected branch to point to "${expectedHeadOid}" but it did not.  Pull and try again.`,
    ]);
    expect(tipOf(p, 'main')).toBe(newer);
  });

  test('of two at once only one wins', async () => {
    const outcomes = await Promise.allSettled([commit(), commit(input({ message: { headline: 'Another' } }))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a path that is not there cannot be deleted', async () => {
    const head = tipOf(p, 'main');
    expect(await errorsOf(commit(input({ fileChanges: { deletions: [{ path: 'nope' }] } })))).toEqual([
      `NOT_FOUND: A path was requested for deletion which does not exist as of commit oid \`${head}\``,
    ]);
    expect(tipOf(p, 'main')).toBe(head);
  });

  test('classic protection has its own error type, rulesets have not', async () => {
    protectMain(p, { requirePullRequest: true });
    expect(await errorsOf(commit())).toEqual([
      "BRANCH_PROTECTION_RULE_VIOLATION: protected branch 'main' check failed:\n  Changes must be made through a pull request.",
    ]);
    for (const { id } of p.pocket.world.tables.protections.all()) p.pocket.world.tables.protections.delete(id);
    addRuleset(p, ['refs/heads/main'], { requirePullRequest: true });
    expect(await errorsOf(commit())).toEqual([
      'UNPROCESSABLE: Repository rule violations found\n\nChanges must be made through a pull request.\n\n',
    ]);
  });

  test('workflows take their own permission', async () => {
    const client = await appWithPermissions(p, { contents: 'write' });
    const fileChanges = { additions: [{ path: '.github/workflows/ci.yml', contents: base64('on: push\n') }] };
    const request = client.graphql(COMMIT, { input: input({ fileChanges }) });
    await expect(request).rejects.toThrow(
      'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
    );
  });

  test('unknown branches and repositories, and readers, are refused', async () => {
    const on = (repositoryNameWithOwner: string, branchName: string) =>
      errorsOf(commit(input({ branch: { repositoryNameWithOwner, branchName } })));
    expect(await on('ada/nope', 'main')).toEqual([
      "NOT_FOUND: Could not resolve to a Repository with the name 'ada/nope'.",
    ]);
    expect((await on('ada/sandbox', 'nope'))[0]).toMatch(/^NOT_FOUND/);
    expect(await errorsOf(commit(input(), 'rita'))).toEqual(['FORBIDDEN: Must have push access to repository']);
  });
});
