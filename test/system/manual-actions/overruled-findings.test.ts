import { describe, expect, test } from '@jest/globals';
import { agentAnswering } from '../../support/agent/answering-agent.js';
import { SCORES } from '../../support/agent/standard-agent.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull, type ReviewedPull } from '../../support/github/reviewed-pull-fixture.js';

/* A review that keeps finding something: a permitted person can let the work through as it is, and everybody sees who did. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const DONE = ['phase/done', 'size/M', 'triaged'];

/** Never content. */
const strict = agentAnswering(() => p, 'review', {
  summary: 'Still not polished.',
  findings: [{ severity: 'MUST', file: 'work.txt', line: 1, text: 'Polish it more.' }],
  scores: SCORES,
});

/** Stopped because the review finds the same after the last allowed round. */
async function unresolved(): Promise<ReviewedPull> {
  const scene = await openReviewedPull(p, open, { agent: strict, command: '/auto', policy: { maxReviewRounds: 1 } });
  expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'review-unresolved' });
  return scene;
}

async function reviewCheck(scene: ReviewedPull) {
  const { data: pull } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: scene.pull });
  const { data } = await p.rest('ada').rest.checks.listForRef({ ...p.at, ref: pull.head.sha });
  return data.check_runs.filter(({ name }) => name === 'sluice/review').at(0);
}

describe('a finding is overruled', () => {
  test('by /auto continue, visibly', async () => {
    const scene = await unresolved();
    expect(await reviewCheck(scene)).toMatchObject({ conclusion: 'failure' });
    await scene.harness.say('wren', scene.issue, '/auto continue');
    await scene.harness.finish();
    expect([await scene.isMerged(), await scene.harness.labels(scene.issue)]).toEqual([true, DONE]);
    expect(await scene.status()).toMatch(/wren overruled 1 finding of the review of/);
    expect(await reviewCheck(scene)).toMatchObject({
      conclusion: 'neutral',
      output: { title: '1 finding overruled by wren' },
    });
    expect((await scene.harness.state(scene.issue)).progress.overruled).toMatchObject({ by: 'wren' });
  });

  test('by an approval of this very head', async () => {
    const scene = await unresolved();
    await scene.review('ada', 'APPROVE', 'Good enough.');
    await scene.harness.finish();
    expect([await scene.isMerged(), await scene.harness.labels(scene.issue)]).toEqual([true, DONE]);
    expect(await scene.status()).toMatch(/ada overruled 1 finding of the review of/);
  });
});

describe('a finding stands', () => {
  test('when it is approved by somebody who may not push', async () => {
    const scene = await unresolved();
    await scene.review('tess', 'APPROVE', 'Good enough.');
    await scene.harness.finish();
    expect([await scene.isMerged(), (await scene.harness.state(scene.issue)).halt?.code]).toEqual([
      false,
      'review-unresolved',
    ]);
  });

  test.each(['/auto', '/auto continue Polish every line.'])('after %s: it is worked on once more', async (ask) => {
    const scene = await unresolved();
    const before = scene.prompts.length;
    await scene.harness.say('wren', scene.issue, ask);
    await scene.harness.finish();
    expect(scene.prompts.slice(before).map(({ phase }) => phase)).toEqual(['code', 'review']);
    expect(await scene.isMerged()).toBe(false);
  });
});
