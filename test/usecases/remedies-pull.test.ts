import { expect, test } from '@jest/globals';
import { type ErrorCode, ERRORS } from '../../src/domain/errors.js';
import { pushTo, tipOf } from '../support/branches.js';
import type { DeskOptions } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { TestPocket } from '../support/pocket.js';
import { openPullScene, type PullScene } from '../support/pull-scene.js';

/* The same as remedies.test.ts, for stops at a pull request. */

let p: TestPocket;
const open = deskEachTest((pocket) => {
  p = pocket;
});

const WORK = 'sluice/issue-1';
const MINUTE = 60_000;

interface Stop {
  readonly code: ErrorCode;
  readonly policy?: NonNullable<DeskOptions['policy']>;
  /** What happens to the reviewed pull request before somebody says `/auto`. */
  readonly trouble: (scene: PullScene) => Promise<unknown>;
  /** How long it takes until it stops. */
  readonly afterMs?: number;
  readonly says: string;
  readonly act: (scene: PullScene) => Promise<unknown>;
}

const status = (state: 'failure' | 'pending' | 'success') => () =>
  p.rest('ada').rest.repos.createCommitStatus({ ...p.at, sha: tipOf(p, WORK), state, context: 'build' });

const retarget =
  (base: string) =>
  ({ pull }: PullScene) =>
    p.rest('wren').rest.pulls.update({ ...p.at, pull_number: pull, base });

const createBranch = (name: string) =>
  p.rest('wren').rest.git.createRef({ ...p.at, ref: `refs/heads/${name}`, sha: tipOf(p, 'main') });

const GOOD = { 'work.txt': 'done and polished\n', 'diary.txt': 'by hand\n' };

const say = ({ desk, issue }: PullScene, text: string): Promise<void> => desk.say('wren', issue, text);

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
  expect(ERRORS[code].remedy).toContain(says);
  const scene = await openPullScene(p, open, { policy });
  const { desk, issue } = scene;
  p.clock.advance(1_000);
  await trouble(scene);
  await say(scene, '/auto');
  p.clock.advance(afterMs);
  await desk.finish();
  expect((await desk.state(issue)).halt).toMatchObject({ code });
  expect(await scene.status()).toContain(says);
  p.clock.advance(1_000);
  await act(scene);
  await desk.finish();
  expect(await desk.labels(issue)).toContain('phase/done');
});
