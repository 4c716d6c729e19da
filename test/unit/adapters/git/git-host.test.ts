import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { deleteBranch, pushTo, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { IDENTITY, openGitHost, testFolder } from '../../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { commit, git } from '#pocket-github/test/git-http-fixture';
import { until } from '../../../support/until.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
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
    const seen: { commands: string[] } = { commands: [] };
    await until('git waits for an answer', async () => {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      seen.commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
      return p.pocket.faults.list()[0]?.hits === 1 && seen.commands.some((command) => command.includes('remote-http'));
    });
    return seen.commands;
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
  test('are in the mirror, and leave its branches alone', async () => {
    const { host } = await openGitHost(p);
    const mirror = await host.mirror(p.at);
    const files = { 'a/b/c.txt': 'c', 'a/d.txt': 'd\n', e: '' };
    const oid = await host.writeCommit(p.at, { files, parent: tipOf(p, 'main'), message: 'Write\n\nBody' });
    expect(await git(mirror, 'ls-tree', '-r', '--name-only', oid)).toBe('a/b/c.txt\na/d.txt\ne');
    expect(await git(mirror, 'log', '-1', '--format=%an <%ae> %cn %s', oid)).toBe(
      `Sluice <${IDENTITY.email}> Sluice Write`,
    );
    expect(await refsOf(mirror)).toEqual(['refs/heads/main']);
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

describe('a commit that GitHub does not take', () => {
  const DAY = 24 * 60 * 60_000;
  const KEPT = /^refs\/sluice-kept\//;

  test('is kept under a name of its own, and fetching changes nothing about that', async () => {
    const { host } = await openGitHost(p);
    const oid = await host.writeCommit(p.at, { files: { 'a.txt': 'a' }, parent: null, message: 'Work' });
    const { mirror, name } = await host.keep(p.at, { name: '1-run', commit: oid });
    await host.mirror(p.at);
    expect(await git(mirror, 'rev-parse', name)).toBe(oid);
    p.clock.advance(DAY);
    expect(await host.keep(p.at, { name: '1-run', commit: oid })).toEqual({ mirror, name });
  });

  test('gives its name up to newer ones when it is old, or there are very many', async () => {
    const { host } = await openGitHost(p);
    const keep = async (text: string) => {
      const commit = await host.writeCommit(p.at, { files: { 'a.txt': text }, parent: null, message: text });
      p.clock.advance(1);
      return host.keep(p.at, { name: text, commit });
    };
    const old = await keep('old');
    p.clock.advance(31 * DAY);
    const names = [];
    for (let index = 0; index < 52; index += 1) names.push((await keep(`work-${index}`)).name);
    const kept = (await refsOf(old.mirror)).filter((name) => KEPT.test(name));
    expect(kept.sort()).toEqual(names.slice(-50).sort());
    p.clock.advance(31 * DAY);
    const { name } = await keep('last');
    expect((await refsOf(old.mirror)).filter((one) => KEPT.test(one))).toEqual([name]);
  });
});
