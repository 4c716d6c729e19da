import { beforeEach, describe, expect, test } from '@jest/globals';
import { createStateStore } from '../../../src/adapters/state/state-store.js';
import type { Signing } from '../../../src/adapters/state/state-text.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import { EMPTY_STATE, type IssueState } from '../../../src/domain/state/state.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { RawState, StateStore, StateSubject, SwapResult } from '../../../src/ports/state-store.js';
import type { RequestEffect } from '#pocket-github';
import { findRef } from '#pocket-github/testing';
import { tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET } from '../../support/git/git-host.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';
import { protectMain } from '#pocket-github/test/branch-protection';
import { git } from '#pocket-github/test/git-http-fixture';

const REF = 'refs/sluice/issue-7';
const KEYS: Signing = { keys: { current: { id: 'k1', secret: 'secret' } }, acceptUnsigned: false };

let p: TestPocket;
let subject: StateSubject;
freshPocketEachTest((pocket) => {
  p = pocket;
});

interface Instance {
  readonly store: StateStore;
  readonly host: GitHost;
}

/** A service instance with a disk of its own. */
async function instance(
  owner: string,
  { as = 'wren', signing = KEYS }: { as?: Person; signing?: Signing } = {},
): Promise<Instance> {
  const { host } = await openGitHost(p, { as });
  return { host, store: createStateStore({ gitHost: host, signing, owner, clock: p.clock, log: QUIET }) };
}

let one: Instance;
let two: Instance;

beforeEach(async () => {
  p.pocket.faults.clear();
  subject = { ref: { ...p.at, number: 7 }, repositoryDatabaseId: p.repository.id };
  [one, two] = [await instance('one'), await instance('two', { as: 'ada' })];
});

const state = (epoch: number, more: Partial<IssueState> = {}): IssueState => ({ ...EMPTY_STATE, epoch, ...more });
const at = (ref = REF): Oid | null => findRef(p.pocket.world.tables, p.repository.id, ref)?.oid ?? null;
const swap = ({ store }: Instance, expected: Oid | null, next: IssueState, because = 'a reason') =>
  store.swap({ subject, expected, next, because });

async function swapped(result: Promise<SwapResult>): Promise<Oid> {
  const settled = await result;
  if (settled.kind !== 'swapped') throw new Error(`not swapped: ${JSON.stringify(settled)}`);
  return settled.oid;
}

/** The state as one GraphQL request gives it. */
async function raw(): Promise<RawState | null> {
  const graphql = await p.graphql('wren');
  const { repository } = await graphql<{
    repository: {
      object: { oid: Oid; parents: { nodes: { oid: Oid }[] }; file: { object: { text: string | null } } } | null;
    };
  }>(
    `query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { object(expression: "${REF}") { oid ... on Commit {
      parents(first: 2) { nodes { oid } } file(path: "state.json") { object { ... on Blob { text } } } } } } }`,
    p.at,
  );
  const found = repository.object;
  return found && { oid: found.oid, parents: found.parents.nodes.map(({ oid }) => oid), text: found.file.object.text };
}

describe('reading', () => {
  test('what one instance wrote, another believes: from GitHub’s answer, and from git when that is not whole', async () => {
    const first = await swapped(swap(one, null, state(1)));
    const second = await swapped(swap(one, first, state(1, { spentUsd: 2 })));
    const expected = { kind: 'valid', oid: second, state: state(1, { spentUsd: 2 }) };
    const answer = await raw();
    expect(answer).toMatchObject({ oid: second, parents: [first] });
    expect(await two.store.read(subject, answer)).toEqual(expected);
    expect(await two.store.read(subject, { oid: second, parents: [first], text: null })).toEqual(expected);
    expect(await two.store.read(subject, null)).toEqual(expected);
  });

  test('nothing is nothing only when git says so too', async () => {
    expect(await one.store.read(subject, null)).toEqual({ kind: 'none' });
  });

  test('a ref that is no commit at all is shown, and can be replaced', async () => {
    const blob = await git(await two.host.mirror(p.at), 'rev-parse', 'main:README.md');
    expect(await two.host.push(p.at, [{ ref: REF, expected: null, to: blob }])).toEqual({ kind: 'pushed' });
    expect(await one.store.read(subject, null)).toEqual({
      kind: 'unverifiable',
      oid: blob,
      why: 'its ref does not point at a commit',
    });
    expect(at()).toBe(blob);
    const fresh = await swapped(swap(one, blob, state(1)));
    expect(await two.store.read(subject, await raw())).toMatchObject({ kind: 'valid', oid: fresh });
  });
});

