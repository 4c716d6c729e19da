import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clone, commit, git, openGitHttpFixture, type GitHttpFixture } from '../support/git-http-fixture.js';

const MERGER = { name: 'Merger', email: 'merger@example.com', at: 1_700_001_000_000 };
const MESSAGE = { message: 'Merge it\n', author: MERGER, committer: MERGER };
const LINES = Array.from({ length: 20 }, (_, number) => `line ${number}\n`).join('');

let fixture: GitHttpFixture;
let ada: string;
let start: string;

beforeEach(async () => {
  fixture = await openGitHttpFixture();
  ada = await clone(fixture, 'ada');
  start = await commit(ada, 'start', { a: LINES, b: 'b\n' });
});

afterEach(() => fixture.close());

/** Two branches from `start`: `main` with one commit, `topic` with the given ones. */
async function diverge(mainFiles: Record<string, string>, ...topicFiles: readonly Record<string, string | null>[]) {
  await git(ada, 'checkout', '--quiet', '-b', 'topic');
  for (const [index, files] of topicFiles.entries()) await commit(ada, `topic ${index}`, files);
  const head = await git(ada, 'rev-parse', 'HEAD');
  await git(ada, 'checkout', '--quiet', 'main');
  const base = await commit(ada, 'on main', mainFiles);
  await git(ada, 'push', '--quiet', 'origin', 'main', 'topic');
  return { base, head };
}

/** What git itself makes of it in a work tree: the tree and the commits, newest first. */
async function truth(base: string, ...command: readonly string[]) {
  await git(ada, 'checkout', '--quiet', '--detach', base);
  await git(ada, ...command);
  return git(ada, 'rev-parse', 'HEAD^{tree}');
}

const edit = (line: string, text: string) => LINES.replace(`${line}\n`, `${text}\n`);

describe('merging two commits', () => {
  test('by merge has both parents and the tree that git merge makes', async () => {
    const { base, head } = await diverge(
      { a: edit('line 1', 'ours') },
      { a: edit('line 18', 'theirs') },
      { c: 'new\n' },
    );
    const oid = await fixture.repository.mergeCommit(base, head, 'merge', MESSAGE);
    expect(await fixture.repository.commit(oid ?? '')).toMatchObject({
      parents: [base, head],
      tree: await truth(base, 'merge', '--quiet', head),
      message: 'Merge it\n',
      author: MERGER,
      committer: MERGER,
    });
    expect(await fixture.repository.mergeTrees(base, head)).toBe(await git(ada, 'rev-parse', 'HEAD^{tree}'));
  });

  test('by squash is one commit on base with the same tree', async () => {
    const { base, head } = await diverge(
      { a: edit('line 1', 'ours') },
      { a: edit('line 18', 'theirs') },
      { c: 'new\n' },
    );
    const oid = await fixture.repository.mergeCommit(base, head, 'squash', MESSAGE);
    expect(await fixture.repository.commit(oid ?? '')).toMatchObject({
      parents: [base],
      tree: await truth(base, 'merge', '--quiet', head),
      author: MERGER,
    });
  });

  test('follows a file that one side renamed', async () => {
    const { base, head } = await diverge({ a: edit('line 1', 'ours') }, { a: null, moved: edit('line 18', 'theirs') });
    const tree = await fixture.repository.mergeTrees(base, head);
    expect(tree).toBe(await truth(base, 'merge', '--quiet', head));
  });

  test('that conflict gives nothing, by any method', async () => {
    const { base, head } = await diverge({ b: 'ours\n' }, { b: 'theirs\n' });
    expect(await fixture.repository.mergeTrees(base, head)).toBeNull();
    for (const method of ['merge', 'squash', 'rebase'] as const) {
      expect(await fixture.repository.mergeCommit(base, head, method, MESSAGE)).toBeNull();
    }
    expect((await fixture.repository.listRefs()).size).toBe(2);
  });

  test('without common history gives nothing', async () => {
    await git(ada, 'checkout', '--quiet', '--orphan', 'alone');
    const alone = await commit(ada, 'alone', { z: 'z\n' });
    await git(ada, 'push', '--quiet', 'origin', `${start}:refs/heads/main`, 'alone');
    expect(await fixture.repository.mergeTrees(start, alone)).toBeNull();
    for (const method of ['merge', 'squash', 'rebase'] as const) {
      expect(await fixture.repository.mergeCommit(start, alone, method, MESSAGE)).toBeNull();
    }
  });
});

