import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { appWithPermissions } from '../support/limited-tokens.js';
import type { TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const NOWHERE = 'f'.repeat(40);
const git = () => p.rest('wren').rest.git;
const treeOf = async (commit: string) => (await git().getCommit({ ...p.at, commit_sha: commit })).data.tree.sha;

test('a change made of blobs, a tree, a commit and a ref lands on a branch', async () => {
  const base = tipOf(p, 'main');
  const blob = await git().createBlob({
    ...p.at,
    content: Buffer.from('binary\0').toString('base64'),
    encoding: 'base64',
  });
  const tree = await git().createTree({
    ...p.at,
    base_tree: await treeOf(base),
    tree: [
      { path: 'data/raw.bin', mode: '100644', type: 'blob', sha: blob.data.sha },
      { path: 'run.sh', mode: '100755', type: 'blob', content: '#!/bin/sh\n' },
      { path: 'package.json', mode: '100644', type: 'blob', sha: null },
    ],
  });
  expect(tree.data.tree.map(({ path, mode, type }) => [path, mode, type])).toEqual([
    ['README.md', '100644', 'blob'],
    ['data', '040000', 'tree'],
    ['run.sh', '100755', 'blob'],
    ['test.sh', '100755', 'blob'],
  ]);
  const author = { name: 'Grace', email: 'grace@example.com', date: '2020-02-03T04:05:06Z' };
  const commit = await git().createCommit({
    ...p.at,
    message: 'Change it',
    tree: tree.data.sha,
    parents: [base],
    author,
  });
  expect(commit.status).toBe(201);
  expect(commit.data).toMatchObject({
    message: 'Change it',
    tree: { sha: tree.data.sha },
    parents: [{ sha: base }],
    author,
    committer: author,
    verification: { verified: false, reason: 'unsigned' },
  });
  expect((await git().getCommit({ ...p.at, commit_sha: commit.data.sha })).data).toEqual(commit.data);
  await git().updateRef({ ...p.at, ref: 'heads/main', sha: commit.data.sha });
  expect(tipOf(p, 'main')).toBe(commit.data.sha);
  expect((await p.deliveries()).find(({ event }) => event === 'push')?.payload).toMatchObject({
    commits: [{ added: ['data/raw.bin', 'run.sh'], removed: ['package.json'], modified: [] }],
  });
});

describe('trees', () => {
  test('all at once, by commit, branch or tree', async () => {
    const oid = await pushTo(p, 'feature/x', { files: { 'a/b/c.txt': 'c\n' } });
    for (const tree_sha of [oid, 'feature/x', await treeOf(oid)]) {
      const { data } = await git().getTree({ ...p.at, tree_sha, recursive: '1' });
      expect(data.tree.map(({ path }) => path)).toEqual([
        'README.md',
        'a',
        'a/b',
        'a/b/c.txt',
        'package.json',
        'test.sh',
      ]);
      expect(data).toMatchObject({ truncated: false, tree: { 3: { size: 2, type: 'blob' } } });
    }
    const { data } = await git().getTree({ ...p.at, tree_sha: oid });
    expect(data.tree.map(({ path }) => path)).toEqual(['README.md', 'a', 'package.json', 'test.sh']);
  });

  test('a path that is not there cannot be removed', async () => {
    const tree = [{ path: 'nope', mode: '100644' as const, type: 'blob' as const, sha: null }];
    const request = git().createTree({ ...p.at, base_tree: await treeOf(tipOf(p, 'main')), tree });
    expect(await refusalOf(request)).toEqual({ status: 422, message: 'GitRPC::BadObjectState' });
  });

  test.each(['.Git/config', '../up', 'a\0b', `a\u0000100644 blob ${'e'.repeat(40)}\tsmuggled`, 'half \ud800'])(
    'no entry can be called %j',
    async (path) => {
      const tree = [{ path, mode: '100644' as const, type: 'blob' as const, content: 'x' }];
      const refused = { status: 422, message: 'tree.path contains a malformed path component' };
      expect(await refusalOf(git().createTree({ ...p.at, tree }))).toEqual(refused);
    },
  );

  test('a workflow takes its own permission', async () => {
    const app = await appWithPermissions(p, { contents: 'write' });
    const tree = [{ path: '.github/workflows/ci.yml', mode: '100644' as const, content: 'on: push\n' }];
    expect((await refusalOf(app.rest.git.createTree({ ...p.at, tree }))).status).toBe(403);
    // Hidden in a tree that somebody else wrote, it is found when the ref is to move.
    const { data } = await git().createTree({ ...p.at, base_tree: tipOf(p, 'main'), tree });
    const commit = await app.rest.git.createCommit({
      ...p.at,
      message: 'm',
      tree: data.sha,
      parents: [tipOf(p, 'main')],
    });
    const move = app.rest.git.createRef({ ...p.at, ref: 'refs/heads/sly', sha: commit.data.sha });
    expect(await refusalOf(move)).toEqual({
      status: 422,
      message:
        'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
    });
  });
});

describe('blobs', () => {
  test('come back as Base64 or raw', async () => {
    const { data } = await git().createBlob({ ...p.at, content: 'héllo\n' });
    const read = (mediaType: Record<string, string> = {}) => git().getBlob({ ...p.at, file_sha: data.sha, mediaType });
    expect((await read()).data).toMatchObject({ size: 7, encoding: 'base64', content: 'aMOpbGxvCg==\n' });
    expect((await read({ format: 'raw' })).data).toBe('héllo\n');
  });

  test('that are not there are not found', async () => {
    expect((await refusalOf(git().getBlob({ ...p.at, file_sha: NOWHERE }))).status).toBe(404);
  });
});

describe('commits', () => {
  test('without an author are the caller’s', async () => {
    const tree = await treeOf(tipOf(p, 'main'));
    const { data } = await p.rest('app').rest.git.createCommit({ ...p.at, message: 'Same again', tree });
    const bot = { name: 'sluice-dev[bot]', date: new Date(p.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z') };
    expect(data).toMatchObject({ author: bot, committer: bot, parents: [] });
  });

  test.each([
    [{ message: 'a\0b' }, 'message contains a NUL character'],
    [{ author: { name: ' <>. ', email: 'x@example.com' } }, 'author.name is missing'],
    [{ committer: { name: '', email: '' }, author: { name: 'a', email: 'b' } }, 'committer.name is missing'],
    [{ author: { name: 'a\0', email: 'x@example.com' } }, 'author contains a NUL character'],
    [{ author: { name: 'a', email: 'x@example.com', date: '0001-01-01T00:00:00Z' } }, 'author.date is before 1970'],
  ])('that git would not store are refused: %j', async (change, message) => {
    const tree = await treeOf(tipOf(p, 'main'));
    expect(await refusalOf(git().createCommit({ ...p.at, message: 'm', tree, ...change }))).toEqual({
      status: 422,
      message,
    });
  });

  test('of trees and parents that are not there are refused', async () => {
    const tree = await treeOf(tipOf(p, 'main'));
    expect(await refusalOf(git().createCommit({ ...p.at, message: 'm', tree: NOWHERE }))).toEqual({
      status: 422,
      message: 'Tree SHA does not exist',
    });
    expect(await refusalOf(git().createCommit({ ...p.at, message: 'm', tree, parents: [tree] }))).toEqual({
      status: 422,
      message: 'Parent SHA does not exist or is not a commit object',
    });
  });
});

test('a tag object names its target and tagger, and is read back by REST and GraphQL', async () => {
  const object = tipOf(p, 'main');
  const tagger = { name: 'Grace', email: 'grace@example.com', date: '2020-02-03T04:05:06Z' };
  const { data } = await git().createTag({
    ...p.at,
    tag: 'v1',
    message: 'One\n\nMore',
    object,
    type: 'commit',
    tagger,
  });
  expect(data).toMatchObject({ tag: 'v1', message: 'One\n\nMore', tagger, object: { sha: object, type: 'commit' } });
  await git().createRef({ ...p.at, ref: 'refs/tags/v1', sha: data.sha });
  expect((await git().getTag({ ...p.at, tag_sha: data.sha })).data).toEqual(data);
  const client = await p.graphql('rita');
  expect(
    await client(`{ repository(owner: "ada", name: "sandbox") {
      ref(qualifiedName: "v1") { target { __typename ... on Tag { name message tagger { name date } target { oid } } } }
      object(expression: "v1^{commit}") { oid }
    } }`),
  ).toEqual({
    repository: {
      ref: {
        target: {
          __typename: 'Tag',
          name: 'v1',
          message: 'One\n\nMore',
          tagger: { name: 'Grace', date: '2020-02-03T04:05:06Z' },
          target: { oid: object },
        },
      },
      object: { oid: object },
    },
  });
});
