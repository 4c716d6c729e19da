import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { deleteBranch, pushTo, tipOf } from '../support/branches.js';
import { freshEachTest } from '../support/fresh-pocket.js';
import { IDENTITY, openGitHost, testFolder } from '../support/git-host.js';
import type { TestPocket } from '../support/pocket.js';
import { commit, git } from '../pocket/git/git-workbench.js';

let p: TestPocket;
freshEachTest((pocket) => {
  p = pocket;
});

const refsOf = async (mirror: string): Promise<string[]> =>
  (await git(mirror, 'for-each-ref', '--format=%(refname)')).split('\n');

describe('a mirror', () => {
  test('has the branches as they are now, and nothing else', async () => {
    const { host } = await openGitHost(p);
    const state = await host.writeCommit(p.at, { files: { 'state.json': '{}' }, parent: null, message: 'State' });
    await host.push(p.at, [{ ref: 'refs/sluice/issue-1', expected: null, to: state }]);
    const mirror = await host.mirror(p.at);
    expect(await refsOf(mirror)).toEqual(['refs/heads/main']);
    const topic = await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
    expect(await host.mirror(p.at)).toBe(mirror);
    expect(await git(mirror, 'rev-parse', 'topic')).toBe(topic);
  });

  test('is one, however many ask for it at once and however they spell it', async () => {
    const { host, folder } = await openGitHost(p);
    const paths = await Promise.all([
      host.mirror(p.at),
      host.mirror({ owner: 'Ada', repo: 'Sandbox' }),
      host.mirror(p.at),
    ]);
    expect(new Set(paths).size).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['ada+sandbox.git', 'home']);
  });

  test('follows when a branch makes room for one with a longer name', async () => {
    const { host } = await openGitHost(p);
    await pushTo(p, 'a', { files: { 'a.txt': 'a\n' } });
    await host.mirror(p.at);
    await deleteBranch(p, 'a');
    await pushTo(p, 'a/b', { files: { 'a.txt': 'b\n' } });
    expect(await refsOf(await host.mirror(p.at))).toEqual(['refs/heads/a/b', 'refs/heads/main']);
  });

  test('keeps the objects of a branch that is gone: clones may be using them', async () => {
    const { host } = await openGitHost(p);
    const oid = await pushTo(p, 'a', { files: { 'a.txt': 'a\n' } });
    await host.mirror(p.at);
    await deleteBranch(p, 'a');
    const mirror = await host.mirror(p.at);
    expect(await refsOf(mirror)).toEqual(['refs/heads/main']);
    expect(await host.readFile(p.at, oid, 'a.txt')).toBe('a\n');
  });

  test('is usable again when the machine stopped in the middle of a fetch', async () => {
    const { host } = await openGitHost(p);
    const mirror = await host.mirror(p.at);
    const lock = join(mirror, 'refs', 'heads', 'main.lock');
    await writeFile(lock, '');
    const oid = await pushTo(p, 'main', { files: { 'a.txt': 'a\n' } });
    await expect(host.mirror(p.at)).rejects.toMatchObject({ retry: 'transient' });
    await utimes(lock, 0, 0);
    await host.mirror(p.at);
    expect(await git(mirror, 'rev-parse', 'main')).toBe(oid);
  });
});

describe('the credential', () => {
  test('is on no disk and in no argument', async () => {
    const { host, folder } = await openGitHost(p);
    p.pocket.faults.arm({
      on: 'request',
      match: { surface: 'git' },
      occurrence: { nth: 1 },
      effect: { kind: 'latency', ms: 1000 },
    });
    const pending = host.mirror(p.at);
    const commands = await whileWaiting();
    p.clock.advance(1000);
    await pending;
    p.pocket.faults.clear();
    const token = p.tokenOf('wren');
    const secrets = [token, Buffer.from(`x-access-token:${token}`).toString('base64')];
    const { stdout: disk } = await execa('grep', ['-rlF', ...secrets.flatMap((secret) => ['-e', secret]), folder], {
      reject: false,
    });
    expect(disk).toBe('');
    expect(commands.filter((command) => secrets.some((secret) => command.includes(secret)))).toEqual([]);
    expect(p.pocket.journal.requests().findLast((entry) => entry.surface === 'git')).toMatchObject({ actor: 'wren' });
  });

  /** The command lines of all processes, once git is on the wire. */
  async function whileWaiting(): Promise<string[]> {
    for (;;) {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
      if (p.pocket.faults.list()[0]?.hits === 1 && commands.some((command) => command.includes('remote-http')))
        return commands;
    }
  }

  test('is asked for each time; without one only public things are seen', async () => {
    p.pocket.world.tables.repositories.update(p.repository, { private: true });
    const { host } = await openGitHost(p, { as: 'anonymous' });
    await expect(host.mirror(p.at)).rejects.toMatchObject({ name: 'GitHostError' });
    const { host: stranger } = await openGitHost(p, { as: 'mallory' });
    await expect(stranger.mirror(p.at)).rejects.toMatchObject({ retry: 'permanent' });
  });
});

