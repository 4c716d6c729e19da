import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Oid } from '../../../../src/domain/issue/ids.js';
import type { GitHost } from '../../../../src/ports/git-host.js';
import type { RequestEffect } from '#pocket-github';
import { findRef } from '#pocket-github/testing';
import { tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost } from '../../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

const STATE = 'refs/sluice/issue-1';

let p: TestPocket;
let host: GitHost;
let main: Oid;
freshPocketEachTest((pocket) => {
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

/* What a push does is in the contract; here is what becomes of it on a bad line. */

describe('a push', () => {
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
