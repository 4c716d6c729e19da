import { describe, expect, test } from '@jest/globals';
import { seedRepository } from '../../src/seed/seed-repository.js';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const repos = () => p.rest('rita').rest.repos;
const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

describe('the history', () => {
  const list = async (more: Record<string, unknown> = {}) =>
    (await repos().listCommits({ ...p.at, ...more })).data.map(({ sha }) => sha);

  test('is newest first, of the default branch or of any other', async () => {
    const start = tipOf(p, 'main');
    p.clock.advance(1000);
    const topic = await pushTo(p, 'topic', { files: { a: '1' } });
    p.clock.advance(1000);
    const main = await pushTo(p, 'main', { files: { b: '1' } });
    expect(await list()).toEqual([main, start]);
    expect(await list({ sha: 'topic' })).toEqual([topic, start]);
    expect(await list({ sha: topic.slice(0, 8), per_page: 1, page: 2 })).toEqual([start]);
    expect(await refusalOf(repos().listCommits({ ...p.at, sha: 'nope' }))).toEqual({
      status: 404,
      message: 'Not Found',
    });
  });

  test('is narrowed by path, author and time', async () => {
    const start = tipOf(p, 'main');
    p.clock.advance(60_000);
    const docs = await pushTo(p, 'main', { files: { 'docs/a.md': '1' }, by: 'ada' });
    const between = p.clock.now();
    p.clock.advance(60_000);
    const code = await pushTo(p, 'main', { files: { 'src/a.ts': '1' }, by: 'wren' });
    expect(await list({ path: 'docs' })).toEqual([docs]);
    expect(await list({ path: 'README.md' })).toEqual([start]);
    expect(await list({ author: 'ada' })).toEqual([docs, start]);
    expect(await list({ author: p.users.wren.email })).toEqual([code]);
    expect(await list({ author: 'nobody' })).toEqual([]);
    expect(await list({ committer: 'wren' })).toEqual([code]);
    expect(await list({ since: iso(between) })).toEqual([code, docs]);
    expect(await list({ until: iso(between) })).toEqual([docs, start]);
  });

  test('of an empty repository is a conflict', async () => {
    await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'empty' });
    expect(await refusalOf(repos().listCommits({ owner: 'ada', repo: 'empty' }))).toEqual({
      status: 409,
      message: 'Git Repository is empty.',
    });
  });
});

