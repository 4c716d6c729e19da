import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import type { GitHostOptions } from '../../../src/adapters/git/git-host.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, testFolder } from '../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { commit, git } from '#pocket-github/test/git-http-fixture';

/* Bundles that are sound and would still do harm. Nothing of them reaches the mirror. */

let p: TestPocket;
let clone: string;
freshPocketEachTest((pocket) => {
  p = pocket;
});
beforeEach(async () => {
  clone = await testFolder();
  await git(clone, 'clone', '--quiet', p.gitUrl('wren'), '.');
});

/** Hands the work over as an agent does whose own git refuses nothing. */
async function handOver(limits: GitHostOptions['limits'] = {}) {
  await git(clone, 'bundle', 'create', '--quiet', '--version=2', 'result.bundle', 'HEAD', '^origin/main');
  const { host } = await openGitHost(p, { limits });
  const mirror = await host.mirror(p.at);
  const packs = () => readdir(join(mirror, 'objects', 'pack'));
  const before = await packs();
  const known = [await git(clone, 'rev-parse', 'origin/main')];
  const outcome = await host
    .takeBundle(p.at, join(clone, 'result.bundle'), 'HEAD', known)
    .catch((error: Error) => error);
  expect((await readdir(mirror)).filter((name) => name.startsWith('incoming'))).toEqual([]);
  return { outcome, isUntouched: (await packs()).join() === before.join() };
}

async function expectRefusal(why: string, limits: GitHostOptions['limits'] = {}): Promise<void> {
  const { outcome, isUntouched } = await handOver(limits);
  expect(outcome).toMatchObject({ name: 'GitHostError', retry: 'permanent', message: expect.stringContaining(why) });
  expect(isUntouched).toBe(true);
}

const written = async (input: string | Buffer, ...args: readonly string[]): Promise<string> =>
  (await execa('git', [...args], { cwd: clone, input })).stdout;
const tree = (lines: readonly string[]): Promise<string> =>
  written(lines.map((line) => `${line}\n`).join(''), 'mktree');
const blob = (text = 'x'): Promise<string> => written(text, 'hash-object', '-w', '--stdin');
const commitTree = async (oid: string, parent = 'HEAD'): Promise<void> => {
  const made = await git(clone, 'commit-tree', oid, '-p', parent, '-m', 'Work');
  await git(clone, 'update-ref', 'refs/heads/main', made);
};
/** Folders within folders, each with so many of the next. */
async function nested(levels: number, wide: number): Promise<string> {
  let inner = await tree([`100644 blob ${await blob()}\tf`]);
  for (let level = 0; level < levels; level += 1)
    inner = await tree(Array.from({ length: wide }, (_, index) => `040000 tree ${inner}\td${index}`));
  return inner;
}

describe('C36: what would be missing in every checkout', () => {
  test('a repository within the repository is refused on the host, with or without .gitmodules', async () => {
    const link = `160000 commit ${'a'.repeat(40)}\tvendor`;
    await commitTree(await tree([link]));
    await expectRefusal('a git repository within the repository');
    const modules = await blob('[submodule "vendor"]\n\tpath = vendor\n\turl = https://example.com/x.git\n');
    await commitTree(await tree([`100644 blob ${modules}\t.gitmodules`, link]));
    await expectRefusal('a git repository within the repository');
  });

  test('it is refused in the place of .github, far down, and in a commit that a later one takes back', async () => {
    const link = await tree([`160000 commit ${'a'.repeat(40)}\tx`]);
    await commitTree(await tree([`160000 commit ${'b'.repeat(40)}\t.github`]));
    await expectRefusal('a git repository within');
    await git(clone, 'reset', '--quiet', '--hard', 'origin/main');
    await commitTree(await tree([`040000 tree ${link}\ta`]));
    await commitTree(await git(clone, 'rev-parse', 'origin/main^{tree}'));
    await expectRefusal('a git repository within');
  });

  test('files under LFS are refused, whichever way their rule is spelled', async () => {
    await commit(clone, 'Work', { 'a/.GitAttributes': '*.bin filter=lfs diff=lfs\n' });
    await expectRefusal('Git LFS');
  });
});

describe('C42: few bytes that unpack to very many', () => {
  test('all objects together are counted', async () => {
    for (const name of ['a', 'b', 'c', 'd'])
      await commit(clone, name, { [`${name}.bin`]: Buffer.alloc(1_000_000, name) });
    await expectRefusal('unpacks to more than the 3000000 bytes allowed', { unpackedBytes: 3_000_000 });
    expect((await handOver()).outcome).toEqual(expect.stringMatching(/^[0-9a-f]{40}$/));
  });

  test('the number of objects is read before any of them is', async () => {
    await commit(clone, 'Work', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await expectRefusal('objects are more than the 3 allowed', { objects: 3 });
  });

  test('looking at it may use only so much memory', async () => {
    await commit(clone, 'Work', { 'a.bin': Buffer.alloc(20_000_000, 'abc') });
    await expectRefusal('cannot be taken over', { indexing: { cpuSeconds: 60, memoryBytes: 8 * 2 ** 20 } });
  });
});

describe('C43, C44: more files than anybody could look at', () => {
  test('a hundred thousand files in one folder are refused', async () => {
    const file = await blob();
    await commitTree(await tree(Array.from({ length: 100_000 }, (_, index) => `100644 blob ${file}\tf${index}`)));
    await expectRefusal('it has 100000 files');
  });

  test('a milliard of files made of ten folders are counted without being unfolded', async () => {
    await commitTree(await nested(9, 10));
    await expectRefusal('it has 1000000000 files');
  });

  test('they are refused in a commit that a later one takes back', async () => {
    const before = await git(clone, 'rev-parse', 'HEAD^{tree}');
    await commitTree(await nested(9, 10));
    await commitTree(before);
    await expectRefusal('it has 1000000000 files');
  });

  test('folders without end are refused', async () => {
    await commitTree(await nested(200, 1));
    await expectRefusal('its folders lie 200 deep');
  });

  test('what an ordinary change adds is taken', async () => {
    const file = await blob();
    const inner = await tree(Array.from({ length: 2_000 }, (_, index) => `100644 blob ${file}\tf${index}`));
    const root = (await git(clone, 'ls-tree', 'HEAD')).split('\n');
    await commitTree(await tree([...root, `040000 tree ${inner}\tgenerated`]));
    expect((await handOver()).outcome).toEqual(expect.stringMatching(/^[0-9a-f]{40}$/));
  });
});
