import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Occurrence, RefEffect, RefMatch } from '../../src/faults/fault.js';
import { parseSeed } from '../../src/seed/parse-seed.js';
import { plantSeed } from '../../src/seed/plant-seed.js';
import { tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { commit, git, tryGit } from '../support/git-http-fixture.js';

/* What github.com says to pushes that are in order, as the git command line hears it. */

let p: TestPocket;
let folder: string;
freshPocketEachTest((pocket) => {
  p = pocket;
});

beforeEach(async () => {
  p.pocket.faults.clear();
  folder = await mkdtemp(join(tmpdir(), 'pocket-push-'));
  await git(folder, 'clone', '--quiet', p.gitUrl('wren'), '.');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const arm = (effect: RefEffect, match: RefMatch = {}, occurrence: Occurrence = { times: 1 }) =>
  p.pocket.faults.arm({ on: 'ref', match, occurrence, effect });

/** What `git push` says, without the padding git adds. */
async function push(...args: readonly string[]) {
  const { exitCode, stderr } = await tryGit(folder, 'push', p.gitUrl('wren'), ...args);
  return { done: exitCode === 0, says: stderr.replaceAll(/ +$/gm, '') };
}

describe('a ref refused for a moment', () => {
  test.each([
    ['failed', '(failed)', ''],
    ['failure', '(failure)', 'remote: fatal error in commit_refs'],
    ['Internal Server Error', '(Internal Server Error)', 'remote: Internal Server Error'],
    ['cannot lock ref', "(cannot lock ref 'refs/heads/work')", ''],
    ['shard is resting', '(shard is resting)', ''],
  ])('says %s, does not move, and moves with the next push', async (reason, brackets, remote) => {
    const from = p.pocket.journal.lastSeq();
    const head = await commit(folder, 'work', { 'a.txt': `${reason}\n` });
    const id = arm({ kind: 'refuse-ref', reason });
    const first = await push('HEAD:refs/heads/work');
    expect(first.says).toContain(`! [remote rejected] HEAD -> work ${brackets}`);
    expect(first.says).toContain(remote);
    expect(first.done).toBe(false);
    expect(await git(folder, 'ls-remote', p.gitUrl('wren'), 'refs/heads/work')).toBe('');
    expect(await push('HEAD:refs/heads/work')).toMatchObject({ done: true });
    expect(tipOf(p, 'work')).toBe(head);
    const reasonGiven = brackets.slice(1, -1);
    const ref = { name: 'refs/heads/work', before: null, after: head };
    expect(p.pocket.journal.pushes(from)).toMatchObject([
      {
        repository: 'ada/sandbox',
        actor: 'wren',
        fault: `refuse-ref#${id}`,
        refs: [{ ...ref, moved: false, refused: reasonGiven }],
      },
      { fault: null, refs: [{ ...ref, moved: true, refused: null }] },
    ]);
    const exchanges = p.pocket.journal
      .requests(from)
      .filter(({ operation }) => operation === 'git-receive-pack exchange');
    expect(exchanges).toMatchObject([
      { fault: `refuse-ref#${id}`, applied: false, status: 200 },
      { fault: null, applied: true },
    ]);
  });

  test('takes the whole push with it when that is atomic, and only itself when not', async () => {
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    arm({ kind: 'refuse-ref', reason: 'failed' }, { ref: 'refs/sluice/*' }, { times: 2 });
    const both = ['HEAD:refs/sluice/issue-1', 'HEAD:refs/heads/work'];
    const { says } = await push('--atomic', ...both);
    expect(says).toContain('! [remote rejected] HEAD -> refs/sluice/issue-1 (failed)');
    expect(says).toContain('! [remote rejected] HEAD -> work (atomic push failure)');
    expect(await git(folder, 'ls-remote', p.gitUrl('wren'), 'refs/heads/work', 'refs/sluice/*')).toBe('');
    expect((await push(...both)).says).toContain('[new branch]');
    expect(await push('--atomic', ...both)).toMatchObject({ done: true });
  });

  test('hits only the repository, ref and person it is for, and not what a rule refuses anyway', async () => {
    protectMain(p, { requirePullRequest: true });
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    arm({ kind: 'refuse-ref', reason: 'failed' }, { repository: 'ada/other' });
    arm({ kind: 'refuse-ref', reason: 'failed' }, { actor: 'ada' });
    arm({ kind: 'refuse-ref', reason: 'failed' }, { repository: 'ada/sandbox', ref: 'refs/heads/main' });
    expect((await push('HEAD:refs/heads/main')).says).toContain('(protected branch hook declined)');
    expect(await push('HEAD:refs/heads/work')).toMatchObject({ done: true });
    expect(p.pocket.faults.list().filter(({ seen }) => seen > 0)).toEqual([]);
  });
});

describe('a ref refused for good', () => {
  test('by a hook of the server: its own words', async () => {
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    arm({ kind: 'pre-receive', lines: ['Every commit names a ticket.', 'Ask in #release.'] }, {}, { always: true });
    for (let turn = 0; turn < 2; turn += 1) {
      const { done, says } = await push('HEAD:refs/heads/main');
      expect(done).toBe(false);
      expect(says).toContain('remote: Every commit names a ticket.\nremote: Ask in #release.');
      expect(says).toContain('! [remote rejected] HEAD -> main (pre-receive hook declined)');
    }
  });

  test('by rules that are not modelled: in the form of rulesets', async () => {
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    arm({ kind: 'rule-violations', violations: ['Commits must have verified signatures.'] }, {}, { always: true });
    const { says } = await push('HEAD:refs/heads/main');
    expect(says).toContain(
      [
        'remote: error: GH013: Repository rule violations found for refs/heads/main.',
        'remote:',
        'remote: - Commits must have verified signatures.',
      ].join('\n'),
    );
    expect(says).toContain('! [remote rejected] HEAD -> main (push declined due to repository rule violations)');
  });

  test('by push protection: where the secret is', async () => {
    const head = await commit(folder, 'work', { 'a.txt': 'a\n' });
    arm({ kind: 'push-protection', secret: 'Example API Key', path: 'a.txt:1' }, {}, { always: true });
    const { says } = await push('HEAD:refs/heads/main');
    expect(says).toContain('remote: error: GH013: Repository rule violations found for refs/heads/main.');
    expect(says).toContain('remote: - GITHUB PUSH PROTECTION');
    expect(says).toContain('remote:     - Push cannot contain secrets');
    expect(says).toMatch(new RegExp(`- commit: ${head}\\n.*path: a.txt:1`));
  });
});

describe('a push with a token that is not known everywhere yet', () => {
  const appUrl = async () => {
    const { data } = await p
      .rest('app-jwt')
      .rest.apps.createInstallationAccessToken({ installation_id: p.installation.id });
    return p.gitUrl('wren').replace(/\/\/.*@/, `//x-access-token:${data.token}@`);
  };

  test('is denied while the token is younger than a minute, as often as said', async () => {
    const from = p.pocket.journal.lastSeq();
    const effect = { kind: 'young-token', youngerThanMs: 60_000 } as const;
    const id = p.pocket.faults.arm({ on: 'push', match: {}, occurrence: { times: 2 }, effect });
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    const url = await appUrl();
    const pushIt = async () => tryGit(folder, 'push', url, 'HEAD:refs/heads/work');
    const { exitCode, stderr } = await pushIt();
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('remote: Permission to ada/sandbox.git denied to sluice-dev[bot].');
    expect(stderr).toContain('The requested URL returned error: 403');
    expect(p.pocket.journal.requests(from).at(-1)).toMatchObject({ status: 403, fault: `young-token#${id}` });
    expect(await push('HEAD:refs/heads/by-a-person')).toMatchObject({ done: true });
    await git(folder, 'fetch', '--quiet', url);
    p.clock.advance(60_000);
    expect(await pushIt()).toMatchObject({ exitCode: 0 });
    expect(p.pocket.faults.list()).toMatchObject([{ seen: 1, hits: 1 }]);
    const again = await appUrl();
    expect(await tryGit(folder, 'push', again, 'HEAD:refs/heads/more')).not.toMatchObject({ exitCode: 0 });
    expect(await tryGit(folder, 'push', again, 'HEAD:refs/heads/more')).toMatchObject({ exitCode: 0 });
  });
});

describe('pushes to one repository', () => {
  test('are counted by the minute, whoever pushes what', async () => {
    p.clock.advance(60_000);
    const from = p.pocket.journal.lastSeq();
    const counts = () => p.pocket.journal.pushes(from).map(({ inLastMinute }) => inLastMinute);
    await push('HEAD:refs/heads/one');
    await tryGit(folder, 'push', p.gitUrl('ada'), 'HEAD:refs/heads/two', 'HEAD:refs/kept/two');
    p.clock.advance(59_999);
    await push('HEAD:refs/heads/three');
    expect(counts()).toEqual([1, 2, 3]);
    p.clock.advance(1);
    await push('HEAD:refs/heads/four');
    expect(counts()).toEqual([1, 2, 3, 2]);
  });

  test('are refused above a number if one is given, until the minute is over', async () => {
    const q = await openPocket({ pushesPerMinute: 2 });
    const pushTo = async (name: string) => {
      const { stderr } = await tryGit(folder, 'push', q.gitUrl('wren'), `HEAD:refs/heads/${name}`);
      return stderr;
    };
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    for (const name of ['one', 'two']) expect(await pushTo(name)).toContain('[new branch]');
    expect(await pushTo('three')).toContain('! [remote rejected] HEAD -> three (failed)');
    expect(await pushTo('three')).toContain('(failed)');
    expect(q.pocket.journal.pushes().map(({ inLastMinute, fault }) => [inLastMinute, fault])).toEqual([
      [1, null],
      [2, null],
      [3, 'pushes-per-minute'],
      [4, 'pushes-per-minute'],
    ]);
    q.clock.advance(60_000);
    expect(await pushTo('three')).toContain('[new branch]');
    await q.close();
  });
});

describe('such a fault can be set', () => {
  test('by the control API, which says what is wrong with it', async () => {
    const post = (fault: unknown) =>
      fetch(`${p.pocket.urls.html}/_pocket/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
    const fault = { on: 'ref', match: { ref: 'refs/heads/*' }, occurrence: { times: 1 } };
    const wrong = await post({ ...fault, effect: { kind: 'pre-receive', words: 'no' } });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain('lines');
    expect((await post({ ...fault, effect: { kind: 'refuse-ref', reason: 'failed' } })).status).toBe(201);
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    expect((await push('HEAD:refs/heads/work')).says).toContain('(failed)');
  });

  test('by a seed', async () => {
    const text = `
users: [{ login: otto }]
repositories: [{ name: otto/reef, files: { a: "1" } }]
faults:
  - { on: ref, match: { repository: otto/reef, ref: refs/heads/main }, occurrence: { always: true }, effect: { kind: pre-receive, lines: [Reef is closed.] } }
`;
    const seed = parseSeed(text, 'world.yml');
    const { tokens } = await plantSeed(p.pocket.world, seed, null, p.pocket.faults);
    const url = p.gitUrl('anonymous', 'otto/reef').replace('//', `//otto:${tokens['otto']}@`);
    await git(folder, 'fetch', '--quiet', url, 'main');
    await git(folder, 'checkout', '--quiet', 'FETCH_HEAD');
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    const { stderr } = await tryGit(folder, 'push', url, 'HEAD:refs/heads/main');
    expect(stderr).toContain('remote: Reef is closed.');
    await expect(plantSeed(p.pocket.world, seed, null)).rejects.toThrow('the seed has faults');
  });
});
