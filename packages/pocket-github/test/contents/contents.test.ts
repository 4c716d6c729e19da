import { describe, expect, test } from '@jest/globals';
import { seedRepository } from '../../src/seed/seed-repository.js';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { appWithPermissions, personWithScopes } from '../support/limited-tokens.js';
import type { TestPocket } from '../support/test-pocket.js';
import { addRuleset, protectMain } from '../support/branch-protection.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const repos = () => p.rest('wren').rest.repos;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const get = async (path: string, more: Record<string, unknown> = {}) =>
  (await p.rest('rita').rest.repos.getContent({ ...p.at, path, ...more })).data;

interface File {
  readonly content: string;
  readonly sha: string;
}
const textOf = async (path: string, ref = 'main') =>
  Buffer.from(((await get(path, { ref })) as File).content, 'base64').toString();

describe('reading', () => {
  test('a file with its content in folded Base64', async () => {
    await pushTo(p, 'main', { files: { 'docs/long.txt': 'x'.repeat(100) } });
    const name = `${p.pocket.urls.html}/ada/sandbox`;
    expect(await get('docs/long.txt')).toEqual({
      type: 'file',
      encoding: 'base64',
      size: 100,
      name: 'long.txt',
      path: 'docs/long.txt',
      content: base64('x'.repeat(100)).replaceAll(/.{1,60}/g, '$&\n'),
      sha: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
      url: `${p.pocket.urls.api}/repos/ada/sandbox/contents/docs/long.txt?ref=main`,
      git_url: expect.stringContaining('/git/blobs/') as unknown,
      html_url: `${name}/blob/main/docs/long.txt`,
      download_url: `${name}/raw/main/docs/long.txt`,
      _links: expect.objectContaining({ html: `${name}/blob/main/docs/long.txt` }) as unknown,
    });
  });

  test('a directory, and the root of all', async () => {
    await pushTo(p, 'main', { files: { 'docs/a.md': 'a', 'docs/deep/b.md': 'b' } });
    const listed = async (path: string) =>
      ((await get(path)) as { path: string; type: string }[]).map((one) => [one.path, one.type]);
    expect(await listed('docs')).toEqual([
      ['docs/a.md', 'file'],
      ['docs/deep', 'dir'],
    ]);
    expect(await listed('')).toEqual([
      ['README.md', 'file'],
      ['docs', 'dir'],
      ['package.json', 'file'],
      ['test.sh', 'file'],
    ]);
    expect(await get('docs', { mediaType: { format: 'object' } })).toMatchObject({
      type: 'dir',
      path: 'docs',
      entries: [{ name: 'a.md' }, { name: 'deep' }],
    });
  });

  test('the raw file, at a branch, a tag or a commit', async () => {
    const start = tipOf(p, 'main');
    await pushTo(p, 'topic', { files: { 'README.md': '# Topic\n' } });
    const raw = (ref: string) => get('README.md', { ref, mediaType: { format: 'raw' } });
    expect(await raw('topic')).toBe('# Topic\n');
    expect(await raw('refs/heads/topic')).toBe('# Topic\n');
    expect(await raw(start)).toBe('# Sandbox\n');
    expect(await raw(start.slice(0, 8))).toBe('# Sandbox\n');
  });

  test('a large file leaves its content to the raw media type', async () => {
    const text = 'y'.repeat(1024 * 1024 + 1);
    await pushTo(p, 'main', { files: { 'big.txt': text } });
    expect(await get('big.txt')).toMatchObject({ size: text.length, content: '', encoding: 'none' });
    expect(await get('big.txt', { mediaType: { format: 'raw' } })).toBe(text);
  });

  test('what is not there is not found', async () => {
    expect(await refusalOf(get('nope.md'))).toEqual({ status: 404, message: 'Not Found' });
    expect(await refusalOf(get('README.md', { ref: 'nope' }))).toEqual({
      status: 404,
      message: 'No commit found for the ref nope',
    });
  });

  test('the README', async () => {
    const readme = async () => (await p.rest('rita').rest.repos.getReadme(p.at)).data;
    expect(await readme()).toMatchObject({ path: 'README.md', content: `${base64('# Sandbox\n')}\n` });
    await pushTo(p, 'main', { files: { '.github/readme.md': 'inner\n' } });
    expect((await readme()).path).toBe('.github/readme.md');
  });
});

