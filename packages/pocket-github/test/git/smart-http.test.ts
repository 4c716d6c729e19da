import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FLUSH, formatPacket } from '../../src/git/protocol/pkt-line.js';
import { clone, commit, git, openGitHttpFixture, tryGit, type GitHttpFixture } from '../support/git-http-fixture.js';

let fixture: GitHttpFixture;

beforeEach(async () => {
  fixture = await openGitHttpFixture();
});

afterEach(() => fixture.close());

const refOf = async (name: string) => (await fixture.repository.listRefs()).get(name);

describe('git smart HTTP with the real git client', () => {
  test('what one client pushes another clones and fetches', async () => {
    const ada = await clone(fixture, 'ada');
    const first = await commit(ada, 'first', { 'README.md': 'hello\n' });
    await git(ada, 'push', 'origin', 'main');
    const bob = await clone(fixture, 'bob');
    expect(await readFile(join(bob, 'README.md'), 'utf8')).toBe('hello\n');
    const second = await commit(ada, 'second', { 'README.md': 'hello again\n' });
    await git(ada, 'push', 'origin', 'main');
    await git(bob, 'fetch', '--quiet', 'origin');
    expect(await git(bob, 'rev-parse', 'origin/main')).toBe(second);
    expect(fixture.pushes).toEqual([
      [{ name: 'refs/heads/main', before: null, after: first }],
      [{ name: 'refs/heads/main', before: first, after: second }],
    ]);
  });

  test.each(['0', '1', '2'])('protocol version %s clones, fetches and pushes', async (version) => {
    const ada = await clone(fixture, 'ada');
    const tip = await commit(ada, 'first', { a: '1' });
    await git(ada, '-c', `protocol.version=${version}`, 'push', 'origin', 'main', 'main:other');
    await git(fixture.folder, '-c', `protocol.version=${version}`, 'clone', '--quiet', fixture.url, 'copy');
    expect(await git(join(fixture.folder, 'copy'), 'rev-parse', 'origin/other')).toBe(tip);
    expect(fixture.requests.at(-1)?.headers['git-protocol']).toBe(version === '0' ? undefined : `version=${version}`);
  });

  test('a push with a stale lease is refused and a fresh one forces', async () => {
    const ada = await clone(fixture, 'ada');
    await commit(ada, 'first', { a: '1' });
    await git(ada, 'push', 'origin', 'main');
    const bob = await clone(fixture, 'bob');
    const theirs = await commit(bob, 'theirs', { a: '2' });
    await git(bob, 'push', 'origin', 'main');
    const mine = await commit(ada, 'mine', { a: '3' });
    const stale = await tryGit(ada, 'push', '--force-with-lease', 'origin', 'main');
    expect(stale.stderr).toContain('! [rejected]        main -> main (stale info)');
    expect(await refOf('refs/heads/main')).toBe(theirs);
    await git(ada, 'push', `--force-with-lease=main:${theirs}`, 'origin', 'main');
    expect(await refOf('refs/heads/main')).toBe(mine);
  });

  test('custom refs are pushed, fetched and deleted', async () => {
    const ada = await clone(fixture, 'ada');
    const state = await commit(ada, 'state', { 'state.json': '{}' });
    await git(ada, 'push', 'origin', 'HEAD:refs/sluice/state/7');
    const bob = await clone(fixture, 'bob');
    await git(bob, 'fetch', '--quiet', 'origin', 'refs/sluice/*:refs/sluice/*');
    expect(await git(bob, 'rev-parse', 'refs/sluice/state/7')).toBe(state);
    await git(bob, 'push', 'origin', ':refs/sluice/state/7');
    expect(await refOf('refs/sluice/state/7')).toBeUndefined();
    expect(fixture.pushes.at(-1)).toEqual([{ name: 'refs/sluice/state/7', before: state, after: null }]);
  });

  test('pull request refs are fetched but not pushed', async () => {
    const ada = await clone(fixture, 'ada');
    const tip = await commit(ada, 'first', { a: '1' });
    await git(ada, 'push', 'origin', 'main');
    await fixture.repository.updateRefs([{ name: 'refs/pull/1/head', before: null, after: tip }]);
    await git(ada, 'fetch', '--quiet', 'origin', 'refs/pull/1/head');
    const pushable = await fetch(`${fixture.url}/info/refs?service=git-receive-pack`);
    expect(await pushable.text()).not.toContain('refs/pull/1/head');
    await commit(ada, 'second', { a: '2' });
    const refused = await tryGit(ada, 'push', 'origin', 'HEAD:refs/pull/1/head');
    expect(refused.stderr).toContain('! [remote rejected] HEAD -> refs/pull/1/head (deny updating a hidden ref)');
    expect(await refOf('refs/pull/1/head')).toBe(tip);
  });

  test('an atomic push that names a pull request ref changes nothing', async () => {
    const ada = await clone(fixture, 'ada');
    await commit(ada, 'first', { a: '1' });
    const refused = await tryGit(ada, 'push', '--atomic', 'origin', 'HEAD:refs/pull/1/head', 'main');
    expect(refused.stderr).toContain('! [remote rejected] main -> main (atomic push failure)');
    expect(await fixture.repository.listRefs()).toEqual(new Map());
  });

  test('a fetch that has much to say sends it compressed', async () => {
    const ada = await clone(fixture, 'ada');
    for (let number = 0; number < 40; number += 1) await commit(ada, `commit ${number}`, { a: String(number) });
    const branches = Array.from({ length: 40 }, (_, number) => `HEAD~${number}:refs/heads/branch-${number}`);
    await git(ada, 'push', '--quiet', 'origin', ...branches);
    const bob = await clone(fixture, 'bob');
    expect((await git(bob, 'branch', '--remotes')).split('\n')).toHaveLength(40);
    expect(fixture.requests.some(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true);
  });

  test('a push of many refs moves them all', async () => {
    const ada = await clone(fixture, 'ada');
    await commit(ada, 'first', { a: '1' });
    const names = Array.from({ length: 200 }, (_, number) => `refs/heads/some/long/branch/name/number-${number}`);
    await git(ada, 'push', '--quiet', 'origin', ...names.map((name) => `HEAD:${name}`));
    expect([...(await fixture.repository.listRefs()).keys()].toSorted()).toEqual(names.toSorted());
    expect(fixture.pushes.at(-1)).toHaveLength(200);
  });

  test('a compressed push is understood', async () => {
    const ada = await clone(fixture, 'ada');
    const tip = await commit(ada, 'first', { a: '1' });
    await git(ada, 'push', '--quiet', 'origin', 'main:topic');
    const command = formatPacket(`${tip} ${'0'.repeat(40)} refs/heads/topic\0report-status`);
    const headers = { 'content-type': 'application/x-git-receive-pack-request', 'content-encoding': 'gzip' };
    const body = gzipSync(Buffer.concat([command, FLUSH]));
    await fetch(`${fixture.url}/git-receive-pack`, { method: 'POST', headers, body });
    expect(await fixture.repository.listRefs()).toEqual(new Map());
  });

  test('20 MB travel both ways, in chunks', async () => {
    const ada = await clone(fixture, 'ada');
    await git(ada, 'config', 'core.compression', '0');
    const large = randomBytes(20 * 1024 * 1024);
    await commit(ada, 'large', { 'large.bin': large });
    await git(ada, 'push', '--quiet', 'origin', 'main');
    expect(fixture.requests.at(-1)?.headers['transfer-encoding']).toBe('chunked');
    const bob = await clone(fixture, 'bob');
    expect((await readFile(join(bob, 'large.bin'))).equals(large)).toBe(true);
  });

  test('the repository is readable while a push is under way', async () => {
    const ada = await clone(fixture, 'ada');
    const tip = await commit(ada, 'first', { a: '1' });
    await git(ada, 'push', 'origin', 'main');
    await commit(ada, 'second', { a: '2' });
    fixture.policy = async () => {
      const bob = await clone(fixture, 'bob');
      expect(await git(bob, 'rev-parse', 'HEAD')).toBe(tip);
      expect((await fixture.repository.commit(tip))?.message).toBe('first\n');
      return null;
    };
    await git(ada, 'push', 'origin', 'main');
    expect(await refOf('refs/heads/main')).not.toBe(tip);
  });

  test('of two pushes that race for one ref exactly one wins', async () => {
    const ada = await clone(fixture, 'ada');
    await commit(ada, 'first', { a: '1' });
    await git(ada, 'push', 'origin', 'main');
    const bob = await clone(fixture, 'bob');
    const tips = [await commit(ada, 'mine', { a: '2' }), await commit(bob, 'theirs', { a: '3' })];
    // Neither goes on before both have arrived: both saw the same old value.
    let arrived = 0;
    const gate = new EventEmitter();
    fixture.policy = async () => {
      arrived += 1;
      if (arrived === 2) gate.emit('open');
      else await once(gate, 'open');
      return null;
    };
    const runs = await Promise.all([ada, bob].map((path) => tryGit(path, 'push', 'origin', 'main')));
    const winner = runs.findIndex(({ exitCode }) => exitCode === 0);
    expect(runs.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    expect(await refOf('refs/heads/main')).toBe(tips[winner]);
    expect(new Set(fixture.pushes.slice(-2).map((updates) => updates.length))).toEqual(new Set([0, 1]));
  });

  test('partial clones and any object by id are served', async () => {
    const ada = await clone(fixture, 'ada');
    const first = await commit(ada, 'first', { a: 'unfetched\n' });
    await commit(ada, 'second', { a: '2' });
    await git(ada, 'push', 'origin', 'main');
    await git(fixture.folder, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', fixture.url, 'partial');
    const partial = join(fixture.folder, 'partial');
    expect(await git(partial, 'rev-list', '--objects', '--all', '--missing=print')).toContain('?');
    await git(fixture.folder, 'init', '--quiet', 'empty');
    // Protocol 2 allows it anyway.
    await git(join(fixture.folder, 'empty'), '-c', 'protocol.version=0', 'fetch', '--quiet', fixture.url, first);
    expect(await git(join(fixture.folder, 'empty'), 'rev-parse', 'FETCH_HEAD')).toBe(first);
  });
});

describe('what is not smart HTTP', () => {
  test('the dumb protocol is refused', async () => {
    expect((await fetch(`${fixture.url}/info/refs`)).status).toBe(403);
    expect((await fetch(`${fixture.url}/info/refs?service=git-archive`)).status).toBe(403);
    expect((await fetch(`${fixture.url}/HEAD`)).status).toBe(404);
  });

  test.each([
    [415, { 'content-type': 'text/plain' }, '0000'],
    [415, { 'content-type': 'application/x-git-receive-pack-request', 'content-encoding': 'br' }, '0000'],
    [400, { 'content-type': 'application/x-git-receive-pack-request' }, 'not a packet'],
    [400, { 'content-type': 'application/x-git-receive-pack-request' }, '00'],
    [400, { 'content-type': 'application/x-git-receive-pack-request', 'content-encoding': 'gzip' }, 'not gzip'],
  ])('a push that cannot be understood is answered with %i', async (status, headers, body) => {
    const response = await fetch(`${fixture.url}/git-receive-pack`, { method: 'POST', headers: { ...headers }, body });
    expect(response.status).toBe(status);
  });

  test('the empty probe before a large push is answered with nothing', async () => {
    const headers = { 'content-type': 'application/x-git-receive-pack-request' };
    const response = await fetch(`${fixture.url}/git-receive-pack`, { method: 'POST', headers, body: '0000' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
