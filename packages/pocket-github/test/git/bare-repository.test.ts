import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBareRepository, openBareRepository } from '../../src/git/bare-repository.js';
import type { GitRepository } from '../../src/git/git-repository.js';
import { commitFiles } from '../../src/git/seed-commits.js';
import { git } from '../support/git-http-fixture.js';

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', at: 1_700_000_000_000, zone: '+0000' };
const ABSENT = 'd'.repeat(40);

let folder: string;
let repository: GitRepository;
let first: string;
let second: string;

const seed = (parent: string | null, message: string, files: Record<string, string | Buffer | null>) =>
  commitFiles(repository, { parent, files, message, author: ADA });

/** What git itself says. */
const truth = (...args: readonly string[]) => git(repository.path, ...args);

async function openSeeded(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'pocket-git-'));
  repository = await createBareRepository(join(folder, 'r.git'), { defaultBranch: 'trunk' });
  first = await seed(null, 'first', { 'README.md': 'hello\n', 'src/deep/a.txt': 'a\n', 'run.sh': '#!/bin/sh\n' });
  second = await seed(first, 'second\n\nwith a body\n', { 'src/deep/a.txt': null, 'src/b.txt': 'b\n' });
  await repository.updateRefs([{ name: 'refs/heads/trunk', before: null, after: second }]);
}

async function discard(): Promise<void> {
  await repository.close();
  await rm(folder, { recursive: true, force: true });
}

