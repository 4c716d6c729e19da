import { describe, expect, test } from '@jest/globals';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import type { GitHub, RawSnapshot } from '../../../src/ports/github.js';

/* Work was pushed and GitHub does not show its pull request: nobody can tell whether it was merged, so nothing is written again. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
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
async function unread(): Promise<{ readonly harness: EngineHarness; readonly issue: number; readonly runs: number }> {
  trouble.lasts = false;
  await p.rest('ada').rest.repos.update({ ...p.at, delete_branch_on_merge: true });
  const harness = await open({ size: 'M', github: forgetting });
  const issue = await harness.open('wren');
  await harness.say('wren', issue, '/auto --stop-at merge');
  await harness.finish();
  expect(await pulls()).toEqual(['merged']);
  const runs = harness.instance.runs();
  trouble.lasts = true;
  await harness.say('wren', issue, '/auto');
  await harness.finish();
  expect((await harness.state(issue)).halt).toMatchObject({ state: 'needs-human', code: 'pull-unreadable' });
  expect(harness.instance.runs()).toBe(runs);
  return { harness, issue, runs };
}

describe('pull-unreadable', () => {
  test('says what is wrong, and `/auto continue` goes on when the pull request is shown again', async () => {
    const { harness, issue } = await unread();
    const status = (await harness.said(issue)).find((body) => body.includes('sluice:status')) ?? '';
    expect(status).toContain('GitHub does not show the pull request of the pushed work');
    trouble.lasts = false;
    await harness.say('wren', issue, '/auto continue');
    await harness.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await harness.labels(issue)).toContain('phase/done');
  });

  test('`/auto continue` while it is not shown asks again, and writes nothing', async () => {
    const { harness, issue, runs } = await unread();
    await harness.say('wren', issue, '/auto continue');
    await harness.finish();
    expect((await harness.state(issue)).halt).toMatchObject({ code: 'pull-unreadable' });
    expect(harness.instance.runs()).toBe(runs);
  });

  test('`/auto retry code` gives it up, writes the work anew and opens another one', async () => {
    const { harness, issue, runs } = await unread();
    await harness.say('wren', issue, '/auto retry code');
    expect((await harness.state(issue)).progress).toMatchObject({ supersededPr: 2 });
    trouble.lasts = false;
    await harness.finish();
    expect(harness.instance.runs()).toBeGreaterThan(runs);
    expect((await harness.state(issue)).halt).toBeNull();
  });
});

describe('a pull request that is written down', () => {
  test('is written with the first swap after it was seen, and by a push that is made anyway', async () => {
    const harness = await open({ size: 'M' });
    const issue = await harness.open('wren');
    await harness.say('wren', issue, '/auto');
    expect((await harness.state(issue)).progress.pull).toBeNull();
    await harness.finish();
    const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: 2 });
    expect((await harness.state(issue)).progress.pull).toEqual({ number: 2, id: data.node_id });
  });

  test('stays ours when the issue is closed and opened again while it is open', async () => {
    const harness = await open({ size: 'M' });
    const issue = await harness.open('wren');
    await harness.say('wren', issue, '/auto --stop-at review');
    await harness.finish();
    for (const state of ['closed', 'open'] as const) {
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.update({ ...p.at, issue_number: issue, state });
    }
    await harness.settle();
    await harness.say('wren', issue, '/auto');
    await harness.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await harness.labels(issue)).toContain('phase/done');
  });
});
