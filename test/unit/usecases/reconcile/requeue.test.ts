import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import { GitHostError } from '../../../../src/ports/git-host.js';
import { GitHubError } from '../../../../src/ports/github.js';
import { requeueOnTransient } from '../../../../src/usecases/reconcile/requeue.js';
import { MemoryQueue } from '../../../support/memory/memory-queue.js';
import { RecordingLog } from '../../../support/recording-log.js';

const ref = { owner: 'ada', repo: 'sandbox', number: 1 };
const SECOND = 1000;

/** An issue that is looked at, and fails with what `fails` says as long as it says something. */
async function looking(fails: (look: number) => Error | null) {
  const clock = new ManualClock();
  const log = new RecordingLog();
  const queue = new MemoryQueue({ clock, log });
  const looks: number[] = [];
  const start = clock.now();
  const lookAgain = requeueOnTransient({ queue, clock, log });
  const look = async (): Promise<void> => {
    looks.push((clock.now() - start) / SECOND);
    const failure = fails(looks.length);
    if (failure !== null) throw failure;
  };
  await queue.work({ wake: (issue) => lookAgain(issue, look), phase: async () => undefined });
  await queue.wake(ref);
  await queue.idle();
  return {
    looks,
    log,
    pass: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(SECOND);
        await queue.idle();
      }
    },
    start,
  };
}

describe('an issue that could not be looked at', () => {
  test('because GitHub wants us to wait is looked at when the wait is over', async () => {
    const start = new ManualClock().now();
    const limited = new GitHubError('rate-limited', 'too much', start + 40 * SECOND);
    const { looks, pass } = await looking((look) => (look === 1 ? limited : null));
    await pass(120);
    expect(looks).toEqual([0, 40]);
  });

  test.each([new GitHubError('transient', 'no answer'), new GitHostError('no answer', 'transient')])(
    'because nobody answered is looked at again, with growing pauses, until that is the business of the sweep',
    async (failure) => {
      const { looks, pass, log } = await looking(() => failure);
      await pass(1000);
      expect(looks).toEqual([0, 15, 45, 105, 225, 465]);
      expect(log.said('job failed')).toHaveLength(1);
    },
  );

  test('counts anew once it went well', async () => {
    const { looks, pass } = await looking((look) => (look === 2 ? null : new GitHubError('transient', 'no answer')));
    await pass(100);
    expect(looks).toEqual([0, 15]);
  });

  test('for good is somebody else’s trouble', async () => {
    const { looks, pass, log } = await looking(() => new GitHubError('forbidden', 'not you'));
    await pass(100);
    expect(looks).toEqual([0]);
    expect(log.said('job failed')).toHaveLength(1);
  });
});