describe('a repository that is only added to', () => {
  beforeAll(openSeeded);
  afterAll(discard);

  describe('seeded commits', () => {
    test('hold the files, with the executable bit where a script starts', async () => {
      expect((await truth('ls-tree', '-r', '--format=%(objectmode) %(path)', first)).split('\n')).toEqual([
        '100644 README.md',
        '100755 run.sh',
        '100644 src/deep/a.txt',
      ]);
      expect((await truth('ls-tree', '-r', '--name-only', second)).split('\n')).toEqual([
        'README.md',
        'run.sh',
        'src/b.txt',
      ]);
    });

    test('are sound in the eyes of git', async () => {
      expect(await truth('fsck', '--strict', '--no-dangling')).toBe('');
    });

    test('of the same data have the same id', async () => {
      expect(
        await seed(null, 'first', { 'run.sh': '#!/bin/sh\n', 'src/deep/a.txt': 'a\n', 'README.md': 'hello\n' }),
      ).toBe(first);
    });
  });

  describe('objects', () => {
    test('a commit reads back as it was written', async () => {
      expect(await repository.commit(second)).toEqual({
        oid: second,
        tree: await truth('rev-parse', `${second}^{tree}`),
        parents: [first],
        author: ADA,
        committer: ADA,
        message: 'second\n\nwith a body\n',
      });
    });

    test('a tree lists its entries with sizes', async () => {
      const root = await repository.object(await truth('rev-parse', `${first}^{tree}`));
      expect(
        root?.type === 'tree' && root.entries.map(({ mode, type, path, size }) => [mode, type, path, size]),
      ).toEqual([
        ['100644', 'blob', 'README.md', 6],
        ['100755', 'blob', 'run.sh', 10],
        ['040000', 'tree', 'src', null],
      ]);
    });

    test('an annotated tag names its target', async () => {
      await truth('tag', '--annotate', '--message', 'a release', 'v1', second);
      const oid = await truth('rev-parse', 'refs/tags/v1');
      expect(await repository.object(oid)).toMatchObject({ type: 'tag', oid, target: second, message: 'a release\n' });
      expect((await repository.entryAt(oid, 'src/b.txt'))?.size).toBe(2);
    });

    test('what does not exist is null, and nobody else pays for the question', async () => {
      const answers = await Promise.all([
        repository.object(ABSENT),
        repository.commit(first),
        repository.object('HEAD@{1}\ncontents HEAD'),
        repository.object('main'),
        repository.commit(await truth('rev-parse', `${first}:README.md`)),
      ]);
      expect(answers.map((answer) => answer?.oid ?? null)).toEqual([null, first, null, null, null]);
    });

    test('many concurrent reads, small and large, each get their own answer', async () => {
      const blobs = Array.from({ length: 60 }, (_, number) => randomBytes(number % 7 === 0 ? 700_000 : number));
      const oids = await Promise.all(blobs.map((blob) => repository.writeBlob(blob)));
      const objects = await Promise.all(oids.map((oid) => repository.object(oid)));
      const same = objects.map((object, index) => object?.type === 'blob' && blobs[index]?.equals(object.content));
      expect(same).toEqual(blobs.map(() => true));
    });

    test('are found by path', async () => {
      expect(await repository.entryAt(first, 'src/deep/a.txt')).toEqual({
        path: 'src/deep/a.txt',
        mode: '100644',
        type: 'blob',
        oid: await truth('rev-parse', `${first}:src/deep/a.txt`),
        size: 2,
      });
      expect((await repository.entryAt(first, 'src'))?.type).toBe('tree');
      expect((await repository.entryAt(first, ''))?.oid).toBe(await truth('rev-parse', `${first}^{tree}`));
      for (const path of ['src/deep', 'README.md/x', 'nothing/at/all'])
        expect(await repository.entryAt(second, path)).toBeNull();
      expect(await repository.entryAt(ABSENT, '')).toBeNull();
    });

    test.each(['trunk', 'HEAD~1', 'HEAD:src/b.txt', 'trunk^{tree}'])(
      '%s resolves as git resolves it',
      async (expression) => {
        expect(await repository.resolve(expression)).toBe(await truth('rev-parse', expression));
      },
    );

    test.each(['nothing', '', ABSENT, 'HEAD~9', 'HEAD@{yesterday}', '-h', '--help', 'HEAD~1..HEAD', 'a\nb'])(
      '%j resolves to nothing',
      async (expression) => {
        expect(await repository.resolve(expression)).toBeNull();
      },
    );
  });

  describe('trees', () => {
    const file = async (path: string, content: string) => ({
      path,
      mode: '100644',
      oid: await repository.writeBlob(Buffer.from(content)),
    });
    const names = async (tree: string) => (await truth('ls-tree', '-r', '--name-only', tree)).split('\n');

    test('a file may take the place of a folder, and the reverse', async () => {
      const edits = [await file('src', 'now a file'), await file('README.md/part', 'now a folder')];
      expect(await names(await repository.writeTree(second, edits))).toEqual(['README.md/part', 'run.sh', 'src']);
    });

    test('a whole folder may be removed or set', async () => {
      const src = await repository.entryAt(first, 'src/deep');
      const edits = [
        { path: 'copy', mode: '040000', oid: src?.oid ?? ABSENT },
        { path: 'src', mode: '040000', oid: null },
        { path: 'run.sh/not-there', mode: '100644', oid: null },
      ];
      expect(await names(await repository.writeTree(first, edits))).toEqual(['README.md', 'copy/a.txt', 'run.sh']);
    });

    test.each(['', '/a', 'a//b', '../a', 'a/.git/config', 'a/'])('the path %j is refused', async (path) => {
      await expect(repository.writeTree(null, [await file(path, 'x')])).rejects.toThrow('malformed path component');
    });
  });

  describe('history', () => {
    test('merge bases and ancestry are as git says', async () => {
      const side = await seed(first, 'side', { c: 'c\n' });
      const alone = await seed(null, 'alone', { d: 'd\n' });
      expect(await repository.mergeBase(second, side)).toBe(first);
      expect(await repository.mergeBase(second, alone)).toBeNull();
      expect(await repository.isAncestor(first, side)).toBe(true);
      expect(await repository.isAncestor(second, side)).toBe(false);
    });

    test('the log runs from the newest to the oldest, limited and by path', async () => {
      const third = await seed(second, 'third', { 'README.md': 'again\n' });
      const oids = async (...args: Parameters<GitRepository['log']>) =>
        (await repository.log(...args)).map(({ oid }) => oid);
      expect(await oids(null, third)).toEqual([third, second, first]);
      expect(await oids(first, third)).toEqual([third, second]);
      expect(await oids(null, third, { limit: 1 })).toEqual([third]);
      expect(await oids(null, third, { path: 'README.md' })).toEqual([third, first]);
      expect(await oids(third, first)).toEqual([]);
    });
  });

  describe('changes', () => {
    test('against nothing, everything is added', async () => {
      const changes = await repository.changes(null, second);
      expect(changes.map(({ path, status }) => [path, status])).toEqual([
        ['README.md', 'added'],
        ['run.sh', 'added'],
        ['src/b.txt', 'added'],
      ]);
    });

    test('renames, removals, binary files and links are told apart', async () => {
      const lines = Array.from({ length: 20 }, (_, number) => `line ${number}\n`).join('');
      const before = await seed(second, 'before', {
        'old name.txt': lines,
        gone: 'gone\n',
        moved: lines.toUpperCase(),
        bin: Buffer.of(0, 1),
      });
      const link = { path: 'run.sh', mode: '120000', oid: await repository.writeBlob(Buffer.from('README.md')) };
      const files = {
        'old name.txt': null,
        'new\tname.txt': `${lines}more\n`,
        gone: null,
        moved: null,
        'sub/moved': lines.toUpperCase(),
      };
      const edited = await seed(before, 'after', { ...files, bin: Buffer.of(0, 2), empty: '' });
      const after = await repository.writeTree(edited, [link]);
      const changes = await repository.changes(before, after);
      expect(changes.map(({ oid: _oid, ...change }) => change)).toEqual([
        { path: 'bin', previousPath: null, status: 'modified', additions: 0, deletions: 0, patch: null },
        { path: 'empty', previousPath: null, status: 'added', additions: 0, deletions: 0, patch: null },
        {
          path: 'gone',
          previousPath: null,
          status: 'removed',
          additions: 0,
          deletions: 1,
          patch: '@@ -1 +0,0 @@\n-gone',
        },
        {
          path: 'new\tname.txt',
          previousPath: 'old name.txt',
          status: 'renamed',
          additions: 1,
          deletions: 0,
          patch: '@@ -18,3 +18,4 @@ line 16\n line 17\n line 18\n line 19\n+more',
        },
        {
          path: 'run.sh',
          previousPath: null,
          status: 'modified',
          additions: 1,
          deletions: 1,
          patch: '@@ -1 +0,0 @@\n-#!/bin/sh\n@@ -0,0 +1 @@\n+README.md\n\\ No newline at end of file',
        },
        { path: 'sub/moved', previousPath: 'moved', status: 'renamed', additions: 0, deletions: 0, patch: null },
      ]);
      const oids = new Map(changes.map(({ path, oid }) => [path, oid]));
      expect(oids.get('gone')).toBe(await truth('rev-parse', `${before}:gone`));
      expect(oids.get('bin')).toBe(await truth('rev-parse', `${after}:bin`));
    });

    test('the same tree has none', async () => {
      expect(await repository.changes(second, second)).toEqual([]);
    });

    test('the diff is what git prints', async () => {
      expect(await repository.diff(first, second)).toBe(`${await truth('diff', first, second)}\n`);
    });
  });
});

