import { expect, test } from '@jest/globals';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* Somebody with write permission opens a pull request from the work branch themselves: it is theirs, and GitHub allows no second one. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

async function states(): Promise<readonly (readonly [string, string])[]> {
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all', direction: 'asc' });
  return data.map(({ user, state, merged_at }) => [user?.login ?? '', merged_at === null ? state : 'merged'] as const);
}

/** Sluice has pushed, its pull request was closed, and wren opened one of her own. */
async function takenOver() {
  const harness = await open({ size: 'M' });
  const issue = await harness.open('wren');
  await harness.say('wren', issue, '/auto --stop-at code');
  await harness.finish();
  await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: 2, state: 'closed' });
  const own = { ...p.at, title: 'Mine', head: 'sluice/issue-1', base: 'main' };
  const { data } = await p.rest('wren').rest.pulls.create(own);
  await harness.say('wren', issue, '/auto');
  await harness.finish();
  await harness.say('wren', issue, '/auto');
  await harness.finish();
  return { harness, issue, theirs: data.number };
}

test('pull-foreign: closing it and `/auto continue` opens ours, with the same work and without an agent', async () => {
  const { harness, issue, theirs } = await takenOver();
  expect((await harness.state(issue)).halt).toMatchObject({ state: 'needs-human', code: 'pull-foreign' });
  const status = (await harness.said(issue)).find((body) => body.includes('sluice:status')) ?? '';
  expect(status).toContain('Close that pull request and run `/auto continue`');
  expect(await states()).toEqual([
    ['sluice-dev[bot]', 'closed'],
    ['wren', 'open'],
  ]);
  await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: theirs, state: 'closed' });
  await harness.say('wren', issue, '/auto continue');
  await harness.finish();
  expect(await states()).toEqual([
    ['sluice-dev[bot]', 'closed'],
    ['wren', 'closed'],
    ['sluice-dev[bot]', 'merged'],
  ]);
  expect(await harness.labels(issue)).toContain('phase/done');
});
