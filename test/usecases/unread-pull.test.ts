import { describe, expect, test } from '@jest/globals';
import type { Desk } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { TestPocket } from '../support/pocket.js';
import type { GitHub, RawSnapshot } from '../../src/ports/github.js';

/* Work was pushed and GitHub does not show its pull request: nobody can tell whether it was merged, so nothing is written again. */

let p: TestPocket;
const open = deskEachTest((pocket) => {
  p = pocket;
});

const trouble = { lasts: false };

/** GitHub answers, but shows no pull request. */
const forgetting = (usual: GitHub): GitHub => {
  const without = (raw: RawSnapshot): RawSnapshot => (trouble.lasts ? { ...raw, pulls: [] } : raw);
  return {
    ...usual,
    snapshot: async (ref, hints) => {
      const raw = await usual.snapshot(ref, hints);
      return raw === null ? null : without(raw);
    },
    project: async (...args) => without(await usual.project(...args)),
  };
};

async function pulls(): Promise<readonly string[]> {
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all', direction: 'asc' });
  return data.map(({ state, merged_at }) => (merged_at === null ? state : 'merged'));
}

/** Merged, with its branch gone, and asked for by nobody but us: then GitHub does not show it any more. */
async function unread(): Promise<{ readonly desk: Desk; readonly issue: number; readonly runs: number }> {
  trouble.lasts = false;
  await p.rest('ada').rest.repos.update({ ...p.at, delete_branch_on_merge: true });
  const desk = await open({ size: 'M', github: forgetting });
  const issue = await desk.open('wren');
  await desk.say('wren', issue, '/auto --stop-at merge');
  await desk.finish();
  expect(await pulls()).toEqual(['merged']);
  const runs = desk.instance.runs();
  trouble.lasts = true;
  await desk.say('wren', issue, '/auto');
  await desk.finish();
  expect((await desk.state(issue)).halt).toMatchObject({ state: 'needs-human', code: 'pull-unreadable' });
  expect(desk.instance.runs()).toBe(runs);
  return { desk, issue, runs };
}

describe('pull-unreadable', () => {
  test('says what is wrong, and `/auto continue` goes on when the pull request is shown again', async () => {
    const { desk, issue } = await unread();
    const status = (await desk.said(issue)).find((body) => body.includes('sluice:status')) ?? '';
    expect(status).toContain('GitHub does not show the pull request of the pushed work');
    trouble.lasts = false;
    await desk.say('wren', issue, '/auto continue');
    await desk.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await desk.labels(issue)).toContain('phase/done');
  });

  test('`/auto continue` while it is not shown asks again, and writes nothing', async () => {
    const { desk, issue, runs } = await unread();
    await desk.say('wren', issue, '/auto continue');
    await desk.finish();
    expect((await desk.state(issue)).halt).toMatchObject({ code: 'pull-unreadable' });
    expect(desk.instance.runs()).toBe(runs);
  });

  test('`/auto retry code` gives it up, writes the work anew and opens another one', async () => {
    const { desk, issue, runs } = await unread();
    await desk.say('wren', issue, '/auto retry code');
    expect((await desk.state(issue)).progress).toMatchObject({ supersededPr: 2 });
    trouble.lasts = false;
    await desk.finish();
    expect(desk.instance.runs()).toBeGreaterThan(runs);
    expect((await desk.state(issue)).halt).toBeNull();
  });
});

describe('a pull request that is written down', () => {
  test('is written with the first swap after it was seen, and by a push that is made anyway', async () => {
    const desk = await open({ size: 'M' });
    const issue = await desk.open('wren');
    await desk.say('wren', issue, '/auto');
    expect((await desk.state(issue)).progress.pull).toBeNull();
    await desk.finish();
    const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: 2 });
    expect((await desk.state(issue)).progress.pull).toEqual({ number: 2, id: data.node_id });
  });

  test('stays ours when the issue is closed and opened again while it is open', async () => {
    const desk = await open({ size: 'M' });
    const issue = await desk.open('wren');
    await desk.say('wren', issue, '/auto --stop-at review');
    await desk.finish();
    for (const state of ['closed', 'open'] as const) {
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.update({ ...p.at, issue_number: issue, state });
    }
    await desk.settle();
    await desk.say('wren', issue, '/auto');
    await desk.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await desk.labels(issue)).toContain('phase/done');
  });
});