describe('one commit', () => {
  test('shows who made it and what it changed', async () => {
    const sha = await pushTo(p, 'main', {
      files: { 'README.md': '# Sandbox\n\nMore.\n', 'a.txt': 'a\n', 'test.sh': null },
      message: 'Change three\n\nFor a reason.',
    });
    const { data } = await repos().getCommit({ ...p.at, ref: 'main' });
    expect(data).toMatchObject({
      sha,
      commit: { message: 'Change three\n\nFor a reason.', author: { name: 'wren', date: iso(p.clock.now()) } },
      author: { login: 'wren' },
      html_url: `${p.pocket.urls.html}/ada/sandbox/commit/${sha}`,
      stats: { total: 5, additions: 3, deletions: 2 },
    });
    expect(data.files?.map(({ filename, status, changes }) => [filename, status, changes])).toEqual([
      ['README.md', 'modified', 2],
      ['a.txt', 'added', 1],
      ['test.sh', 'removed', 2],
    ]);
    expect(data.files?.[0]).toMatchObject({ patch: '@@ -1 +1,3 @@\n # Sandbox\n+\n+More.', additions: 2 });
  });

  test('is had as diff, patch or bare id', async () => {
    const sha = await pushTo(p, 'main', { files: { 'a.txt': 'a\n' }, message: 'Add a' });
    const as = async (format: string, ref = sha) =>
      (await repos().getCommit({ ...p.at, ref, mediaType: { format } })).data as unknown as string;
    expect(await as('diff')).toMatch(/^diff --git a\/a\.txt b\/a\.txt\nnew file mode 100644\n/);
    expect(await as('patch')).toMatch(
      new RegExp(`^From ${sha} .*\nFrom: wren .*\nDate: .*\nSubject: \\[PATCH\\] Add a\n`),
    );
    expect(await as('sha', 'main')).toBe(sha);
    const first = (await repos().listCommits({ ...p.at, per_page: 1, page: 2 })).data[0]?.sha ?? '';
    expect(await as('diff', first)).toContain('+# Sandbox');
    expect(await as('patch', first)).toContain('Subject: [PATCH] Initial commit');
  });

  test('has a page of files at a time', async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}.txt`, 'x\n']));
    await pushTo(p, 'main', { files });
    const { data, headers } = await repos().getCommit({ ...p.at, ref: 'main', per_page: 2, page: 2 });
    expect(data.files?.map(({ filename }) => filename)).toEqual(['f2.txt', 'f3.txt']);
    expect(headers.link).toContain('page=3>; rel="next"');
  });

  test('that is not there is refused by its name', async () => {
    expect(await refusalOf(repos().getCommit({ ...p.at, ref: 'nope' }))).toEqual({
      status: 422,
      message: 'No commit found for SHA: nope',
    });
  });
});

describe('comparing', () => {
  const compare = async (basehead: string, more: Record<string, unknown> = {}) =>
    (await repos().compareCommitsWithBasehead({ ...p.at, basehead, ...more })).data;

  test('two branches from where they parted', async () => {
    const start = tipOf(p, 'main');
    const one = await pushTo(p, 'feature/x', { files: { 'a.txt': '1\n' } });
    const two = await pushTo(p, 'feature/x', { files: { 'a.txt': '1\n2\n' } });
    const main = await pushTo(p, 'main', { files: { 'b.txt': '1\n' } });
    const data = await compare('main...feature/x');
    expect(data).toMatchObject({
      status: 'diverged',
      ahead_by: 2,
      behind_by: 1,
      total_commits: 2,
      base_commit: { sha: main },
      merge_base_commit: { sha: start },
      files: [{ filename: 'a.txt', status: 'added', additions: 2 }],
    });
    expect(data.commits.map(({ sha }) => sha)).toEqual([one, two]);
    expect(await compare(`${start}...ada:feature/x`)).toMatchObject({ status: 'ahead', behind_by: 0 });
    expect(await compare(`feature/x...${start}`)).toMatchObject({ status: 'behind', ahead_by: 0, files: [] });
    expect(await compare('main...main')).toMatchObject({ status: 'identical', commits: [] });
  });

  test('as diff and patch', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': '1\n' }, message: 'One' });
    await pushTo(p, 'main', { files: { 'b.txt': '1\n' } });
    const as = async (format: string) =>
      (await compare('main...topic', { mediaType: { format } })) as unknown as string;
    const diff = await as('diff');
    expect([diff.includes('a/a.txt'), diff.includes('b.txt')]).toEqual([true, false]);
    expect(await as('patch')).toContain('Subject: [PATCH] One');
  });

  test('a page at a time, files only with the first', async () => {
    for (const n of ['1', '2', '3']) await pushTo(p, 'topic', { files: { [n]: n } });
    const second = await compare('main...topic', { per_page: 2, page: 2 });
    expect([second.commits.length, second.total_commits, second.files]).toEqual([1, 3, []]);
    expect((await compare('main...topic', { per_page: 2 })).files).toHaveLength(3);
  });

  test('what is not there, or has nothing in common', async () => {
    expect(await refusalOf(compare('main...nope'))).toEqual({ status: 404, message: 'Not Found' });
    const git = p.rest('wren').rest.git;
    const { data } = await git.getCommit({ ...p.at, commit_sha: tipOf(p, 'main') });
    const orphan = await git.createCommit({ ...p.at, message: 'Alone', tree: data.tree.sha });
    await git.createRef({ ...p.at, ref: 'refs/heads/orphan', sha: orphan.data.sha });
    expect(await refusalOf(compare('main...orphan'))).toEqual({
      status: 404,
      message: 'No common ancestor between main and orphan.',
    });
  });
});