describe('fetching refs', () => {
  test('says where they are and brings what they hold; absent ones are left out', async () => {
    const [{ host: one }, { host: other }] = [await openGitHost(p), await openGitHost(p, { as: 'ada' })];
    const oid = await one.writeCommit(p.at, { files: { 'state.json': '1' }, parent: null, message: 'State' });
    await one.push(p.at, [{ ref: 'refs/sluice/issue-1', expected: null, to: oid }]);
    expect(await other.log(p.at, oid, 5)).toEqual([]);
    expect(await other.fetch(p.at, ['refs/sluice/issue-1', 'refs/sluice/issue-2'])).toEqual(
      new Map([['refs/sluice/issue-1', oid]]),
    );
    expect(await other.readFile(p.at, oid, 'state.json')).toBe('1');
  });

  test('a branch whose name ends in the name of a ref is not taken for it', async () => {
    await pushTo(p, 'refs/sluice/issue-1', { files: { 'a.txt': 'a\n' } });
    const { host } = await openGitHost(p);
    expect(await host.fetch(p.at, ['refs/sluice/issue-1'])).toEqual(new Map());
  });

  test('no answer is an error that may be gone next time', async () => {
    const { host } = await openGitHost(p, { remoteUrl: () => 'http://127.0.0.1:9/ada/sandbox.git' });
    await expect(host.fetch(p.at, ['refs/heads/main'])).rejects.toMatchObject({ retry: 'transient' });
  });

  test('only http is spoken', async () => {
    const folder = await testFolder();
    const { host } = await openGitHost(p, { remoteUrl: () => folder });
    await expect(host.mirror(p.at)).rejects.toThrow("transport 'file' not allowed");
  });
});

describe('commits', () => {
  test('hold exactly the files given, by us, at the time of our clock', async () => {
    const { host } = await openGitHost(p);
    const main = tipOf(p, 'main');
    const mirror = await host.mirror(p.at);
    const oid = await host.writeCommit(p.at, {
      files: { 'a/b/c.txt': 'c', 'a/d.txt': 'd\n', e: '' },
      parent: main,
      message: 'Write\n\nBody',
    });
    expect(await git(mirror, 'ls-tree', '-r', '--name-only', oid)).toBe('a/b/c.txt\na/d.txt\ne');
    expect(await host.readFile(p.at, oid, 'a/b/c.txt')).toBe('c');
    expect(await host.readFile(p.at, oid, 'e')).toBe('');
    expect(await git(mirror, 'log', '-1', '--format=%an <%ae> %cn %s', oid)).toBe(
      `Sluice <${IDENTITY.email}> Sluice Write`,
    );
    const at = Math.floor(p.clock.now() / 1000) * 1000;
    expect(await host.log(p.at, oid, 1)).toEqual([{ oid, parent: main, at, subject: 'Write' }]);
    expect(await refsOf(mirror)).toEqual(['refs/heads/main']);
  });

  test('a file is read from the very commit; none is null, an unknown commit an error', async () => {
    const { host } = await openGitHost(p);
    await host.mirror(p.at);
    const later = await pushTo(p, 'main', { files: { 'ümlaut.txt': 'ä\n' } });
    expect(await host.readFile(p.at, later, 'ümlaut.txt')).toBe('ä\n');
    expect(await host.readFile(p.at, later, 'nothing.txt')).toBeNull();
    expect(await host.readFile(p.at, later, '')).toBeNull();
    await expect(host.readFile(p.at, 'f'.repeat(40), 'a')).rejects.toThrow('There is no commit ffff');
  });
});

describe('squashing', () => {
  const message = 'One commit';

  async function twoCommits() {
    const { host } = await openGitHost(p);
    const from = tipOf(p, 'main');
    await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
    const tip = await pushTo(p, 'topic', { files: { 'README.md': '# Better\n' } });
    return { host, from, tip, mirror: await host.mirror(p.at) };
  }

  test('puts the whole change on top of a base that has moved', async () => {
    const { host, from, tip, mirror } = await twoCommits();
    const onto = await pushTo(p, 'main', { files: { 'other.txt': 'o\n' } });
    const oid = await host.squash(p.at, { tip, from, onto, message });
    if (oid === null) throw new Error('it should apply');
    expect(await git(mirror, 'show', '--format=%P %an', '--name-only', oid)).toBe(`${onto} Sluice\n\nREADME.md\na.txt`);
    expect(await host.readFile(p.at, oid, 'other.txt')).toBe('o\n');
  });

  test('on the base it started from it is the same tree', async () => {
    const { host, from, tip, mirror } = await twoCommits();
    const oid = await host.squash(p.at, { tip, from, onto: from, message });
    expect(await git(mirror, 'rev-parse', `${oid}^{tree}`)).toBe(await git(mirror, 'rev-parse', `${tip}^{tree}`));
  });

  test('what does not apply is null', async () => {
    const { host, from, tip } = await twoCommits();
    const onto = await pushTo(p, 'main', { files: { 'README.md': '# Other\n' } });
    expect(await host.squash(p.at, { tip, from, onto, message })).toBeNull();
  });

  test('only what changed since `from` is taken, also from a branch that was begun elsewhere', async () => {
    const { host, tip: from, mirror } = await twoCommits();
    const tip = await pushTo(p, 'topic', { files: { 'b.txt': 'b\n' } });
    const oid = await host.squash(p.at, { tip, from, onto: tipOf(p, 'main'), message });
    expect(await git(mirror, 'show', '--format=', '--name-only', String(oid))).toBe('b.txt');
  });
});

describe('the agent’s own repository', () => {
  test('commits made with the git command line reach the mirror by a bundle', async () => {
    const { host } = await openGitHost(p);
    const clone = await testFolder();
    await git(clone, 'clone', '--quiet', p.gitUrl('wren'), '.');
    const oid = await commit(clone, 'Work', { 'a.txt': 'a\n' });
    await host.mirror(p.at);
    await git(clone, 'bundle', 'create', '--quiet', 'result.bundle', 'HEAD', '^origin/main');
    expect(await host.takeBundle(p.at, join(clone, 'result.bundle'), 'HEAD')).toBe(oid);
    expect(await host.push(p.at, [{ ref: 'refs/heads/work', expected: null, to: oid }])).toEqual({ kind: 'pushed' });
    expect(tipOf(p, 'work')).toBe(oid);
  });
});