describe('writing', () => {
  const put = (path: string, text: string, more: Record<string, unknown> = {}) =>
    repos().createOrUpdateFileContents({ ...p.at, path, message: `Write ${path}`, content: base64(text), ...more });
  const shaOf = async (path: string, ref = 'main') => ((await get(path, { ref })) as File).sha;

  test('creates, updates and deletes, each by a commit of the caller', async () => {
    const start = tipOf(p, 'main');
    const created = await put('docs/new.md', 'one\n');
    expect(created.status).toBe(201);
    expect(created.data).toMatchObject({
      content: { path: 'docs/new.md', sha: await shaOf('docs/new.md') },
      commit: {
        sha: tipOf(p, 'main'),
        message: 'Write docs/new.md',
        parents: [{ sha: start }],
        author: { name: 'wren', email: p.users.wren.email },
        committer: { name: 'wren' },
      },
    });
    const updated = await put('docs/new.md', 'two\n', { sha: await shaOf('docs/new.md') });
    expect([updated.status, await textOf('docs/new.md')]).toEqual([200, 'two\n']);
    const gone = await repos().deleteFile({
      ...p.at,
      path: 'docs/new.md',
      message: 'Away',
      sha: await shaOf('docs/new.md'),
    });
    expect(gone.data).toMatchObject({ content: null, commit: { message: 'Away' } });
    expect((await refusalOf(get('docs'))).status).toBe(404);
    expect((await p.deliveries()).filter(({ event }) => event === 'push')).toHaveLength(3);
  });

  test('an executable file stays executable', async () => {
    await put('test.sh', '#!/bin/sh\nexit 1\n', { sha: await shaOf('test.sh') });
    expect(await p.pocket.world.git(p.repository.id).entryAt(tipOf(p, 'main'), 'test.sh')).toMatchObject({
      mode: '100755',
    });
  });

  test('on another branch, by somebody else, at another time', async () => {
    await pushTo(p, 'topic', { files: { a: '1' } });
    const author = { name: 'Grace', email: 'grace@example.com', date: '2020-02-03T04:05:06Z' };
    const { data } = await put('b', '2', { branch: 'topic', author });
    expect(data.commit).toMatchObject({ author, committer: { name: 'wren' } });
    expect(tipOf(p, 'topic')).toBe(data.commit.sha);
    expect((await refusalOf(get('b'))).status).toBe(404);
  });

  test('the first file of an empty repository makes its branch', async () => {
    const empty = await seedRepository(p.pocket.world, { owner: p.users.wren, name: 'empty' });
    const at = { owner: 'wren', repo: empty.name };
    expect(await refusalOf(repos().getContent({ ...at, path: '' }))).toEqual({
      status: 404,
      message: 'This repository is empty.',
    });
    const file = { ...at, path: 'README.md', message: 'First', content: base64('hello\n') };
    const { status, data } = await repos().createOrUpdateFileContents(file);
    expect([status, data.commit.parents]).toEqual([201, []]);
    expect((await repos().getBranch({ ...at, branch: 'main' })).data.commit.sha).toBe(data.commit.sha);
  });

  test('over a file that was not shown, or has changed, is refused', async () => {
    const sha = await shaOf('README.md');
    expect(await refusalOf(put('README.md', 'x'))).toEqual({
      status: 422,
      message: 'Invalid request.\n\n"sha" wasn\'t supplied.',
    });
    await put('README.md', 'newer', { sha });
    expect(await refusalOf(put('README.md', 'x', { sha }))).toEqual({
      status: 409,
      message: `README.md does not match ${sha}`,
    });
    expect(await refusalOf(repos().deleteFile({ ...p.at, path: 'README.md', message: 'm', sha }))).toEqual({
      status: 409,
      message: `README.md does not match ${sha}`,
    });
  });

  test.each([
    ['to a branch that is not there', 'a', { branch: 'nope' }, 404, 'Branch nope not found'],
    ['of what is not Base64', 'a', { content: '!' }, 422, 'content is not valid Base64'],
    ['outside the repository', 'a/../b', {}, 422, 'path contains a malformed path component'],
  ])('%s is refused', async (_, path, more, status, message) => {
    expect(await refusalOf(put(path, 'x', more))).toEqual({ status, message });
  });

  test('readers may not', async () => {
    const file = { ...p.at, path: 'a', message: 'm', content: base64('x') };
    expect((await refusalOf(p.rest('rita').rest.repos.createOrUpdateFileContents(file))).status).toBe(403);
  });

  describe('where a branch is protected', () => {
    test('says which rules stand in the way, and leaves the branch', async () => {
      const start = tipOf(p, 'main');
      protectMain(p, { requirePullRequest: true });
      expect(await refusalOf(put('a', 'x'))).toEqual({
        status: 409,
        message: 'Could not create file: Changes must be made through a pull request.',
      });
      expect(await refusalOf(put('README.md', 'x', { sha: await shaOf('README.md') }))).toMatchObject({
        message: 'Could not update file: Changes must be made through a pull request.',
      });
      expect(tipOf(p, 'main')).toBe(start);
    });

    test('by a ruleset, in its words', async () => {
      addRuleset(p, ['~DEFAULT_BRANCH'], { requirePullRequest: true });
      expect(await refusalOf(put('a', 'x'))).toEqual({
        status: 409,
        message: 'Repository rule violations found\n\nChanges must be made through a pull request.\n\n',
      });
    });
  });

  describe('a workflow', () => {
    const workflow = () => ({ ...p.at, path: '.github/workflows/ci.yml', message: 'm', content: base64('on: push\n') });

    test('takes its own permission of an App', async () => {
      const without = await appWithPermissions(p, { contents: 'write' });
      expect(await refusalOf(without.rest.repos.createOrUpdateFileContents(workflow()))).toEqual({
        status: 403,
        message: 'Resource not accessible by integration',
      });
      const app = await appWithPermissions(p, { contents: 'write', workflows: 'write' });
      expect((await app.rest.repos.createOrUpdateFileContents(workflow())).status).toBe(201);
    });

    test('takes its own scope of a token, which otherwise finds nothing', async () => {
      const without = personWithScopes(p, 'wren', ['repo']);
      expect((await refusalOf(without.rest.repos.createOrUpdateFileContents(workflow()))).status).toBe(404);
      expect((await repos().createOrUpdateFileContents(workflow())).status).toBe(201);
    });
  });
});