describe('a repository that changes', () => {
  beforeEach(openSeeded);
  afterEach(discard);

  describe('refs', () => {
    test('move together when each is where it was expected', async () => {
      const moved = await repository.updateRefs([
        { name: 'refs/heads/trunk', before: second, after: first },
        { name: 'refs/sluice/state', before: null, after: second },
      ]);
      expect(moved).toBe(true);
      expect(await repository.listRefs()).toEqual(
        new Map([
          ['refs/heads/trunk', first],
          ['refs/sluice/state', second],
        ]),
      );
      expect(await repository.updateRefs([{ name: 'refs/sluice/state', before: second, after: null }])).toBe(true);
      expect([...(await repository.listRefs()).keys()]).toEqual(['refs/heads/trunk']);
    });

    test.each([
      ['has moved', 'refs/heads/trunk', ABSENT],
      ['exists already', 'refs/heads/trunk', null],
      ['is gone', 'refs/heads/gone', ABSENT],
    ])('none moves when one %s', async (_what, name, before) => {
      const updates = [
        { name: 'refs/heads/new', before: null, after: first },
        { name, before, after: first },
      ];
      expect(await repository.updateRefs(updates)).toBe(false);
      expect(await repository.listRefs()).toEqual(new Map([['refs/heads/trunk', second]]));
    });

    test('a ref to an object that is not there is an error, not a lost race', async () => {
      const update = { name: 'refs/heads/new', before: null, after: ABSENT };
      await expect(repository.updateRefs([update])).rejects.toThrow('git update-ref');
    });

    test('of two swaps of one ref exactly one succeeds', async () => {
      const swap = (after: string) => repository.updateRefs([{ name: 'refs/heads/new', before: null, after }]);
      expect(new Set(await Promise.all([swap(first), swap(second)]))).toEqual(new Set([false, true]));
    });

    test('the default branch decides what a clone checks out', async () => {
      await repository.updateRefs([{ name: 'refs/heads/other', before: null, after: first }]);
      await repository.setDefaultBranch('other');
      expect(await truth('rev-parse', 'HEAD')).toBe(first);
    });
  });

  describe('a repository on disk', () => {
    test('is the same when opened again', async () => {
      await repository.close();
      repository = await openBareRepository(repository.path);
      expect((await repository.commit(second))?.message).toContain('second');
    });

    test('that is not there cannot be opened', async () => {
      await expect(openBareRepository(folder)).rejects.toThrow('not a git repository');
    });

    test('answers no more once closed', async () => {
      await repository.commit(first);
      await repository.close();
      await expect(repository.listRefs()).rejects.toThrow('the repository is closed');
      await expect(repository.commit(first)).rejects.toThrow('the repository is closed');
    });
  });
});
