import { describe, expect, test } from '@jest/globals';
import { deleteBranch } from '#pocket-github/test/branches';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { pullAttackFixture, WORK } from '../../support/github/pull-attack-fixture.js';
import { openStrangerFork } from '../../support/github/stranger-fork.js';

/* A7: more pull requests from forks' branches of our name than GitHub sends at once. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const { ours, deleteOnMerge, driven, justOpened, goneOn } = pullAttackFixture(() => p, atWork);

describe('A7: many pull requests from a fork’s branch of our name', () => {
  test('hide nothing that is written down, however many they are', async () => {
    await deleteOnMerge(true);
    const before = await driven('/auto --stop-at merge');
    await (await openStrangerFork(p, WORK)).addClosedCopies(1_100);
    await before.say('wren', 1, '/auto');
    const since = p.pocket.journal.lastSeq();
    const harness = await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await harness.labels(1)).toContain('phase/done');
    const asked = p.pocket.journal.requests(since).map(({ operation }) => operation);
    expect(asked).not.toContain('OlderPulls');
  });

  test('hide no pull request that a person merged before it was written down', async () => {
    await deleteOnMerge(true);
    const { number } = await justOpened();
    await p.rest('wren').rest.pulls.merge({ ...p.at, pull_number: number, merge_method: 'squash' });
    await (await openStrangerFork(p, WORK)).openAndClose(30);
    const harness = await goneOn(null);
    expect(await ours()).toMatchObject([{ number, state: 'merged' }]);
    expect(await harness.labels(1)).toContain('phase/done');
  });

  test('hide no pull request that was closed with its branch before it was written down', async () => {
    const { number } = await justOpened();
    await deleteBranch(p, WORK);
    await (await openStrangerFork(p, WORK)).openAndClose(30);
    const harness = await goneOn(null);
    expect(await ours()).toMatchObject([{ number, state: 'closed' }]);
    expect((await harness.state(1)).halt).toMatchObject({ code: 'pr-closed' });
    expect(harness.instance.runs()).toBe(0);
  });

  test('are searched through only so far; then a person is asked, and nothing is written again', async () => {
    await justOpened();
    await deleteBranch(p, WORK);
    const stranger = await openStrangerFork(p, WORK);
    await stranger.addClosedCopies(1_100);
    const harness = await goneOn(null);
    expect((await harness.state(1)).halt).toMatchObject({ state: 'needs-human', code: 'pull-unreadable' });
    expect(harness.instance.runs()).toBe(0);
    expect(await ours()).toHaveLength(1);
  });
});
