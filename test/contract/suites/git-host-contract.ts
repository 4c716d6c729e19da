import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Oid } from '../../../src/domain/issue/ids.js';
import { findRef, seedPersonalToken } from '#pocket-github/testing';
import type { GitHost } from '../../../src/ports/git-host.js';
import { deleteBranch, pushTo, replaceByRoot, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { IDENTITY } from '../../support/git/git-host.js';
import { GitObjects } from '#pocket-github/test/git-objects';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { protectMain } from '#pocket-github/test/branch-protection';

const STATE = 'refs/sluice/issue-1';

/** What the use cases and the state store may expect of any git host. Mirrors and bundles are for workspaces only. */
export function gitHostContract(name: string, open: (p: TestPocket, token: string) => Promise<GitHost>): void {
  let p: TestPocket;
  let host: GitHost;
  let main: Oid;
  freshPocketEachTest((pocket) => {
    p = pocket;
  });
  beforeEach(async () => {
    host = await open(p, p.tokenOf('wren'));
    main = tipOf(p, 'main');
  });

  const at = (ref: string): Oid | null => findRef(p.pocket.world.tables, p.repository.id, ref)?.oid ?? null;
  const commitOf = (message: string, parent: Oid | null = null): Promise<Oid> =>
    host.writeCommit(p.at, { files: { 'a.txt': message }, parent, message });
  /** A commit as GitHub has it once it is pushed. */
  const pushed = async (oid: Oid | null) => {
    await host.push(p.at, [{ ref: 'refs/heads/seen', expected: at('refs/heads/seen'), to: oid }]);
    const git = p.pocket.world.git(p.repository.id);
    const commit = oid === null ? null : await git.commit(oid);
    if (commit === null) throw new Error('it should be there');
    return { commit, files: [...(await new GitObjects(git).files(commit.tree)).keys()] };
  };

  describe(`refs through ${name}`, () => {
    test('are said where they are, with what they hold; absent ones are left out', async () => {
      const other = await open(p, p.tokenOf('ada'));
      const oid = await commitOf('1');
      await host.push(p.at, [{ ref: STATE, expected: null, to: oid }]);
      expect(await other.log(p.at, oid, 5)).toEqual([]);
      expect(await other.fetch(p.at, [STATE, 'refs/sluice/issue-2'])).toEqual(new Map([[STATE, oid]]));
      expect(await other.readFile(p.at, oid, 'a.txt')).toBe('1');
      expect(await other.log(p.at, oid, 5)).toMatchObject([{ oid, subject: '1' }]);
    });

    test('below a folder are all found by its name and a star', async () => {
      const [one, two] = [await commitOf('1'), await commitOf('2')];
      await host.push(p.at, [
        { ref: 'refs/sluice/wip/1/a', expected: null, to: one },
        { ref: 'refs/sluice/wip/1/b', expected: null, to: two },
        { ref: 'refs/sluice/wip/10/c', expected: null, to: two },
      ]);
      const found = new Map([
        ['refs/sluice/wip/1/a', one],
        ['refs/sluice/wip/1/b', two],
      ]);
      const other = await open(p, p.tokenOf('ada'));
      expect(await other.fetch(p.at, ['refs/sluice/wip/1/*'])).toEqual(found);
      expect(await other.readFile(p.at, two, 'a.txt')).toBe('2');
    });

    test('a branch whose name ends in the name of a ref is not taken for it', async () => {
      await pushTo(p, STATE, { files: { 'a.txt': 'a\n' } });
      expect(await host.fetch(p.at, [STATE])).toEqual(new Map());
    });

    test('that do not point at a commit have no log', async () => {
      const { oid } = new GitObjects(p.pocket.world.git(p.repository.id)).blob('not a commit');
      await p.pocket.world.git(p.repository.id).updateRefs([{ name: STATE, before: null, after: oid }]);
      p.pocket.world.tables.refs.insert({
        id: p.pocket.world.newId(),
        repositoryId: p.repository.id,
        name: STATE,
        oid,
      });
      expect(await host.fetch(p.at, [STATE])).toEqual(new Map([[STATE, oid]]));
      expect(await host.log(p.at, oid, 1)).toEqual([]);
    });
  });

  describe(`commits through ${name}`, () => {
    test('hold exactly the files given, by us, at the time of our clock', async () => {
      await host.fetch(p.at, ['refs/heads/main']);
      const files = { 'a/b/c.txt': 'c', 'a/d.txt': 'd\n', 'a.b': 'x', e: '' };
      const oid = await host.writeCommit(p.at, { files, parent: main, message: 'Write\n\nBody' });
      expect(await host.readFile(p.at, oid, 'a/b/c.txt')).toBe('c');
      expect(await host.readFile(p.at, oid, 'e')).toBe('');
      const seconds = Math.floor(p.clock.now() / 1000) * 1000;
      expect(await host.log(p.at, oid, 1)).toEqual([
        { oid, parent: main, isMerge: false, at: seconds, subject: 'Write' },
      ]);
      const { commit, files: names } = await pushed(oid);
      expect(names.toSorted()).toEqual(Object.keys(files).toSorted());
      expect(commit).toMatchObject({ message: 'Write\n\nBody', author: IDENTITY, committer: IDENTITY });
    });

    test('a file is read from the very commit; none is null, an unknown commit an error', async () => {
      const later = await pushTo(p, 'main', { files: { 'ümlaut.txt': 'ä\n' } });
      expect(await host.readFile(p.at, later, 'ümlaut.txt')).toBe('ä\n');
      expect(await host.readFile(p.at, later, 'nothing.txt')).toBeNull();
      expect(await host.readFile(p.at, later, '')).toBeNull();
      await expect(host.readFile(p.at, 'f'.repeat(40), 'a')).rejects.toThrow('There is no commit ffff');
    });

    test('are still there when their branch is gone', async () => {
      const oid = await pushTo(p, 'a', { files: { 'a.txt': 'a\n' } });
      expect(await host.readFile(p.at, oid, 'a.txt')).toBe('a\n');
      await deleteBranch(p, 'a');
      expect(await host.readFile(p.at, oid, 'a.txt')).toBe('a\n');
    });

    test('are listed along first parents, newest first, up to a limit', async () => {
      const one = await commitOf('one');
      const two = await commitOf('two', one);
      expect(await host.log(p.at, two, 1)).toMatchObject([{ oid: two, parent: one }]);
      expect(await host.log(p.at, two, 9)).toMatchObject([{ oid: two }, { oid: one, parent: null }]);
    });
  });

  describe(`squashing through ${name}`, () => {
    const message = 'One commit';

    async function twoCommits(): Promise<Oid> {
      await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
      return pushTo(p, 'topic', { files: { 'README.md': '# Better\n' } });
    }

    test('puts the whole change on top of a base that has moved, and says that it is another tree', async () => {
      const tip = await twoCommits();
      const onto = await pushTo(p, 'main', { files: { 'other.txt': 'o\n' } });
      const squashed = await host.squash(p.at, { tip, onto, message });
      const { commit, files } = await pushed(squashed?.oid ?? null);
      expect(squashed?.isSameTree).toBe(false);
      expect(commit).toMatchObject({ parents: [onto], author: IDENTITY, message: 'One commit' });
      expect(files).toEqual(['README.md', 'a.txt', 'other.txt', 'package.json', 'test.sh']);
      expect(await host.readFile(p.at, commit.oid, 'README.md')).toBe('# Better\n');
    });

    test('on the base it started from it is the same tree', async () => {
      const tip = await twoCommits();
      const squashed = await host.squash(p.at, { tip, onto: main, message });
      const { commit } = await pushed(squashed?.oid ?? null);
      expect(squashed?.isSameTree).toBe(true);
      expect(commit.tree).toBe((await p.pocket.world.git(p.repository.id).commit(tip))?.tree);
    });

    test('what does not apply is null', async () => {
      const tip = await twoCommits();
      const onto = await pushTo(p, 'main', { files: { 'README.md': '# Other\n' } });
      expect(await host.squash(p.at, { tip, onto, message })).toBeNull();
    });

    test('what landed since the work was begun stays, however old the work is', async () => {
      const tip = await twoCommits();
      await pushTo(p, 'main', { files: { 'one.txt': '1\n' } });
      const onto = await pushTo(p, 'main', { files: { 'two.txt': '2\n' } });
      const squashed = await host.squash(p.at, { tip, onto, message });
      const { files } = await pushed(squashed?.oid ?? null);
      expect(files).toEqual(['README.md', 'a.txt', 'one.txt', 'package.json', 'test.sh', 'two.txt']);
    });

    test('of work that has merged base since is its own change alone', async () => {
      const tip = await twoCommits();
      const onto = await pushTo(p, 'main', { files: { 'one.txt': '1\n' } });
      const joined = await host.merge(p.at, { first: tip, second: onto, take: 'both', message: 'Merge' });
      const squashed = await host.squash(p.at, { tip: joined ?? '', onto, message });
      expect(squashed?.isSameTree).toBe(true);
      expect((await pushed(squashed?.oid ?? null)).commit.parents).toEqual([onto]);
    });
  });

  describe(`merging through ${name}`, () => {
    const message = 'Merge';

    test('has both histories and both changes, or is null where they conflict', async () => {
      const first = await pushTo(p, 'one', { files: { 'a.txt': 'a\n' } });
      const second = await pushTo(p, 'two', { files: { 'b.txt': 'b\n' } });
      const other = await pushTo(p, 'three', { files: { 'a.txt': 'other\n' } });
      const oid = await host.merge(p.at, { first, second, take: 'both', message });
      const { commit, files } = await pushed(oid);
      expect(commit).toMatchObject({ parents: [first, second], author: IDENTITY, message });
      expect(files).toEqual(['README.md', 'a.txt', 'b.txt', 'package.json', 'test.sh']);
      expect(await host.merge(p.at, { first, second: other, take: 'both', message })).toBeNull();
    });

    test('that takes the first has its files and the history of both', async () => {
      const first = await pushTo(p, 'one', { files: { 'a.txt': 'a\n' } });
      const second = await pushTo(p, 'three', { files: { 'a.txt': 'other\n' } });
      const oid = await host.merge(p.at, { first, second, take: 'first', message });
      const { commit } = await pushed(oid);
      expect(commit.parents).toEqual([first, second]);
      expect(await host.readFile(p.at, String(oid), 'a.txt')).toBe('a\n');
    });

    test('tells what a commit contains; what is not here is in nothing', async () => {
      const later = await pushTo(p, 'main', { files: { 'a.txt': 'a\n' } });
      await host.fetch(p.at, ['refs/heads/main']);
      expect(await host.contains(p.at, later, main)).toBe(true);
      expect(await host.contains(p.at, later, later)).toBe(true);
      expect(await host.contains(p.at, main, later)).toBe(false);
      expect(await host.contains(p.at, later, 'f'.repeat(40))).toBe(false);
      expect(await host.contains(p.at, 'f'.repeat(40), later)).toBe(false);
    });

    test('tells whether two commits have anything in common', async () => {
      const later = await pushTo(p, 'later', { files: { 'a.txt': 'a\n' } });
      const other = await pushTo(p, 'other', { files: { 'b.txt': 'b\n' } });
      const root = await replaceByRoot(p, 'root', { files: { 'README.md': '# Another\n' } });
      expect(await host.isRelated(p.at, [later, other])).toBe(true);
      expect(await host.isRelated(p.at, [later, later])).toBe(true);
      expect(await host.isRelated(p.at, [later, root])).toBe(false);
      await expect(host.isRelated(p.at, [later, 'f'.repeat(40)])).rejects.toMatchObject({ name: 'GitHostError' });
    });

    test('tells whether a folder is the same in two commits, or in neither', async () => {
      const one = await pushTo(p, 'one', { files: { 'ci/a.yml': 'a\n' } });
      const same = await pushTo(p, 'two', { files: { 'ci/a.yml': 'a\n', 'b.txt': 'b\n' } });
      const other = await pushTo(p, 'three', { files: { 'ci/a.yml': 'b\n' } });
      expect(await host.isSameAt(p.at, 'ci', [one, same])).toBe(true);
      expect(await host.isSameAt(p.at, 'ci', [one, other])).toBe(false);
      expect(await host.isSameAt(p.at, 'ci', [one, main])).toBe(false);
      expect(await host.isSameAt(p.at, 'none', [one, main])).toBe(true);
    });
  });

  describe(`a push through ${name}`, () => {
    test('makes, moves and deletes refs from where they are expected', async () => {
      const [one, two] = [await commitOf('one'), await commitOf('two')];
      expect(await host.push(p.at, [{ ref: STATE, expected: null, to: one }])).toEqual({ kind: 'pushed' });
      // Not a descendant: what is expected is what counts.
      expect(await host.push(p.at, [{ ref: STATE, expected: one, to: two }])).toEqual({ kind: 'pushed' });
      expect(at(STATE)).toBe(two);
      expect(await host.push(p.at, [{ ref: STATE, expected: two, to: null }])).toEqual({ kind: 'pushed' });
      expect(at(STATE)).toBeNull();
    });

    test('is lost when one ref is not where it should be, and then none moves', async () => {
      const [one, two] = [await commitOf('one'), await commitOf('two')];
      await host.push(p.at, [{ ref: STATE, expected: null, to: one }]);
      for (const expected of [null, two]) {
        const refs = [
          { ref: 'refs/heads/work', expected: null, to: one },
          { ref: STATE, expected, to: two },
        ];
        expect(await host.push(p.at, refs)).toEqual({ kind: 'lost', moved: [STATE] });
      }
      expect([at(STATE), at('refs/heads/work')]).toEqual([one, null]);
    });

    test('of a deletion goes through only from where the ref is expected', async () => {
      const [one, two] = [await commitOf('one'), await commitOf('two')];
      await host.push(p.at, [{ ref: 'refs/heads/work', expected: null, to: one }]);
      const both = (expected: Oid) => [
        { ref: STATE, expected: null, to: one },
        { ref: 'refs/heads/work', expected, to: null },
      ];
      expect(await host.push(p.at, both(two))).toEqual({ kind: 'lost', moved: ['refs/heads/work'] });
      expect([at(STATE), at('refs/heads/work')]).toEqual([null, one]);
      expect(await host.push(p.at, both(one))).toEqual({ kind: 'pushed' });
      expect([at(STATE), at('refs/heads/work')]).toEqual([one, null]);
    });

    test('what is already where it should go counts as moved', async () => {
      const one = await commitOf('one');
      for (const _ of [1, 2])
        expect(await host.push(p.at, [{ ref: STATE, expected: null, to: one }])).toEqual({ kind: 'pushed' });
    });

    test('of two at the same moment exactly one wins', async () => {
      const candidates = await Promise.all(['one', 'two', 'three'].map((message) => commitOf(message)));
      const results = await Promise.all(candidates.map((to) => host.push(p.at, [{ ref: STATE, expected: null, to }])));
      expect(results.map(({ kind }) => kind).sort()).toEqual(['lost', 'lost', 'pushed']);
      expect(at(STATE)).toBe(candidates[results.findIndex(({ kind }) => kind === 'pushed')]);
    });

    test('is refused by a protected branch, in the server’s words, and the other refs stay', async () => {
      protectMain(p, { requirePullRequest: true });
      await host.fetch(p.at, ['refs/heads/main']);
      const one = await commitOf('one', main);
      const refs = [
        { ref: STATE, expected: null, to: one },
        { ref: 'refs/heads/main', expected: main, to: one },
      ];
      const why = /protected branch hook declined[^]*GH006[^]*Changes must be made through a pull request/;
      expect(await host.push(p.at, refs)).toEqual({
        kind: 'refused',
        ref: 'refs/heads/main',
        why: expect.stringMatching(why),
        isPassing: false,
      });
      expect([at(STATE), at('refs/heads/main')]).toEqual([null, main]);
    });

    test('is refused when it brings a workflow and the token may not, even one that is gone again', async () => {
      const { text } = seedPersonalToken(p.pocket.world, p.users.wren, ['repo']);
      const modest = await open(p, text);
      const added = await modest.writeCommit(p.at, {
        files: { '.github/workflows/ci.yml': 'on: push\n' },
        parent: null,
        message: 'x',
      });
      const removed = await modest.writeCommit(p.at, { files: {}, parent: added, message: 'y' });
      for (const to of [added, removed])
        expect(await modest.push(p.at, [{ ref: 'refs/heads/work', expected: null, to }])).toMatchObject({
          kind: 'refused',
          ref: 'refs/heads/work',
          why: expect.stringContaining('workflow'),
        });
    });

    test('is refused to somebody who may only read', async () => {
      const reader = await open(p, p.tokenOf('rita'));
      const to = await reader.writeCommit(p.at, { files: {}, parent: null, message: 'x' });
      expect(await reader.push(p.at, [{ ref: STATE, expected: null, to }])).toMatchObject({
        kind: 'refused',
        ref: STATE,
      });
    });
  });
}
