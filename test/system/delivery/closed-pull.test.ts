import { expect, test } from '@jest/globals';
import { deleteBranch, tipOf } from '#pocket-github/test/branches';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull, type ReviewedPull } from '../../support/github/reviewed-pull-fixture.js';

/* A pull request that was closed unmerged: the work is kept, and every way on that people are told of works. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const WORK = 'sluice/issue-1';
const DONE = ['phase/done', 'size/M', 'triaged'];

async function setPull({ harness, pull }: ReviewedPull, who: Person, state: 'open' | 'closed'): Promise<void> {
  p.clock.advance(1_000);
  await p.rest(who).rest.pulls.update({ ...p.at, pull_number: pull, state });
  await harness.finish();
}

/** Stopped because somebody closed the pull request, which Sluice had reviewed. */
async function closedPull(): Promise<ReviewedPull> {
  const scene = await openReviewedPull(p, open);
  await setPull(scene, 'wren', 'closed');
  await say(scene, '/auto');
  expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ state: 'needs-human', code: 'pr-closed' });
  return scene;
}

async function say({ harness, issue }: ReviewedPull, text: string): Promise<void> {
  await harness.say('wren', issue, text);
  await harness.finish();
}

/** Number and state of every pull request, oldest first. */
async function pulls(): Promise<readonly (readonly [number, 'open' | 'closed' | 'merged'])[]> {
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  const states = data.map(
    ({ number, state, merged_at: mergedAt }) =>
      [number, mergedAt === null ? (state as 'open' | 'closed') : 'merged'] as const,
  );
  return states.toSorted(([a], [b]) => a - b);
}

test.each(['/auto', '/auto continue'])(
  '%s takes the same work to a new pull request, without an agent',
  async (ask) => {
    const scene = await closedPull();
    const before = scene.prompts.length;
    const work = tipOf(p, WORK);
    await say(scene, ask);
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
    expect(await pulls()).toEqual([
      [scene.pull, 'closed'],
      [scene.pull + 1, 'merged'],
    ]);
    expect(scene.prompts.slice(before).map(({ phase }) => phase)).not.toContain('code');
    const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: scene.pull + 1 });
    expect(data.head.sha).toBe(work);
  },
);

test('its work branch, deleted along with it, comes back from the last pushed commit', async () => {
  const scene = await closedPull();
  const before = scene.prompts.length;
  const work = tipOf(p, WORK);
  await deleteBranch(p, WORK);
  await say(scene, '/auto');
  expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: scene.pull + 1 });
  expect([data.merged, data.head.sha]).toEqual([true, work]);
  expect(scene.prompts.slice(before).map(({ phase }) => phase)).not.toContain('code');
});

test('/auto retry code writes the work anew, from base', async () => {
  const scene = await closedPull();
  const before = scene.prompts.length;
  const work = tipOf(p, WORK);
  await say(scene, '/auto retry code');
  expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  expect(scene.prompts.slice(before).map(({ phase }) => phase)).toContain('code');
  const { data } = await p.rest('ada').rest.pulls.listCommits({ ...p.at, pull_number: scene.pull + 1 });
  expect(data.map(({ sha }) => sha)).not.toContain(work);
});

test('reopening it goes on with it, where somebody with write permission does', async () => {
  const scene = await closedPull();
  await setPull(scene, 'tess', 'open');
  expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'pr-closed' });
  await setPull(scene, 'tess', 'closed');
  await setPull(scene, 'wren', 'open');
  expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  expect(await pulls()).toEqual([[scene.pull, 'merged']]);
});

test('what it says to do is what works', async () => {
  const scene = await closedPull();
  const status = await scene.status();
  expect(status).toContain('`/auto` opens a new pull request with the same work');
  expect(status).toContain('`/auto retry code` writes it anew');
});
