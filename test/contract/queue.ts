import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { formatIssue, type IssueRef } from '../../src/domain/ids.js';
import { ManualClock } from '../../src/pocket/manual-clock.js';
import type { Queue } from '../../src/ports/queue.js';
import { RecordingLog } from '../support/recording-log.js';
import { Workshop } from '../support/workshop.js';

export interface QueueSettings {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly phases?: number;
  readonly graceMs?: number;
  /** After how long a job of a process that is gone is delivered again, where only time tells. */
  readonly lockMs?: number;
}

/** A place where queues live, shared by all queues opened on it. */
export interface QueueHouse {
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
export function queueContract(name: string, openHouse: () => Promise<QueueHouse>): void {
  describe(`a queue on ${name}`, () => {
    const opened: Queue[] = [];
    const at = { house: undefined as QueueHouse | undefined, clock: new ManualClock(), log: new RecordingLog() };

    beforeEach(async () => {
      at.house ??= await openHouse();
      at.clock = new ManualClock();
      at.log = new RecordingLog();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((queue) => queue.close()));
      await at.house?.flush();
    });

    afterAll(async () => {
      await at.house?.close();
    });

    const house = (): QueueHouse => {
      if (at.house === undefined) throw new Error('not open');
      return at.house;
    };

    const open = async (settings: Partial<QueueSettings> = {}): Promise<Queue> => {
      const queue = await house().open({ clock: at.clock, log: at.log, ...settings });
      opened.push(queue);
      return queue;
    };

    test('wakes an issue once, however often it was woken before anybody looked', async () => {
      const queue = await open();
      await queue.wake(ISSUE);
      await queue.wake(ISSUE);
      await queue.wake(OTHER);
      await queue.wake(ISSUE);
      const shop = new Workshop();
      await queue.work(shop);
      await queue.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8']);
    });

    test('does not lose a wake that comes while the issue is looked at, and does not pile them up', async () => {
      const queue = await open();
      const shop = new Workshop({ hold: true });
      await queue.work(shop);
      await queue.wake(ISSUE);
      await shop.untilStarted(1);
      await queue.wake(ISSUE);
      await queue.wake(ISSUE);
      await queue.wake(OTHER);
      await shop.untilStarted(2);
      expect(shop.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8']);
      shop.release();
      await queue.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8', 'wake ada/sandbox#7']);
    });

    test('runs one phase of an issue at a time, and the one that follows it', async () => {
      const queue = await open({ phases: 2 });
      const shop = new Workshop({ hold: true });
      await queue.work(shop);
      await queue.startPhase({ ref: ISSUE, phase: 'spec' });
      await shop.untilStarted(1);
      await queue.startPhase({ ref: ISSUE, phase: 'spec' });
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await queue.startPhase({ ref: OTHER, phase: 'issue' });
      await shop.untilStarted(2);
      expect(shop.started).toEqual(['spec ada/sandbox#7', 'issue ada/sandbox#8']);
      shop.release();
      await queue.idle();
      expect(shop.started).toEqual(['spec ada/sandbox#7', 'issue ada/sandbox#8', 'code ada/sandbox#7']);
    });

    test('runs no more phases at once than it may, and wakes beside them', async () => {
      const queue = await open({ phases: 1 });
      const shop = new Workshop({ hold: true });
      await queue.work(shop);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await shop.untilStarted(1);
      await queue.startPhase({ ref: OTHER, phase: 'code' });
      await queue.wake(ISSUE);
      await shop.untilStarted(2);
      expect(shop.started).toEqual(['code ada/sandbox#7', 'wake ada/sandbox#7']);
      shop.release();
      await queue.idle();
      expect(shop.started).toHaveLength(3);
    });

    test('goes on after everything was lost while jobs ran and waited', async () => {
      const queue = await open({ phases: 1 });
      const shop = new Workshop({ hold: true });
      await queue.work(shop);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await queue.wake(ISSUE);
      await shop.untilStarted(2);
      await queue.startPhase({ ref: OTHER, phase: 'code' });
      await queue.wakeAt(OTHER, at.clock.now() + MINUTE);
      await house().flush();
      await queue.wake(ISSUE);
      await shop.untilStarted(3);
      shop.release();
      await queue.idle();
      expect(shop.signals[0]?.aborted).toBe(false);
      await queue.startPhase({ ref: ISSUE, phase: 'review' });
      await queue.wake(OTHER);
      await queue.idle();
      expect([...shop.started].sort()).toEqual([
        'code ada/sandbox#7',
        'review ada/sandbox#7',
        'wake ada/sandbox#7',
        'wake ada/sandbox#7',
        'wake ada/sandbox#8',
      ]);
    });

    test('wakes at the earliest of the times it was given, by its own clock', async () => {
      const queue = await open();
      const shop = new Workshop();
      await queue.work(shop);
      await queue.wakeAt(ISSUE, at.clock.now() + 10 * MINUTE);
      await queue.wakeAt(ISSUE, at.clock.now() + 5 * MINUTE);
      await queue.wakeAt(ISSUE, at.clock.now() + 20 * MINUTE);
      await queue.wakeAt(OTHER, at.clock.now() + 20 * MINUTE);
      await queue.idle();
      at.clock.advance(5 * MINUTE - 1);
      await queue.idle();
      expect(shop.started).toEqual([]);
      at.clock.advance(1);
      await queue.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7']);
      at.clock.advance(60 * MINUTE);
      await queue.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7', 'wake ada/sandbox#8']);
    });

    test('a time that has passed already wakes at once', async () => {
      const queue = await open();
      const shop = new Workshop();
      await queue.work(shop);
      await queue.wakeAt(ISSUE, at.clock.now() - MINUTE);
      await queue.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7']);
    });

    test('a time set by the job it woke stays', async () => {
      const queue = await open();
      const shop = new Workshop({ onWake: (ref) => queue.wakeAt(ref, at.clock.now() + MINUTE) });
      await queue.work(shop);
      await queue.wakeAt(ISSUE, at.clock.now() + MINUTE);
      for (const times of [1, 2, 3]) {
        at.clock.advance(MINUTE);
        await queue.idle();
        expect(shop.started).toHaveLength(times);
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
      const shop = new Workshop();
      await after.work(shop);
      await after.idle();
      expect([...shop.started].sort()).toEqual(['code ada/sandbox#7', 'wake ada/sandbox#7', 'wake ada/sandbox#8']);
    });

    test('notices a time set by another process', async () => {
      const worker = await open();
      const shop = new Workshop();
      await worker.work(shop);
      await worker.idle();
      const front = await open();
      await front.wakeAt(ISSUE, at.clock.now() + MINUTE);
      at.clock.advance(MINUTE);
      await worker.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7']);
    });

    test('hands a job to one of two workers', async () => {
      const [one, two] = [await open(), await open()];
      const [shopOne, shopTwo] = [new Workshop(), new Workshop()];
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
      const shop = new Workshop({ onWake: () => Promise.reject(new Error('boom')) });
      await queue.work(shop);
      await queue.wake(ISSUE);
      await queue.idle();
      await queue.wake(ISSUE);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await queue.idle();
      expect(shop.started).toHaveLength(3);
      expect(at.log.said('job failed')).toHaveLength(2);
      expect(at.log.said('job failed')[0]).toMatchObject({ level: 'error', fields: { issue: 'ada/sandbox#7' } });
    });

    test('drops what it cannot read, says so, and goes on', async () => {
      const queue = await open();
      const shop = new Workshop();
      await queue.work(shop);
      await house().poison();
      await queue.wake(ISSUE);
      at.clock.advance(MINUTE);
      await queue.idle();
      expect(shop.started).toEqual(['wake ada/sandbox#7']);
      expect(at.log.said('dropped a job that cannot be read').length).toBeGreaterThan(0);
    });

    test('tells running phases to stop when it closes, and the next start runs them again', async () => {
      const queue = await open();
      const shop = new Workshop({ hold: true });
      await queue.work(shop);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await shop.untilStarted(1);
      await queue.close();
      expect(shop.signals[0]?.aborted).toBe(true);
      expect(shop.ended).toEqual(['code ada/sandbox#7']);
      const next = await open();
      const nextShop = new Workshop();
      await next.work(nextShop);
      await next.idle();
      expect(nextShop.started).toEqual(['code ada/sandbox#7']);
    });

    test('what stops may still wake', async () => {
      const queue = await open();
      const shop = new Workshop({ hold: true, onStop: () => queue.wake(OTHER) });
      await queue.work(shop);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await shop.untilStarted(1);
      await queue.close();
      expect(at.log.said('job failed')).toEqual([]);
      const next = await open();
      const nextShop = new Workshop();
      await next.work(nextShop);
      await next.idle();
      expect(nextShop.started).toContain('wake ada/sandbox#8');
    });

    test('closes in bounded time although a job does not stop, and delivers that job again', async () => {
      const queue = await open({ graceMs: MINUTE, lockMs: 300 });
      const stubborn = new Workshop({ hold: true, deaf: true });
      await queue.work(stubborn);
      await queue.startPhase({ ref: ISSUE, phase: 'code' });
      await stubborn.untilStarted(1);
      const closing = queue.close();
      await stubborn.untilAborted();
      at.clock.advance(MINUTE);
      await closing;
      // Longer, or a busy machine would make it lose its own job.
      const next = await open({ lockMs: 1_500 });
      const shop = new Workshop();
      await next.work(shop);
      await shop.untilStarted(1);
      await next.idle();
      expect(shop.started).toEqual(['code ada/sandbox#7']);
      expect(at.log.said('jobs did not stop in time; they will be delivered again')).toHaveLength(1);
      stubborn.release();
    });

    test('refuses when closed', async () => {
      const queue = await open();
      await queue.close();
      await queue.close();
      await expect(queue.wake(ISSUE)).rejects.toThrow('closed');
      await expect(queue.work(new Workshop())).rejects.toThrow('closed');
    });
  });
}