describe('swapping', () => {
  test('of two competing owners exactly one wins', async () => {
    const results = await Promise.all([swap(one, null, state(1)), swap(two, null, state(1))]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['lost', 'swapped']);
    const winner = results.find((result) => result.kind === 'swapped');
    expect(at()).toBe(winner?.oid);
  });

  test('the very same words in the same second by the same owner are still two', async () => {
    const twin = await instance('one');
    const results = await Promise.all([swap(one, null, state(1)), swap(twin, null, state(1))]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['lost', 'swapped']);
  });

  test('a stale owner is refused, and has to read again', async () => {
    const first = await swapped(swap(one, null, state(1)));
    const taken = await swapped(swap(two, first, state(2)));
    expect(await swap(one, first, state(1))).toEqual({ kind: 'lost' });
    expect(await swap(one, null, state(1))).toEqual({ kind: 'lost' });
    expect(at()).toBe(taken);
  });

  test('nobody goes back to an epoch that is over', async () => {
    const first = await swapped(swap(one, null, state(5)));
    expect(await swap(two, first, state(4))).toEqual({
      kind: 'refused',
      ref: REF,
      why: 'epoch 4 is over: the state is at 5',
      isPassing: false,
    });
    expect(at()).toBe(first);
  });

  test('an instance that has never seen the state builds on it all the same', async () => {
    const first = await swapped(swap(one, null, state(1)));
    const second = await swapped(swap(two, first, state(2)));
    expect(await one.store.read(subject, await raw())).toMatchObject({ kind: 'valid', oid: second });
  });

  test('branches move with it, all or none', async () => {
    const main = tipOf(p, 'main');
    await one.host.mirror(p.at);
    const work = await one.host.writeCommit(p.at, { files: { a: 'a' }, parent: main, message: 'Work' });
    const branch = { ref: 'refs/heads/sluice/issue-7', expected: null, to: work };
    const first = await swapped(
      one.store.swap({ subject, expected: null, next: state(1), because: 'push', alongside: [branch] }),
    );
    expect([at(), at(branch.ref)]).toEqual([first, work]);
    // The branch is not where it should be: the state stays, too.
    expect(
      await one.store.swap({
        subject,
        expected: first,
        next: state(1),
        because: 'push',
        alongside: [branch, { ref: 'refs/heads/main', expected: work, to: work }],
      }),
    ).toEqual({ kind: 'blocked', moved: expect.arrayContaining(['refs/heads/main']) });
    expect(at()).toBe(first);
  });

  test('a protected branch refuses both', async () => {
    protectMain(p, { requirePullRequest: true });
    const main = tipOf(p, 'main');
    await one.host.mirror(p.at);
    const work = await one.host.writeCommit(p.at, { files: { a: 'a' }, parent: main, message: 'Work' });
    const alongside = [{ ref: 'refs/heads/main', expected: main, to: work }];
    const result = await one.store.swap({ subject, expected: null, next: state(1), because: 'land', alongside });
    expect(result).toMatchObject({
      kind: 'refused',
      ref: 'refs/heads/main',
      why: expect.stringContaining('pull request'),
    });
    expect([at(), tipOf(p, 'main')]).toEqual([null, main]);
  });

  describe.each<[string, RequestEffect]>([
    ['cut', { kind: 'reset', when: 'before' }],
    ['cut after the deed', { kind: 'reset', when: 'after' }],
    ['answered 502', { kind: 'status', status: 502, when: 'before' }],
    ['answered 502 after the deed', { kind: 'status', status: 502, when: 'after' }],
  ])('a push %s', (_, effect) => {
    const arm = (occurrence: { nth: number } | { always: true }): void => {
      p.pocket.faults.arm({ on: 'request', match: { operation: 'git-receive-pack exchange' }, occurrence, effect });
    };

    test('has happened once in the end', async () => {
      const first = await swapped(swap(one, null, state(1)));
      arm({ nth: 1 });
      const second = await swapped(swap(one, first, state(1)));
      expect(at()).toBe(second);
      expect(await one.store.history(subject)).toHaveLength(2);
    });

    test('is not taken for a success when somebody else was faster', async () => {
      const first = await swapped(swap(one, null, state(1)));
      const fast = await swapped(swap(two, first, state(2)));
      arm({ nth: 1 });
      expect(await swap(one, first, state(1))).toEqual({ kind: 'lost' });
      expect(at()).toBe(fast);
    });
  });

  test('as long as GitHub does not answer at all, nothing is claimed', async () => {
    p.pocket.faults.arm({
      on: 'request',
      match: { surface: 'git' },
      occurrence: { always: true },
      effect: { kind: 'status', status: 503, when: 'before' },
    });
    await expect(swap(one, null, state(1))).rejects.toMatchObject({ name: 'GitHostError', retry: 'transient' });
    expect(at()).toBeNull();
  });
});

