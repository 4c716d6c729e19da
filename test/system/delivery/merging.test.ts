import { describe, expect, test } from '@jest/globals';
import type { GitHub, MergeResult } from '../../../src/ports/github.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { addRuleset, protectMain } from '#pocket-github/test/branch-protection';
import { actBeforeMerge, openReviewedPull, type ReviewedPull } from '../../support/github/reviewed-pull-fixture.js';

/* The merge: one more look at everything, pauses after a refusal, and waits for what only people can give. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const DONE = ['phase/done', 'size/M', 'triaged'];

/** Goes on with whatever the person says, until it rests or waits. */
async function goOn(scene: ReviewedPull, command = '/auto', who: 'wren' | 'ada' = 'wren'): Promise<void> {
  await scene.harness.say(who, scene.issue, command);
  await scene.harness.finish();
}

describe('between the decision to merge and the merge', () => {
  const at: { harness: EngineHarness | null } = { harness: null };
  const watched = (): EngineHarness['log'] | null => at.harness?.log ?? null;
  const open: typeof atWork = async (options) => {
    at.harness = await atWork(options);
    return at.harness;
  };
  const head = async (): Promise<string> =>
    (await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: 2 })).data.head.sha;
  const comment = (body: string): Promise<unknown> => {
    p.clock.advance(1_000);
    return p.rest('ada').rest.issues.createComment({ ...p.at, issue_number: 1, body });
  };

  test.each([
    [
      'the issue is closed',
      () =>
        p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'closed', state_reason: 'not_planned' }),
      { halt: { state: 'paused', code: 'stopped' } },
    ],
    [
      'whoever asked for it loses write permission',
      () => p.rest('ada').rest.repos.removeCollaborator({ ...p.at, username: 'wren' }),
      { halt: { state: 'needs-human', code: 'authoriser-gone' } },
    ],
    ['somebody says pause', () => comment('/auto pause'), { halt: { state: 'paused', code: 'paused' } }],
    [
      'somebody asks for changes',
      () => p.rest('ada').rest.pulls.createReview({ ...p.at, pull_number: 2, event: 'REQUEST_CHANGES', body: 'No.' }),
      { halt: null },
    ],
    [
      'it is made a draft',
      async () => {
        const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: 2 });
        const graphql = await p.graphql('ada');
        const mutation =
          'mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { clientMutationId } }';
        await graphql(mutation, { id: data.node_id });
      },
      { halt: null },
    ],
  ])('%s: nothing is merged', async (_, act, expected) => {
    const github = actBeforeMerge(watched, act);
    const scene = await openReviewedPull(p, open, { command: '/auto', github });
    expect(await scene.isMerged()).toBe(false);
    expect(scene.merges()).toBe(0);
    expect(await scene.harness.state(scene.issue)).toMatchObject(expected);
  });

  test('a check the repository lists turns red: that head is worked on, not merged', async () => {
    const red: string[] = [];
    // Nobody waits for it before it is there.
    const policy = {
      get expectedChecks() {
        return red.length === 0 ? null : ['ci'];
      },
    };
    const github = actBeforeMerge(watched, async () => {
      red.push(await head());
      await p
        .rest('ada')
        .rest.repos.createCommitStatus({ ...p.at, sha: red[0] ?? '', state: 'failure', context: 'ci' });
    });
    const scene = await openReviewedPull(p, open, { command: '/auto', github, policy });
    expect(scene.merges()).toBe(0);
    expect(red).toHaveLength(1);
    expect(await head()).not.toBe(red[0]);
    expect((await scene.harness.state(scene.issue)).counters.checkFixes).toBe(1);
    const green = { ...p.at, sha: await head(), state: 'success', context: 'ci' } as const;
    await p.rest('ada').rest.repos.createCommitStatus(green);
    await scene.harness.finish();
    expect(scene.merges()).toBe(1);
  });

  test('any other check turns red: that head is neither merged nor worked on', async () => {
    const github = actBeforeMerge(watched, async () =>
      p.rest('ada').rest.repos.createCommitStatus({ ...p.at, sha: await head(), state: 'failure', context: 'ci' }),
    );
    const scene = await openReviewedPull(p, open, { command: '/auto', github });
    expect(scene.merges()).toBe(0);
    expect((await scene.harness.state(scene.issue)).counters.checkFixes).toBe(0);
    expect(await scene.status()).toContain('somebody to see to `ci` on #2');
  });

  test('the remedy for lost permission works', async () => {
    const lose = () => p.rest('ada').rest.repos.removeCollaborator({ ...p.at, username: 'wren' });
    const github = actBeforeMerge(watched, lose);
    const scene = await openReviewedPull(p, open, { command: '/auto', github });
    expect(await scene.status()).toContain('`/auto continue`');
    await goOn(scene, '/auto continue', 'ada');
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  });
});

/** A GitHub that answers the first merges like this. */
const refusing =
  (times: number, answer: MergeResult) =>
  (usual: GitHub): GitHub => {
    const left = { times };
    return {
      ...usual,
      merge: async (...given) => {
        left.times -= 1;
        return left.times >= 0 ? answer : usual.merge(...given);
      },
    };
  };

const MOVED: MergeResult = { kind: 'moved', why: 'Base branch was modified. Review and try the merge again.' };

