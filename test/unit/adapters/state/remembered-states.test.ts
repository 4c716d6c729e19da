import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryHintStore } from '../../../../src/adapters/redis/memory-hint-store.js';
import { withRememberedStates } from '../../../../src/adapters/state/remembered-states.js';
import { createStateSealFormat } from '../../../../src/adapters/state/state-seal.js';
import { createStateStore } from '../../../../src/adapters/state/state-store.js';
import type { Oid } from '../../../../src/domain/issue/ids.js';
import { toKnownState } from '../../../../src/domain/state/known-state.js';
import { EMPTY_STATE, type IssueState } from '../../../../src/domain/state/state.js';
import type { GitHost } from '../../../../src/ports/git-host.js';
import type { HintStore } from '../../../../src/ports/hint-store.js';
import type { StateStore, StateSubject } from '../../../../src/ports/state-store.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET } from '../../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* Which state is the newest, with real git. */

const REF = 'refs/sluice/issue-7';
const SIGNING = { keys: { current: { id: 'k1', secret: 'secret' } }, acceptUnsigned: false };
const marks = createStateSealFormat(SIGNING);

let p: TestPocket;
let subject: StateSubject;
freshPocketEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  subject = { ref: { ...p.at, number: 7 }, repositoryDatabaseId: p.repository.id };
});

interface Instance {
  readonly host: GitHost;
  readonly store: StateStore;
}

/** A service instance with a disk of its own, and a Redis it may share. */
async function instance(hints: HintStore = createMemoryHintStore(p.clock)): Promise<Instance> {
  const { host } = await openGitHost(p, { as: 'wren' });
  const stored = createStateStore({ gitHost: host, signing: SIGNING, owner: 'one', clock: p.clock, log: QUIET });
  return {
    host,
    store: withRememberedStates(stored, { gitHost: host, hints, host: 'github', seals: marks, log: QUIET }),
  };
}

const state = (epoch: number, more: Partial<IssueState> = {}): IssueState => ({ ...EMPTY_STATE, epoch, ...more });

async function swapped({ store }: Instance, expected: Oid | null, next: IssueState): Promise<Oid> {
  const result = await store.swap({ subject, expected, next, because: 'a reason' });
  if (result.kind !== 'swapped') throw new Error(`not swapped: ${JSON.stringify(result)}`);
  return result.oid;
}

const seal = (epoch: number, oid: Oid): string => marks.format(subject, toKnownState(state(epoch), oid)) ?? '';

test('an older state is found out by Redis, and by a seal when Redis has forgotten', async () => {
  const one = await instance();
  const first = await swapped(one, null, state(1));
  const second = await swapped(one, first, state(2));
  await one.host.push(p.at, [{ ref: REF, expected: second, to: first }]);
  const known = { epoch: 2, oid: second };
  expect(await one.store.read(subject, null)).toMatchObject({ kind: 'unverifiable', oid: first, known });
  const fresh = await instance();
  expect(await fresh.store.read(subject, null, [seal(2, second)])).toMatchObject({ kind: 'unverifiable', known });
  expect(await fresh.store.read(subject, null)).toMatchObject({ kind: 'valid', oid: first });
});

test('in one epoch the history tells which came later', async () => {
  const one = await instance();
  const first = await swapped(one, null, state(1));
  const second = await swapped(one, first, state(1, { spentUsd: 1 }));
  const third = await swapped(one, second, state(1, { spentUsd: 2 }));
  const fresh = await instance();
  expect(await fresh.store.read(subject, null, [seal(1, first)])).toMatchObject({ kind: 'valid', oid: third });
  await one.host.push(p.at, [{ ref: REF, expected: third, to: second }]);
  const forgetful = await instance();
  const read = await forgetful.store.read(subject, null, [seal(1, third)]);
  expect(read).toMatchObject({ kind: 'unverifiable', oid: second });
});

test('a merge over the newest state is no state, from GitHub’s answer and from git', async () => {
  const one = await instance();
  const first = await swapped(one, null, state(1));
  const second = await swapped(one, first, state(2));
  const merged = await one.host.merge(p.at, { first, second, take: 'first', message: 'Merge' });
  await one.host.push(p.at, [{ ref: REF, expected: second, to: merged ?? '' }]);
  const why = 'its commit has more than one parent, which no state of ours has';
  const fresh = await instance();
  expect(await fresh.store.read(subject, null)).toMatchObject({ kind: 'unverifiable', why });
  const raw = { oid: merged ?? '', parents: [first, second], text: '{}' };
  expect(await fresh.store.read(subject, raw)).toMatchObject({ kind: 'unverifiable', why });
  // Who replaces it builds on it.
  const replaced = await swapped(fresh, merged, state(3));
  expect(await one.store.read(subject, null)).toMatchObject({ kind: 'valid', oid: replaced });
});

test('a Redis that does not answer keeps nobody from looking or writing', async () => {
  const broken = new Proxy(createMemoryHintStore(p.clock), {
    get: () => () => Promise.reject(new Error('Redis is away')),
  });
  const one = await instance(broken);
  const first = await swapped(one, null, state(1));
  expect(await one.store.read(subject, null)).toMatchObject({ kind: 'valid', oid: first });
});

test('a seal counts for its own issue, repository and key only', async () => {
  const one = await instance();
  const first = await swapped(one, null, state(1));
  const known = toKnownState(state(9), 'b'.repeat(40));
  const foreign = [
    marks.format({ ...subject, repositoryDatabaseId: 1 }, known),
    marks.format({ ...subject, ref: { ...subject.ref, number: 8 } }, known),
    createStateSealFormat({ keys: { current: { id: 'k1', secret: 'other' } } }).format(subject, known),
    createStateSealFormat({ keys: { current: { id: 'k2', secret: 'secret' } } }).format(subject, known),
  ].map((mark) => mark ?? '');
  expect(await one.store.read(subject, null, foreign)).toMatchObject({ kind: 'valid', oid: first });
  expect(await one.store.read(subject, null, [seal(9, 'b'.repeat(40))])).toMatchObject({ kind: 'unverifiable' });
});
