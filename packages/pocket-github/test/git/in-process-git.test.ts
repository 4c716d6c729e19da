import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBareRepository, openBareRepository } from '../../src/git/bare-repository.js';
import type { GitRepository } from '../../src/git/git-repository.js';
import { commitFiles } from '../../src/git/seed-commits.js';
import { answerInProcess } from '../support/in-process-git.js';
import { git } from '../support/git-http-fixture.js';

/* A quickened repository answers as git does: the same repository is asked both ways. */

const START = 1_700_000_000_000;
const person = (minute: number) => ({ name: 'Ada', email: 'ada@example.com', at: START + minute * 60_000 });

let folder: string;
let quick: GitRepository;
let plain: GitRepository;
/** Root, a side branch, main going on, a merge of both, one more, and a root of its own. */
let commits: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quick-git-'));
  const path = join(folder, 'r.git');
  quick = await createBareRepository(path, { defaultBranch: 'main' });
  plain = await openBareRepository(path);
  answerInProcess(quick);
  const commit = (parent: string | null, minute: number, files: Record<string, string | null>) =>
    commitFiles(quick, { parent, files, message: `At ${minute}`, author: person(minute) });
  const root = await commit(null, 0, { 'a.txt': 'a\n', 'deep/b.txt': 'b\n', 'deep.txt': 'd\n' });
  const side = await commit(root, 3, { 'side.txt': 's\n' });
  const main = await commit(root, 2, { 'a.txt': 'A\n', 'deep/b.txt': null });
  const tree = (await quick.mergeTrees(main, side)) ?? '';
  const author = person(5);
  const merge = await quick.writeCommit({ tree, parents: [main, side], message: 'Merge', author, committer: author });
  const last = await commit(merge, 6, { 'a.txt': 'AA\n' });
  commits = [root, side, main, merge, last, await commit(null, 4, { 'x.txt': 'x\n' })];
});

afterAll(async () => {
  await Promise.all([quick.close(), plain.close()]);
  await rm(folder, { recursive: true, force: true });
});

describe('without a process', () => {
  test('what is written is sound in the eyes of git', async () => {
    expect(await git(quick.path, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  test('histories are the same, in the same order', async () => {
    for (const a of commits) {
      expect(await quick.log(null, a)).toEqual(await plain.log(null, a));
      for (const b of commits) {
        expect(await quick.isAncestor(a, b)).toBe(await plain.isAncestor(a, b));
        expect(await quick.log(a, b)).toEqual(await plain.log(a, b));
        expect(await quick.log(null, b, { not: [a], limit: 2 })).toEqual(
          await plain.log(null, b, { not: [a], limit: 2 }),
        );
      }
    }
  });

  test('touched paths are the same', async () => {
    const all = await Promise.all(commits.map((oid) => quick.commit(oid)));
    const known = all.flatMap((commit) => commit ?? []);
    expect(await quick.touchedPaths(known)).toEqual(await plain.touchedPaths(known));
  });

  test('merges are the same, also those it leaves to git', async () => {
    for (const a of commits)
      for (const b of commits) expect(await quick.mergeTrees(a, b)).toBe(await plain.mergeTrees(a, b));
    const [root = '', side = '', main = ''] = commits;
    const words = { message: 'Squash', author: person(9), committer: person(9) };
    for (const method of ['squash', 'merge', 'rebase'] as const)
      expect(await quick.mergeCommit(main, side, method, words)).toBe(
        await plain.mergeCommit(main, side, method, words),
      );
    const clash = await commitFiles(quick, {
      parent: root,
      files: { 'a.txt': 'B\n' },
      message: 'x',
      author: person(7),
    });
    expect(await quick.mergeTrees(main, clash)).toBeNull();
  });

  test('refs move from where they are expected, all or none, and git sees them', async () => {
    const [one = '', two = ''] = commits;
    expect(await quick.updateRefs([{ name: 'refs/heads/a', before: null, after: one }])).toBe(true);
    const both = (before: string | null) => [
      { name: 'refs/heads/a', before: one, after: two },
      { name: 'refs/sluice/issue-1', before, after: one },
    ];
    expect(await quick.updateRefs(both(two))).toBe(false);
    expect(await plain.listRefs()).toEqual(new Map([['refs/heads/a', one]]));
    expect(await quick.updateRefs(both(null))).toBe(true);
    expect([...(await quick.listRefs())]).toEqual([...(await plain.listRefs())]);
    expect(await quick.updateRefs([{ name: 'refs/heads/a', before: two, after: null }])).toBe(true);
    expect([...(await plain.listRefs())]).toEqual([['refs/sluice/issue-1', one]]);
    for (const expression of ['refs/sluice/issue-1', 'refs/sluice/issue-2', one, `${two}^`])
      expect(await quick.resolve(expression)).toBe(await plain.resolve(expression));
  });
});