describe('a refused merge', () => {
  test('because base was being moved is tried again after growing pauses, and charges nothing', async () => {
    const scene = await openReviewedPull(p, atWork, { github: refusing(6, MOVED) });
    await scene.harness.say('wren', scene.issue, '/auto');
    const pauses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { refusal, counters } = await scene.harness.state(scene.issue);
      expect(counters.mergeTries).toBe(0);
      const pause = (refusal?.notBefore ?? 0) - p.clock.now();
      pauses.push(pause);
      expect(await scene.isMerged()).toBe(false);
      // GitHub's clock tells whole seconds.
      p.clock.advance(pause + 1_000);
      await scene.harness.settle();
    }
    expect(await scene.isMerged()).toBe(true);
    expect(pauses.every((pause) => pause >= 4_000 && pause <= 30_000)).toBe(true);
    expect(pauses.at(-1)).toBeGreaterThan(pauses[0] ?? 0);
  });

  test('because base is always being moved ends, with the words of GitHub', async () => {
    const scene = await openReviewedPull(p, atWork, { github: refusing(100, MOVED) });
    await goOn(scene);
    expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'merge-refused' });
    expect(await scene.status()).toContain('Base branch was modified');
  });

  test('by a rule Sluice does not know shows the words of GitHub, keeps the work, and can be gone on with', async () => {
    const scene = await openReviewedPull(p, atWork);
    addRuleset(p, ['refs/heads/main'], { restrictUpdates: true });
    await goOn(scene);
    expect(await scene.harness.labels(scene.issue)).toContain('auto/needs-human');
    expect(await scene.status()).toContain('Cannot update this protected ref.');
    expect(scene.merges()).toBe(3);
    const { rulesets } = p.pocket.world.tables;
    for (const ruleset of rulesets.all()) rulesets.update(ruleset, { enforcement: 'disabled' });
    await goOn(scene, '/auto continue');
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  });
});

describe('what GitHub does not tell', () => {
  const knownAt = (at: number): void => {
    const { pulls } = p.pocket.world.tables;
    for (const pull of pulls.all()) pulls.update(pull, { mergeableKnownAt: at });
  };

  test('whether it can be merged is waited for, and not for ever', async () => {
    const scene = await openReviewedPull(p, atWork);
    knownAt(Number.MAX_SAFE_INTEGER);
    await scene.harness.say('wren', scene.issue, '/auto');
    p.clock.advance(5 * 60_000);
    await scene.harness.settle();
    expect((await scene.harness.state(scene.issue)).halt).toBeNull();
    await scene.harness.finish();
    expect((await scene.harness.state(scene.issue)).halt).toMatchObject({ code: 'mergeability-unknown' });
    knownAt(0);
    await goOn(scene, '/auto continue');
    expect(await scene.isMerged()).toBe(true);
  });

  test('is no reason to give up after a long wait for something else', async () => {
    protectMain(p, { requiredApprovals: 1 });
    const scene = await openReviewedPull(p, atWork, { command: '/auto' });
    p.clock.advance(26 * 60 * 60_000);
    await scene.review('ada', 'APPROVE', 'Good.');
    knownAt(p.clock.now() + 20_000);
    await scene.harness.finish();
    expect(await scene.isMerged()).toBe(true);
  });
});

describe('an approval the base branch demands', () => {
  test.each([
    ['by protection', () => protectMain(p, { requiredApprovals: 1 })],
    ['by a ruleset', () => addRuleset(p, ['refs/heads/main'], { requiredApprovals: 1 })],
  ])('%s is waited for without a try, and its own event lets it go on', async (_, demand) => {
    demand();
    const scene = await openReviewedPull(p, atWork, { command: '/auto' });
    expect(scene.merges()).toBe(0);
    expect(await scene.harness.labels(scene.issue)).toContain('auto/running');
    expect(await scene.status()).toContain(`### Waiting for an approval of #${scene.pull}`);
    expect(await scene.status()).toContain('somebody with write permission');
    expect((await scene.harness.state(scene.issue)).counters.mergeTries).toBe(0);
    await scene.review('ada', 'APPROVE', 'Good.');
    await scene.harness.settle();
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  });

  test('names who was asked for it', async () => {
    protectMain(p, { requiredApprovals: 1 });
    const scene = await openReviewedPull(p, atWork, { command: '/auto' });
    await p.rest('ada').rest.pulls.requestReviewers({ ...p.at, pull_number: scene.pull, reviewers: ['wren'] });
    p.clock.advance(2 * 60 * 60_000);
    await scene.harness.settle();
    expect(await scene.status()).toContain('asked: wren');
  });
});

describe('.github/sluice.yml says', () => {
  test('merge: approved, and an approval of exactly that head by a permitted person is waited for', async () => {
    const scene = await openReviewedPull(p, atWork, { command: '/auto', policy: { merge: 'approved' } });
    expect(await scene.isMerged()).toBe(false);
    expect(await scene.status()).toContain(`### Waiting for an approval of #${scene.pull}`);
    await scene.review('rita', 'APPROVE', 'I like it.');
    const { data: commits } = await p.rest('ada').rest.pulls.listCommits({ ...p.at, pull_number: scene.pull });
    await scene.review('ada', 'APPROVE', 'That one.', { commit_id: commits[0]?.sha ?? '' });
    await scene.harness.finish();
    expect(commits.length).toBeGreaterThan(1);
    expect(await scene.isMerged()).toBe(false);
    await scene.review('ada', 'APPROVE', 'This one.');
    await scene.harness.settle();
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  });

  test('merge: never, and what a person merges is verified', async () => {
    const scene = await openReviewedPull(p, atWork, { command: '/auto', policy: { merge: 'never' } });
    expect(scene.merges()).toBe(0);
    expect(await scene.status()).toContain(`### Waiting for somebody to merge #${scene.pull}`);
    p.clock.advance(1_000);
    await p.rest('ada').rest.pulls.merge({ ...p.at, pull_number: scene.pull, merge_method: 'squash' });
    await scene.harness.finish();
    expect(await scene.harness.labels(scene.issue)).toEqual(DONE);
  });
});
