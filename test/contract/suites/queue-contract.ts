import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import { ManualClock } from '#pocket-github/clock';
import type { Queue } from '../../../src/ports/queue.js';
import { RecordingLog } from '../../support/recording-log.js';
import { RecordingJobHandlers } from '../../support/queue/recording-job-handlers.js';

export interface QueueSettings {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly phases?: number;
  readonly graceMs?: number;
  /** After how long a job of a process that is gone is delivered again, where only time tells. */
  readonly lockMs?: number;
}

/** A place where queues live, shared by all queues opened on it. */
export interface QueueFixture {
  /** Another process, as it were. */
  open(settings: QueueSettings): Promise<Queue>;
  /** Loses everything it holds. */
  flush(): Promise<void>;
  /** Puts jobs where wakes wait which nobody can read. */
  poison(): Promise<void>;
  close(): Promise<void>;
}

const MINUTE = 60_000;
const ISSUE: IssueRef = { owner: 'ada', repo: 'sandbox', number: 7 };
const OTHER: IssueRef = { owner: 'ada', repo: 'sandbox', number: 8 };

/** What every queue promises. */
export function queueContract(name: string, openFixture: () => Promise<QueueFixture>): void {
  describe(`a queue on ${name}`, () => {
    const opened: Queue[] = [];
    const at = { fixture: undefined as QueueFixture | undefined, clock: new ManualClock(), log: new RecordingLog() };

    beforeEach(async () => {
      at.fixture ??= await openFixture();
      at.clock = new ManualClock();
      at.log = new RecordingLog();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((queue) => queue.close()));
      await at.fixture?.flush();
    });

    afterAll(async () => {
      await at.fixture?.close();
    });

    const fixture = (): QueueFixture => {
      if (at.fixture === undefined) throw new Error('not open');
      return at.fixture;
    };

    const open = async (settings: Partial<QueueSettings> = {}): Promise<Queue> => {
      const queue = await fixture().open({ clock: at.clock, log: at.log, ...settings });
      opened.push(queue);
      return queue;
    };

    test('wakes an issue once, however often it was woken before anybody looked', async () => {
      const queue = await open();
      await queue.wake(ISSUE);
      await queue.wake(ISSUE);
      await queue.wake(OTHER);
      await queue.wake(ISSUE);
      const handlers = new RecordingJobHandlers();
      await queue.work(handlers);
      await queue.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8']);
    });

    test('does not lose a wake that comes while the issue is looked at, and does not pile them up', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers({ hold: true });
      await queue.work(handlers);
      await queue.wake(ISSUE);
      await handlers.untilStarted(1);
      await queue.wake(ISSUE);
      await queue.wake(ISSUE);
      await queue.wake(OTHER);
      await handlers.untilStarted(2);
      expect(handlers.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8']);
      handlers.release();
      await queue.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8', 'wake ada/sandbox#7']);
    });

    test('runs one phase of an issue at a time, and the one that follows it', async () => {
      const queue = await open({ phases: 2 });
      const handlers = new RecordingJobHandlers({ hold: true });
      await queue.work(handlers);
      await queue.startPhase({ ref: ISSUE, phase: 'spec' });
      await handlers.untilStarted(1);
      await queue.startPhase({ ref: ISSUE, phase: 'spec' });
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await queue.startPhase({ ref: OTHER, phase: 'issue' });
      await handlers.untilStarted(2);
      expect(handlers.started).toEqual(['spec ada/sandbox#7', 'issue ada/sandbox#8']);
      handlers.release();
      await queue.idle();
      expect(handlers.started).toEqual(['spec ada/sandbox#7', 'issue ada/sandbox#8', 'code ada/sandbox#7']);
    });

    test('runs no more phases at once than it may, and wakes beside them', async () => {
      const queue = await open({ phases: 1 });
      const handlers = new RecordingJobHandlers({ hold: true });
      await queue.work(handlers);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await handlers.untilStarted(1);
      await queue.startPhase({ ref: OTHER, phase: 'code' });
      await queue.wake(ISSUE);
      await handlers.untilStarted(2);
      expect(handlers.started).toEqual(['code ada/sandbox#7', 'wake ada/sandbox#7']);
      handlers.release();
      await queue.idle();
      expect(handlers.started).toHaveLength(3);
    });

    test('goes on after everything was lost while jobs ran and waited', async () => {
      const queue = await open({ phases: 1 });
      const handlers = new RecordingJobHandlers({ hold: true });
      await queue.work(handlers);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await queue.wake(ISSUE);
      await handlers.untilStarted(2);
      await queue.startPhase({ ref: OTHER, phase: 'code' });
      await queue.wakeAt(OTHER, at.clock.now() + MINUTE);
      await fixture().flush();
      await queue.wake(ISSUE);
      await handlers.untilStarted(3);
      handlers.release();
      await queue.idle();
      expect(handlers.signals[0]?.aborted).toBe(false);
      await queue.startPhase({ ref: ISSUE, phase: 'review' });
      await queue.wake(OTHER);
      await queue.idle();
      expect([...handlers.started].sort()).toEqual([
        'code ada/sandbox#7',
        'review ada/sandbox#7',
        'wake ada/sandbox#7',
        'wake ada/sandbox#7',
        'wake ada/sandbox#8',
      ]);
    });

    test('wakes at the earliest of the times it was given, by its own clock', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers();
      await queue.work(handlers);
      await queue.wakeAt(ISSUE, at.clock.now() + 10 * MINUTE);
      await queue.wakeAt(ISSUE, at.clock.now() + 5 * MINUTE);
      await queue.wakeAt(ISSUE, at.clock.now() + 20 * MINUTE);
      await queue.wakeAt(OTHER, at.clock.now() + 20 * MINUTE);
      await queue.idle();
      at.clock.advance(5 * MINUTE - 1);
      await queue.idle();
      expect(handlers.started).toEqual([]);
      at.clock.advance(1);
      await queue.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7']);
      at.clock.advance(60 * MINUTE);
      await queue.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8']);
    });

    test('a time that has passed already wakes at once', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers();
      await queue.work(handlers);
      await queue.wakeAt(ISSUE, at.clock.now() - MINUTE);
      await queue.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7']);
    });

    test('a time set by the job it woke stays', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers({ onWake: (ref) => queue.wakeAt(ref, at.clock.now() + MINUTE) });
      await queue.work(handlers);
      await queue.wakeAt(ISSUE, at.clock.now() + MINUTE);
      for (const times of [1, 2, 3]) {
        at.clock.advance(MINUTE);
        await queue.idle();
        expect(handlers.started).toHaveLength(times);
      }
    });

    test('keeps what waits and what is due over a restart', async () => {
      const before = await open();
      await before.wake(ISSUE);
      await before.startPhase({ ref: ISSUE, phase: 'code' });
      await before.wakeAt(OTHER, at.clock.now() + MINUTE);
      await before.close();
      at.clock.advance(2 * MINUTE);
      const after = await open();
      const handlers = new RecordingJobHandlers();
      await after.work(handlers);
      await after.idle();
      expect([...handlers.started].sort()).toEqual(['code ada/sandbox#7', 'wake ada/sandbox#7', 'wake ada/sandbox#8']);
    });

    test('notices a time set by another process', async () => {
      const worker = await open();
      const handlers = new RecordingJobHandlers();
      await worker.work(handlers);
      await worker.idle();
      const front = await open();
      await front.wakeAt(ISSUE, at.clock.now() + MINUTE);
      at.clock.advance(MINUTE);
      await worker.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7']);
    });

    test('hands a job to one of two workers', async () => {
      const [one, two] = [await open(), await open()];
      const [shopOne, shopTwo] = [new RecordingJobHandlers(), new RecordingJobHandlers()];
      await one.work(shopOne);
      await two.work(shopTwo);
      const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
      await Promise.all(numbers.map((number) => one.wake({ ...ISSUE, number })));
      await one.idle();
      const started = [...shopOne.started, ...shopTwo.started].sort();
      expect(started).toEqual(numbers.map((number) => `wake ${formatIssue({ ...ISSUE, number })}`).sort());
    });

    test('a handler that throws is logged and stops nothing', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers({ onWake: () => Promise.reject(new Error('boom')) });
      await queue.work(handlers);
      await queue.wake(ISSUE);
      await queue.idle();
      await queue.wake(ISSUE);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await queue.idle();
      expect(handlers.started).toHaveLength(3);
      expect(at.log.said('job failed')).toHaveLength(2);
      expect(at.log.said('job failed')[0]).toMatchObject({ level: 'error', fields: { issue: 'ada/sandbox#7' } });
    });

    test('drops what it cannot read, says so, and goes on', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers();
      await queue.work(handlers);
      await fixture().poison();
      await queue.wake(ISSUE);
      at.clock.advance(MINUTE);
      await queue.idle();
      expect(handlers.started).toEqual(['wake ada/sandbox#7']);
      expect(at.log.said('dropped unreadable job').length).toBeGreaterThan(0);
    });

    test('tells running phases to stop when it closes, and the next start runs them again', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers({ hold: true });
      await queue.work(handlers);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await handlers.untilStarted(1);
      await queue.close();
      expect(handlers.signals[0]?.aborted).toBe(true);
      expect(handlers.ended).toEqual(['code ada/sandbox#7']);
      const next = await open();
      const nextShop = new RecordingJobHandlers();
      await next.work(nextShop);
      await next.idle();
      expect(nextShop.started).toEqual(['code ada/sandbox#7']);
    });

    test('what stops may still wake', async () => {
      const queue = await open();
      const handlers = new RecordingJobHandlers({ hold: true, onStop: () => queue.wake(OTHER) });
      await queue.work(handlers);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await handlers.untilStarted(1);
      await queue.close();
      expect(at.log.said('job failed')).toEqual([]);
      const next = await open();
      const nextShop = new RecordingJobHandlers();
      await next.work(nextShop);
      await next.idle();
      expect(nextShop.started).toContain('wake ada/sandbox#8');
    });

    test('closes in bounded time although a job does not stop, and delivers that job again', async () => {
      const queue = await open({ graceMs: MINUTE, lockMs: 300 });
      const stubborn = new RecordingJobHandlers({ hold: true, ignoresAbort: true });
      await queue.work(stubborn);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await stubborn.untilStarted(1);
      const closing = queue.close();
      await stubborn.untilAborted();
      at.clock.advance(MINUTE);
      await closing;
      // Longer, or a busy machine would make it lose its own job.
      const next = await open({ lockMs: 1_500 });
      const handlers = new RecordingJobHandlers();
      await next.work(handlers);
      await handlers.untilStarted(1);
      await next.idle();
      expect(handlers.started).toEqual(['code ada/sandbox#7']);
      expect(at.log.said('jobs did not stop in time; they will be redelivered')).toHaveLength(1);
      stubborn.release();
    });

    test('refuses when closed', async () => {
      const queue = await open();
      await queue.close();
      await queue.close();
      await expect(queue.wake(ISSUE)).rejects.toThrow('closed');
      await expect(queue.work(new RecordingJobHandlers())).rejects.toThrow('closed');
    });
  });
}
