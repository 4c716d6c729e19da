import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { VerifyCommand } from '../../../src/domain/criteria/criterion.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Clone, CloneRequest, Workspace } from '../../../src/ports/workspace.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { IDENTITY } from '../../support/git/git-host.js';
import { GitObjects } from '#pocket-github/test/git-objects';
import type { TestPocket } from '#pocket-github/test/test-pocket';

export interface WorkspaceFixture {
  readonly workspace: Workspace;
  /** What takes the collected commits to GitHub. */
  readonly gitHost: GitHost;
}

/** What the use cases may expect of any workspace, on a repository that asks for nothing special. Real ones promise more. */
export function plainWorkspaceContract(name: string, open: (p: TestPocket) => Promise<WorkspaceFixture>): void {
  let p: TestPocket;
  let fixture: WorkspaceFixture;
  let main: Oid;
  const { signal } = new AbortController();
  freshPocketEachTest((pocket) => {
    p = pocket;
  });
  beforeEach(async () => {
    fixture = await open(p);
    main = tipOf(p, 'main');
  });

  const clone = (request: Partial<CloneRequest> = {}): Promise<Clone> =>
    fixture.workspace.open({
      ref: { ...p.at, number: 7 },
      phaseRun: 'run-1',
      at: main,
      base: tipOf(p, 'main'),
      signal,
      ...request,
    });
  const collect = (opened: Clone): Promise<Oid | null> => opened.collect('Work in progress', signal);
  const write = (opened: Clone, path: string, text: string): Promise<void> => writeFile(join(opened.path, path), text);
  /** A collected commit as GitHub has it once it is pushed. */
  const pushed = async (oid: Oid | null) => {
    if (oid === null) throw new Error('there is nothing to push');
    expect(await fixture.gitHost.push(p.at, [{ ref: 'refs/heads/work', expected: null, to: oid }])).toEqual({
      kind: 'pushed',
    });
    const git = p.pocket.world.git(p.repository.id);
    const commit = await git.commit(oid);
    if (commit === null) throw new Error('it is not there');
    return { ...commit, files: await new GitObjects(git).files(commit.tree) };
  };

  describe(`a clone in ${name}`, () => {
    test('holds the files of its commit, in every folder', async () => {
      const opened = await clone({ at: await pushTo(p, 'topic', { files: { 'a/b.txt': 'b\n' } }) });
      expect(await readFile(join(opened.path, 'a/b.txt'), 'utf8')).toBe('b\n');
      expect(await readFile(join(opened.path, 'README.md'), 'utf8')).toBe('# Sandbox\n');
      expect(existsSync(opened.home)).toBe(true);
    });

    test('is found again by its phase run, with the work in it', async () => {
      await write(await clone(), 'a.txt', 'work\n');
      const again = await clone({ at: await pushTo(p, 'main', { files: { 'b.txt': 'b\n' } }) });
      const { parents, files } = await pushed(await collect(again));
      expect(parents).toEqual([main]);
      expect([...files.keys()]).toContain('a.txt');
      expect(existsSync(join((await clone({ phaseRun: 'run-2' })).path, 'a.txt'))).toBe(false);
    });

    test('of a commit nobody has is an error', async () => {
      await expect(clone({ at: 'e'.repeat(40) })).rejects.toThrow('e'.repeat(40));
    });

    test('is not opened for a run that was stopped', async () => {
      await expect(clone({ signal: AbortSignal.abort(new Error('stopped by ada')) })).rejects.toThrow('stopped by ada');
    });

    test('is gone when it was disposed of, however often', async () => {
      const opened = await clone();
      await write(opened, 'a.txt', 'work\n');
      await opened.dispose();
      await opened.dispose();
      expect([existsSync(opened.path), existsSync(opened.home)]).toEqual([false, false]);
      expect(existsSync(join((await clone()).path, 'a.txt'))).toBe(false);
    });
  });

  describe(`commands in ${name}`, () => {
    test('pass or fail by their exit code, with what they printed in order', async () => {
      const opened = await clone();
      expect(await opened.run('ls test.sh; echo two >&2; echo three', signal)).toEqual({
        passed: true,
        output: 'test.sh\ntwo\nthree\n',
      });
      expect(await opened.run('echo bad >&2; exit 3', signal)).toEqual({ passed: false, output: 'bad\n(exit code 3)' });
      expect(await opened.check({ kind: 'command', run: 'sh test.sh' }, signal)).toMatchObject({ passed: true });
      expect(await opened.check({ kind: 'command', run: 'false' }, signal)).toMatchObject({ passed: false });
    });

    test.each<[VerifyCommand, boolean]>([
      [{ kind: 'file_exists', path: 'src/a.js' }, true],
      [{ kind: 'file_exists', path: 'src/b.js' }, false],
      [{ kind: 'file_exists', path: 'src' }, false],
      [{ kind: 'file_contains', path: 'src/a.js', text: 'one\ntwo (2)' }, true],
      [{ kind: 'file_contains', path: 'src/a.js', text: 'two.(2)' }, false],
      [{ kind: 'file_contains', path: 'src/b.js', text: '' }, false],
      [{ kind: 'grep', path: 'src/a.js', pattern: String.raw`^two \([0-9]+\)$` }, true],
      [{ kind: 'grep', path: 'src/a.js', pattern: '^three' }, false],
      [{ kind: 'grep', path: 'src/a.js', pattern: '(' }, false],
    ])('%j on a file that is there as it says: %s', async (check, passed) => {
      const opened = await clone();
      await mkdir(join(opened.path, 'src'));
      await write(opened, 'src/a.js', 'one\ntwo (2)\n');
      expect(await opened.check(check, signal)).toMatchObject({ passed });
    });

    test('are not started when the run was stopped', async () => {
      const stopped = AbortSignal.abort(new Error('stopped by ada'));
      await expect((await clone()).run('true', stopped)).rejects.toThrow('stopped by ada');
    });
  });

  describe(`what is left in ${name}`, () => {
    test('is nothing when nothing changed', async () => {
      const opened = await clone();
      await write(opened, 'README.md', '# Sandbox\n');
      expect(await collect(opened)).toBeNull();
    });

    test('is one commit of ours on top of the start, with what changed, came and went', async () => {
      const opened = await clone();
      await mkdir(join(opened.path, 'a'));
      await write(opened, 'a/new.txt', 'new\n');
      await write(opened, 'README.md', '# Better\n');
      await rm(join(opened.path, 'package.json'));
      const { parents, files, message, author } = await pushed(await collect(opened));
      expect({ parents, message, author }).toMatchObject({
        parents: [main],
        message: expect.stringMatching(/^Work in progress\n?$/),
        author: IDENTITY,
      });
      expect([...files.keys()].toSorted()).toEqual(['README.md', 'a/new.txt', 'test.sh']);
      // What was not touched keeps its mode as well.
      expect(files.get('test.sh')).toMatchObject({ mode: '100755' });
    });

    test('is the same commit again, and more later', async () => {
      const opened = await clone();
      await write(opened, 'a.txt', '1');
      const first = await collect(opened);
      expect(await collect(opened)).toBe(first);
      await write(opened, 'b.txt', '2');
      const { parents, files } = await pushed(await collect(opened));
      expect(parents).toEqual([first]);
      expect([...files.keys()]).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
    });
  });
}
