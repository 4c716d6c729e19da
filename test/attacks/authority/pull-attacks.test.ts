import { describe, expect, test } from '@jest/globals';
import { LEASE_MS } from '../../../src/domain/state/lease-owner.js';
import { acquireLease } from '../../../src/usecases/phases/lease.js';
import { start } from '../../../src/usecases/intent/start.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { forgetfulAgent } from '../../support/agent/forgetful-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { pullAttackFixture, WORK } from '../../support/github/pull-attack-fixture.js';
import { openStrangerFork } from '../../support/github/stranger-fork.js';

/* A7: a stranger opens pull requests from a fork's branch that is named as ours is. In by webhook. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const { ours, theirs, touched, deleteOnMerge, driven, goneOn } = pullAttackFixture(() => p, atWork);
const wren = () => ({ id: p.users.wren.id, login: 'wren' });

const CASES = [10, 30].flatMap((count) => [true, false].map((deletes) => ({ count, deletes })));

describe('A7: pull requests from a fork’s branch of our name, opened and closed one after another', () => {
  test.each(CASES)('during review hide nothing ($count, delete on merge: $deletes)', async ({ count, deletes }) => {
    await deleteOnMerge(deletes);
    const before = await driven('/auto --stop-at review');
    await (await openStrangerFork(p, WORK)).openAndClose(count);
    await before.settle();
    await before.say('wren', 1, '/auto');
    const harness = await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await harness.labels(1)).toContain('phase/done');
    expect(await theirs()).toHaveLength(count);
    expect(await touched()).toEqual([]);
  });

  test.each(CASES)('after the merge hide nothing ($count, delete on merge: $deletes)', async ({ count, deletes }) => {
    await deleteOnMerge(deletes);
    const before = await driven('/auto --stop-at merge');
    const [merged] = await ours();
    expect(merged).toMatchObject({ state: 'merged' });
    await (await openStrangerFork(p, WORK)).openAndClose(count);
    await before.say('wren', 1, '/auto');
    const harness = await goneOn(before);
    expect(await ours()).toEqual([merged]);
    expect(await harness.labels(1)).toContain('phase/done');
    expect(await touched()).toEqual([]);
  });

  test.each([10, 30])(
    'before a verification that fails lead to no other pull request than it asks for (%d)',
    async (count) => {
      const before = await driven('/auto --stop-at merge', { agent: forgetfulAgent });
      await (await openStrangerFork(p, WORK)).openAndClose(count);
      await before.say('wren', 1, '/auto');
      const harness = await goneOn(before, { agent: forgetfulAgent });
      expect(await ours()).toMatchObject([{ state: 'merged' }, { state: 'merged' }]);
      expect(await harness.labels(1)).toContain('phase/done');
      expect(await theirs()).toHaveLength(count);
    },
  );

  test.each([10, 30])(
    'while a verification was cut off, which had removed the branch, hide nothing (%d)',
    async (count) => {
      const before = await driven('/auto --stop-at merge');
      const { engine } = before.instance;
      const started = await start(engine, { ref: { ...p.at, number: 1 }, at: p.clock.now(), by: wren(), options: {} });
      if (started.kind !== 'started') throw new Error(`it did not go on: ${started.kind}`);
      const lease = await acquireLease(engine, started.snapshot, 'verify', 'it landed');
      lease?.abandon();
      p.clock.advance(LEASE_MS);
      await (await openStrangerFork(p, WORK)).openAndClose(count);
      const harness = await goneOn(before);
      expect(await ours()).toMatchObject([{ state: 'merged' }]);
      expect(await harness.labels(1)).toContain('phase/done');
    },
  );
});

describe('A7: a pull request from a fork’s branch of our name that is open', () => {
  test('is not taken for ours while we have none', async () => {
    const harness = await driven('/auto', {}, async () => {
      await (await openStrangerFork(p, WORK)).open();
    });
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await theirs()).toMatchObject([{ state: 'open' }]);
    expect(await harness.labels(1)).toContain('phase/done');
    expect(await touched()).toEqual([]);
  });

  test('is not taken for ours although it is newer, and is neither merged nor closed', async () => {
    const before = await driven('/auto --stop-at review');
    const foreign = await (await openStrangerFork(p, WORK)).open();
    await before.say('wren', 1, '/auto');
    const harness = await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await theirs()).toEqual([{ number: foreign, author: 'mallory', state: 'open' }]);
    expect(await harness.labels(1)).toContain('phase/done');
  });

  test('says nothing about the work when its fork is gone', async () => {
    const before = await driven('/auto --stop-at review');
    const stranger = await openStrangerFork(p, WORK);
    await stranger.open();
    await stranger.deleteFork();
    await before.say('wren', 1, '/auto');
    await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await theirs()).toMatchObject([{ state: 'closed' }]);
  });
});