describe('believing', () => {
  const reading = async (reader: Instance, about = subject) => reader.store.read(about, await raw());

  test('what somebody else put there is shown, never believed, and can be replaced', async () => {
    const first = await swapped(swap(one, null, state(1)));
    const text = (await raw())?.text ?? '';
    const tampered = await two.host.writeCommit(p.at, {
      files: { 'state.json': text.replace('"epoch": 1', '"epoch": 9') },
      parent: null,
      message: 'Mine now',
    });
    await two.host.push(p.at, [{ ref: REF, expected: first, to: tampered }]);
    expect(await reading(one)).toMatchObject({
      kind: 'unverifiable',
      oid: tampered,
      why: expect.stringContaining('does not fit'),
    });
    // Not even its epoch counts.
    const fresh = await swapped(swap(one, tampered, state(1)));
    expect(await reading(one)).toMatchObject({ kind: 'valid', oid: fresh });
  });

  test('an old state put back is not a state of now', async () => {
    const first = await swapped(swap(one, null, state(1)));
    const old = (await raw())?.text ?? '';
    const second = await swapped(swap(one, first, state(2)));
    const replayed = await one.host.writeCommit(p.at, {
      files: { 'state.json': old },
      parent: second,
      message: 'Back',
    });
    await one.host.push(p.at, [{ ref: REF, expected: second, to: replayed }]);
    expect(await reading(one)).toMatchObject({ kind: 'unverifiable' });
  });

  test('a state of another issue or of another repository', async () => {
    await swapped(swap(one, null, state(1)));
    const elsewhere = { ...subject, ref: { ...subject.ref, number: 8 } };
    expect(await reading(one, elsewhere)).toMatchObject({ kind: 'unverifiable' });
    expect(await reading(one, { ...subject, repositoryDatabaseId: 1 })).toMatchObject({ kind: 'unverifiable' });
  });

  test('another key is not ours; the one before ours is', async () => {
    await swapped(swap(one, null, state(1)));
    const current = { id: 'k2', secret: 'newer' };
    const stranger = await instance('x', { signing: { keys: { current }, acceptUnsigned: false } });
    expect(await reading(stranger)).toMatchObject({ kind: 'unverifiable', why: expect.stringContaining('the key k1') });
    const rotated = await instance('y', {
      signing: { keys: { current, previous: { id: 'k1', secret: 'secret' } }, acceptUnsigned: false },
    });
    expect(await reading(rotated)).toMatchObject({ kind: 'valid' });
  });

  test('unsigned is believed only by those who act with their own token', async () => {
    const token = await instance('cli', { signing: { keys: null, acceptUnsigned: true } });
    await swapped(swap(token, null, state(1)));
    expect(await reading(token)).toMatchObject({ kind: 'valid' });
    expect(await reading(one)).toMatchObject({ kind: 'unverifiable', why: 'nobody signed it' });
  });
});

describe('history', () => {
  test('newest first, each entry judged by itself', async () => {
    expect(await one.store.history(subject)).toEqual([]);
    const first = await swapped(swap(one, null, state(1), 'started\nby ada'));
    p.clock.advance(5000);
    const second = await swapped(swap(one, first, state(1), 'sized S'));
    const forged = await one.host.writeCommit(p.at, {
      files: { 'state.json': '{}' },
      parent: second,
      message: 'Forged',
    });
    await one.host.push(p.at, [{ ref: REF, expected: second, to: forged }]);
    const history = await (await instance('three')).store.history(subject);
    expect(history.map(({ oid, because, reading }) => [oid, because, reading.kind])).toEqual([
      [forged, 'Forged', 'unverifiable'],
      [second, 'sized S', 'valid'],
      [first, 'started by ada', 'valid'],
    ]);
    expect((history[1]?.at ?? 0) - (history[2]?.at ?? 0)).toBe(5000);
  });
});
