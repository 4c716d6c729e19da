import { describe, expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull, type ReviewedPull } from '../../support/github/reviewed-pull-fixture.js';

/* People who ask for changes on a pull request of Sluice: their points are worked on, and nothing is merged over them. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const WORDS = 'Do not merge this yet: the text needs the release notes too.';
const INLINE = { path: 'work.txt', line: 1, body: 'This line says too little.' };
const DONE = ['phase/done', 'size/M', 'triaged'];

const goOn = async (scene: ReviewedPull, command = '/auto'): Promise<void> => {
  await scene.harness.say('wren', scene.issue, command);
  await scene.harness.finish();
};

/** What agents were told after a moment. */
const promptsSince = (scene: ReviewedPull, count: number): string =>
  scene.prompts
    .slice(count)
    .map(({ prompt }) => prompt)
    .join('\n');

describe('a person with write permission who asks for changes', () => {
  test('is worked for, is waited for by name, and lets it go on by approving', async () => {
    const scene = await openReviewedPull(p, atWork);
    const before = scene.prompts.length;
    await scene.review('ada', 'REQUEST_CHANGES', WORDS, { comments: [INLINE] });
    await goOn(scene);
    expect(scene.prompts.slice(before).map(({ phase }) => phase)).toEqual(['code', 'review']);
    const prompt = scene.prompts[before]?.prompt ?? '';
    expect(prompt).toMatch(/<data-\w+ name="fix">[^]*Do not merge this yet[^]*<\/data-\w+>/);
    expect(prompt).toMatch(/<data-\w+ name="fix">[^]*ada on work\.txt:1: This line says too little\.[^]*<\/data-\w+>/);
    expect(await scene.isMerged()).toBe(false);
    expect(await scene.status()).toContain(`### Waiting for ada to look at #${scene.pull} again`);
    expect(await scene.status()).toContain('**Why:** ada asked for changes');
    expect(await scene.harness.labels(scene.issue)).toContain('auto/running');

    await scene.review('ada', 'APPROVE', 'Good.');
    await scene.harness.finish();
    expect(await scene.isMerged()).toBe(true);
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  });

  test('lets it go on by having the review dismissed', async () => {
    const scene = await openReviewedPull(p, atWork);
    const review = await scene.review('ada', 'REQUEST_CHANGES', WORDS);
    await goOn(scene);
    expect(await scene.isMerged()).toBe(false);
    await scene.dismiss('ada', review);
    await scene.harness.finish();
    expect(await scene.isMerged()).toBe(true);
  });

  test('counts while our own review is still going on', async () => {
    const at: { scene: ReviewedPull | null; asked: boolean } = { scene: null, asked: false };
    const objecting = (usual: Agent): Agent => ({
      run: async (job) => {
        if (job.phase === 'review' && !at.asked) {
          at.asked = true;
          p.clock.advance(1_000);
          await p.rest('ada').rest.pulls.createReview({
            ...p.at,
            pull_number: 2,
            event: 'REQUEST_CHANGES',
            body: WORDS,
          });
        }
        return usual.run(job);
      },
    });
    const scene = await openReviewedPull(p, atWork, { command: '/auto', agent: objecting });
    expect(promptsSince(scene, 0)).toContain(WORDS);
    expect(await scene.isMerged()).toBe(false);
    expect(await scene.status()).toContain(`### Waiting for ada to look at #${scene.pull} again`);
  });

  test('is worked for once per review, and a bounded number of times', async () => {
    const scene = await openReviewedPull(p, atWork);
    await scene.review('ada', 'REQUEST_CHANGES', 'One.');
    await goOn(scene);
    const runs = scene.prompts.length;
    await scene.harness.settle();
    p.clock.advance(3 * 60 * 60_000);
    await scene.harness.settle();
    expect(scene.prompts).toHaveLength(runs);
    for (const more of ['Two.', 'Three.']) {
      await scene.review('ada', 'REQUEST_CHANGES', more);
      await scene.harness.finish();
      expect(promptsSince(scene, runs)).toContain(more);
    }
    await scene.review('ada', 'REQUEST_CHANGES', 'Four.');
    await scene.harness.finish();
    expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'objections-unresolved' });
    expect(promptsSince(scene, runs)).not.toContain('Four.');
    expect(await scene.isMerged()).toBe(false);
    // What the stop says to do: their word stands until they take it back, whoever goes on.
    await goOn(scene, '/auto continue Do as Ada says.');
    expect(promptsSince(scene, runs)).toContain('Four.');
    expect(promptsSince(scene, runs)).toContain('Do as Ada says.');
    expect(await scene.isMerged()).toBe(false);
    await scene.review('ada', 'APPROVE', 'Yes.');
    await scene.harness.finish();
    expect(await scene.isMerged()).toBe(true);
  });
});

describe('what is no objection', () => {
  test.each([
    ['somebody without write permission asks for', 'rita', 'REQUEST_CHANGES'],
    ['an outsider asks for', 'mallory', 'REQUEST_CHANGES'],
    ['is only a pending review, submitted by nobody', 'ada', null],
    ['is a comment', 'ada', 'COMMENT'],
  ] as const)('%s: it neither holds the merge nor reaches an agent', async (_, who, verdict) => {
    const scene = await openReviewedPull(p, atWork);
    await scene.review(who, verdict, WORDS);
    await goOn(scene);
    expect(promptsSince(scene, 0)).not.toContain(WORDS);
    expect(await scene.isMerged()).toBe(true);
  });

  test('an objection of somebody who has lost write permission since', async () => {
    const scene = await openReviewedPull(p, atWork);
    await p.rest('ada').rest.repos.addCollaborator({ ...p.at, username: 'tess', permission: 'push' });
    await scene.review('tess', 'REQUEST_CHANGES', WORDS);
    await p.rest('ada').rest.repos.removeCollaborator({ ...p.at, username: 'tess' });
    await goOn(scene);
    expect(await scene.isMerged()).toBe(true);
  });
});
