import { expect, test } from '@jest/globals';
import { deskEachTest } from '../support/desk-each-test.js';
import type { TestPocket } from '../support/pocket.js';

/* Somebody with write permission opens a pull request from the work branch themselves: it is theirs, and GitHub allows no second one. */

let p: TestPocket;
const open = deskEachTest((pocket) => {
  p = pocket;
});

async function states(): Promise<readonly (readonly [string, string])[]> {
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all', direction: 'asc' });
  return data.map(({ user, state, merged_at }) => [user?.login ?? '', merged_at === null ? state : 'merged'] as const);
}

/** Sluice has pushed, its pull request was closed, and wren opened one of her own. */
async function takenOver() {
  const desk = await open({ size: 'M' });
  const issue = await desk.open('wren');
  await desk.say('wren', issue, '/auto --stop-at code');
  await desk.finish();
  await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: 2, state: 'closed' });
  const own = { ...p.at, title: 'Mine', head: 'sluice/issue-1', base: 'main' };
  const { data } = await p.rest('wren').rest.pulls.create(own);
  await desk.say('wren', issue, '/auto');
  await desk.finish();
  await desk.say('wren', issue, '/auto');
  await desk.finish();
  return { desk, issue, theirs: data.number };
}

test('pull-foreign: closing it and `/auto continue` opens ours, with the same work and without an agent', async () => {
  const { desk, issue, theirs } = await takenOver();
  expect((await desk.state(issue)).halt).toMatchObject({ state: 'needs-human', code: 'pull-foreign' });
  const status = (await desk.said(issue)).find((body) => body.includes('sluice:status')) ?? '';
  expect(status).toContain('Close that pull request and run `/auto continue`');
  expect(await states()).toEqual([
    ['sluice-dev[bot]', 'closed'],
    ['wren', 'open'],
  ]);
  await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: theirs, state: 'closed' });
  await desk.say('wren', issue, '/auto continue');
  await desk.finish();
  expect(await states()).toEqual([
    ['sluice-dev[bot]', 'closed'],
    ['wren', 'closed'],
    ['sluice-dev[bot]', 'merged'],
  ]);
  expect(await desk.labels(issue)).toContain('phase/done');
});
