import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Oid } from '../../src/domain/ids.js';
import type { GitHost } from '../../src/ports/git-host.js';
import type { RequestEffect } from '../../src/pocket/github/faults/fault.js';
import { findRef } from '../../src/pocket/github/world/lookup.js';
import { tipOf } from '../support/branches.js';
import { freshEachTest } from '../support/fresh-pocket.js';
import { openGitHost } from '../support/git-host.js';
import type { TestPocket } from '../support/pocket.js';
import { protectMain } from '../support/protection.js';

const STATE = 'refs/sluice/issue-1';

let p: TestPocket;
let host: GitHost;
let main: Oid;
freshEachTest((pocket) => {
  p = pocket;
});

beforeEach(async () => {
  p.pocket.faults.clear();
  ({ host } = await openGitHost(p));
  await host.mirror(p.at);
  main = tipOf(p, 'main');
});

const commitOf = (message: string, parent: Oid | null = main): Promise<Oid> =>
  host.writeCommit(p.at, { files: { 'a.txt': message }, parent, message });
const at = (ref: string): Oid | null => findRef(p.pocket.world.tables, p.repository.id, ref)?.oid ?? null;
const arm = (effect: RequestEffect): void => {
  p.pocket.faults.arm({
    on: 'request',
    match: { operation: 'git-receive-pack exchange' },
    occurrence: { nth: 1 },
    effect,
  });
};

describe('a push', () => {
  test('makes, moves and deletes refs from where they are expected', async () => {
    const [one, two] = [await commitOf('one'), await commitOf('two', null)];
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
      expect(await host.push(p.at, refs)).toEqual({ kind: 'lost' });
    }
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
    const one = await commitOf('one');
    const refs = [
      { ref: STATE, expected: null, to: one },
      { ref: 'refs/heads/main', expected: main, to: one },
    ];
    const result = await host.push(p.at, refs);
    expect(result).toMatchObject({ kind: 'refused', ref: 'refs/heads/main' });
    expect(result).toMatchObject({
      why: expect.stringMatching(
        /protected branch hook declined[^]*GH006[^]*Changes must be made through a pull request/,
      ),
    });
    expect([at(STATE), at('refs/heads/main')]).toEqual([null, main]);
  });

  test('is refused to somebody who may only read', async () => {
    const { host: reader } = await openGitHost(p, { as: 'rita' });
    await reader.mirror(p.at);
    const to = await reader.writeCommit(p.at, { files: {}, parent: main, message: 'x' });
    expect(await reader.push(p.at, [{ ref: STATE, expected: null, to }])).toMatchObject({
      kind: 'refused',
      ref: STATE,
    });
  });

  test.each<[string, RequestEffect, boolean]>([
    ['a 502 before anything happened', { kind: 'status', status: 502, when: 'before' }, false],
    ['a 502 after everything happened', { kind: 'status', status: 502, when: 'after' }, true],
    ['a 403 of something in between', { kind: 'status', status: 403, when: 'after' }, true],
    ['a credential that ended in the middle', { kind: 'unauthorized' }, false],
  ])('%s is an unknown outcome', async (_, effect, applied) => {
    const one = await commitOf('one');
    arm(effect);
    await expect(host.push(p.at, [{ ref: STATE, expected: null, to: one }])).rejects.toMatchObject({
      retry: 'transient',
    });
    expect(at(STATE)).toBe(applied ? one : null);
  });

  test('sent twice by curl because the connection broke after the deed, it is still ours', async () => {
    const one = await commitOf('one');
    arm({ kind: 'reset', when: 'after' });
    expect(await host.push(p.at, [{ ref: STATE, expected: null, to: one }])).toEqual({ kind: 'pushed' });
    expect(p.pocket.faults.list()).toMatchObject([{ seen: 2 }]);
  });

  test('nobody listens: an error that may be gone next time', async () => {
    const { host: lonely } = await openGitHost(p, { remoteUrl: () => 'http://127.0.0.1:9/ada/sandbox.git' });
    const to = await lonely.writeCommit(p.at, { files: {}, parent: null, message: 'x' });
    await expect(lonely.push(p.at, [{ ref: STATE, expected: null, to }])).rejects.toMatchObject({ retry: 'transient' });
  });
});
