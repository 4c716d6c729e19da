import { expect, test } from '@jest/globals';
import { type HaltCode, HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import type { EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull, type ReviewedPull } from '../../support/github/reviewed-pull-fixture.js';

/* The same as remedies.test.ts, for stops at a pull request. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const WORK = 'sluice/issue-1';
const MINUTE = 60_000;

interface Stop {
  readonly code: HaltCode;
  readonly policy?: NonNullable<EngineHarnessOptions['policy']>;
  /** What happens to the reviewed pull request before somebody says `/auto`. */
  readonly trouble: (scene: ReviewedPull) => Promise<unknown>;
  /** How long it takes until it stops. */
  readonly afterMs?: number;
  readonly says: string;
  readonly act: (scene: ReviewedPull) => Promise<unknown>;
}

const status = (state: 'failure' | 'pending' | 'success') => () =>
  p.rest('ada').rest.repos.createCommitStatus({ ...p.at, sha: tipOf(p, WORK), state, context: 'build' });

const retarget =
  (base: string) =>
  ({ pull }: ReviewedPull) =>
    p.rest('wren').rest.pulls.update({ ...p.at, pull_number: pull, base });

const createBranch = (name: string) =>
  p.rest('wren').rest.git.createRef({ ...p.at, ref: `refs/heads/${name}`, sha: tipOf(p, 'main') });

const GOOD = { 'work.txt': 'done and polished\n', 'diary.txt': 'by hand\n' };

const say = ({ harness, issue }: ReviewedPull, text: string): Promise<void> => harness.say('wren', issue, text);

const world = { isListed: false };

const STOPS: readonly Stop[] = [
  {
    code: 'checks-red',
    policy: {
      maxCheckFixes: 0,
      // Listed once it is there, so that nothing waits for it before and after.
      get expectedChecks() {
        return world.isListed ? ['build'] : null;
      },
    },
    trouble: async () => {
      world.isListed = true;
      await status('failure')();
    },
    says: 'Fix the checks on the work branch and run `/auto` again',
    act: async (scene) => {
      await pushTo(p, WORK, { files: { 'fixed.txt': 'fixed\n' } });
      world.isListed = false;
      await say(scene, '/auto');
    },
  },
  {
    code: 'checks-missing',
    policy: { checksDeadlineMs: 30 * MINUTE },
    trouble: status('pending'),
    afterMs: 40 * MINUTE,
    says: 'run `/auto` again once they can finish',
    act: async (scene) => {
      await status('success')();
      await say(scene, '/auto');
    },
  },
  {
    code: 'retargeted',
    trouble: async (scene) => {
      await createBranch('release/2');
      await retarget('release/2')(scene);
    },
    says: 'Point it back and run `/auto continue`',
    act: async (scene) => {
      await retarget('main')(scene);
      await say(scene, '/auto continue');
    },
  },
  {
    code: 'retargeted',
    trouble: async (scene) => {
      await createBranch('release/2');
      await retarget('release/2')(scene);
    },
    says: 'run `/auto --base BRANCH` with the branch it goes to now',
    act: (scene) => say(scene, '/auto --base release/2'),
  },
  {
    code: 'conflict-unresolved',
    policy: { maxConflictFixes: 0 },
    trouble: () => pushTo(p, 'main', { files: { 'work.txt': 'something else\n' } }),
    says: 'Resolve the conflict on the work branch and run `/auto continue`',
    act: async (scene) => {
      await pushTo(p, WORK, { files: GOOD, onto: tipOf(p, 'main') });
      await say(scene, '/auto continue');
    },
  },
];

test.each(STOPS)('$code: $says', async ({ code, policy = {}, trouble, afterMs = 0, says, act }) => {
  expect(HALT_CODES[code].remedy).toContain(says);
  const scene = await openReviewedPull(p, open, { policy });
  const { harness, issue } = scene;
  p.clock.advance(1_000);
  await trouble(scene);
  await say(scene, '/auto');
  p.clock.advance(afterMs);
  await harness.finish();
  expect((await harness.state(issue)).halt).toMatchObject({ code });
  expect(await scene.status()).toContain(says);
  p.clock.advance(1_000);
  await act(scene);
  await harness.finish();
  expect(await harness.labels(issue)).toContain('phase/done');
});