describe('merging by rebase', () => {
  const replayed = async (base: string, head: string) => {
    const tip = (await fixture.repository.mergeCommit(base, head, 'rebase', MESSAGE)) ?? '';
    return { tip, commits: await fixture.repository.log(base, tip) };
  };

  test('replays each commit as git rebase does, with its author and message and a new committer', async () => {
    const { base, head } = await diverge(
      { a: edit('line 1', 'ours') },
      { a: edit('line 18', 'one') },
      { b: 'two\n' },
      { b: 'three\n' },
    );
    const { commits } = await replayed(base, head);
    await truth(head, 'rebase', '--quiet', base);
    const trees = (await git(ada, 'log', '--format=%T', `${base}..HEAD`)).split('\n');
    expect(commits.map(({ tree }) => tree)).toEqual(trees);
    expect(commits.map(({ message }) => message)).toEqual(['topic 2\n', 'topic 1\n', 'topic 0\n']);
    for (const { author, committer } of commits) {
      expect(author).toEqual({ name: 'Ada', email: 'ada@example.com', at: 1_700_000_000_000, zone: '+0200' });
      expect(committer).toEqual({ ...MERGER, zone: '+0000' });
    }
  });

  test('stops at a commit that conflicts on the way, even if the end would not', async () => {
    const { base, head } = await diverge({ b: 'ours\n' }, { b: 'theirs\n' }, { b: 'ours\n' });
    expect(await fixture.repository.mergeTrees(base, head)).not.toBeNull();
    expect(await fixture.repository.mergeCommit(base, head, 'rebase', MESSAGE)).toBeNull();
  });

  test('drops what is already there and keeps what was empty on purpose', async () => {
    const { base, head } = await diverge({ b: 'same\n' }, { b: 'same\n' }, {}, { c: 'new\n' });
    const { commits } = await replayed(base, head);
    expect(commits.map(({ message }) => message)).toEqual(['topic 2\n', 'topic 1\n']);
  });

  test('leaves merges out and takes what they brought', async () => {
    await git(ada, 'checkout', '--quiet', '-b', 'side');
    await commit(ada, 'side', { side: '1\n' });
    await git(ada, 'checkout', '--quiet', '-b', 'topic', start);
    await commit(ada, 'topic', { topic: '1\n' });
    await git(ada, 'merge', '--quiet', '--no-ff', '--no-commit', 'side');
    const head = await commit(ada, 'merge', { 'only in the merge': '1\n' });
    await git(ada, 'checkout', '--quiet', 'main');
    const base = await commit(ada, 'on main', { main: '1\n' });
    await git(ada, 'push', '--quiet', 'origin', 'main', 'topic');
    const { tip, commits } = await replayed(base, head);
    expect(commits.map(({ message }) => message).toSorted()).toEqual(['side\n', 'topic\n']);
    expect((await fixture.repository.commit(tip))?.tree).toBe(await truth(head, 'rebase', '--quiet', base));
  });

  test('writes new commits even where none would be needed, and no ref', async () => {
    await git(ada, 'checkout', '--quiet', '-b', 'topic');
    const head = await commit(ada, 'ahead', { c: '1\n' });
    await git(ada, 'push', '--quiet', 'origin', 'main', 'topic');
    const { tip, commits } = await replayed(start, head);
    expect(tip).not.toBe(head);
    expect(commits[0]?.parents).toEqual([start]);
    expect(await git(join(fixture.repository.path), 'for-each-ref', '--format=%(objectname)')).not.toContain(tip);
  });
});
