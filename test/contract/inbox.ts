import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../src/pocket/manual-clock.js';
import type { Delivery, Inbox } from '../../src/ports/inbox.js';
import { GitHubError } from '../../src/ports/github.js';
import { Hearer } from '../support/hearer.js';
import { RecordingLog } from '../support/recording-log.js';
import { until } from '../support/until.js';

export interface InboxSettings {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly pauseMs?: number;
  readonly lockMs?: number;
  readonly graceMs?: number;
}

/** A place where inboxes live, shared by all opened on it. */
export interface InboxHouse {
  /** Another process, as it were. */
  open(settings: InboxSettings): Promise<Inbox>;
  /** Loses everything it holds. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const MINUTE = 60_000;
/** How often a delivery is tried. */
const TRIES = 8;
/** How often it may be begun by processes that then go away. */
const BEGINNINGS = 4;

const delivery = (id: string): Delivery => ({ id, name: 'issue_comment', payload: { secret: 'from a private place' } });

/** What every inbox promises. */
export function inboxContract(name: string, openHouse: () => Promise<InboxHouse>): void {
  describe(`an inbox on ${name}`, () => {
    const opened: Inbox[] = [];
    const at = { house: undefined as InboxHouse | undefined, clock: new ManualClock(), log: new RecordingLog() };

    beforeEach(async () => {
      at.house ??= await openHouse();
      at.clock = new ManualClock();
      at.log = new RecordingLog();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((inbox) => inbox.close()));
      await at.house?.flush();
    });

    afterAll(async () => {
      await at.house?.close();
    });

    const open = async (settings: Partial<InboxSettings> = {}): Promise<Inbox> => {
      if (at.house === undefined) throw new Error('not open');
      const inbox = await at.house.open({ clock: at.clock, log: at.log, pauseMs: 1, ...settings });
      opened.push(inbox);
      return inbox;
    };

    test('keeps a delivery until somebody deals with it, with all it carries', async () => {
      const inbox = await open();
      expect(await inbox.keep(delivery('a'))).toBe('kept');
      const hearer = new Hearer();
      await inbox.work(hearer.deal);
      await inbox.idle();
      expect(hearer.heard).toEqual([delivery('a')]);
    });

    test('keeps a delivery once, however often and however concurrently it comes', async () => {
      const [one, two] = [await open(), await open()];
      const hearer = new Hearer();
      await one.work(hearer.deal);
      await two.work(hearer.deal);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : two).keep(delivery('a'))),
      );
      await one.idle();
      expect(answers.filter((answer) => answer === 'kept')).toHaveLength(1);
      expect(hearer.heard).toHaveLength(1);
    });

    test('knows a delivery again after it has been dealt with', async () => {
      const inbox = await open();
      const hearer = new Hearer();
      await inbox.work(hearer.deal);
      await inbox.keep(delivery('a'));
      await inbox.idle();
      expect(await inbox.keep(delivery('a'))).toBe('known');
      expect(await inbox.keep(delivery('b'))).toBe('kept');
      await inbox.idle();
      expect(hearer.heard.map(({ id }) => id)).toEqual(['a', 'b']);
    });

    test('tries again what failed, and is done when it succeeds', async () => {
      const inbox = await open();
      const hearer = new Hearer({ failures: 2 });
      await inbox.work(hearer.deal);
      await inbox.keep(delivery('a'));
      await hearer.untilHeard(3);
      await inbox.idle();
      expect(hearer.heard).toHaveLength(3);
      expect(at.log.said('job failed; it will be tried again')).toHaveLength(2);
    });

    test('waits for the time a failure names, and counts no try for it', async () => {
      const inbox = await open();
      const tries = { count: 0 };
      await inbox.work(async () => {
        tries.count += 1;
        if (tries.count <= TRIES + 2) throw new GitHubError('rate-limited', 'not yet', at.clock.now() + 10);
      });
      await inbox.keep(delivery('a'));
      await until('it is dealt with', () => tries.count === TRIES + 3);
      await inbox.idle();
      expect(at.log.said('job waits for a named time')).toHaveLength(TRIES + 2);
      expect([...at.log.said('job failed; it will be tried again'), ...at.log.said('job given up')]).toEqual([]);
    });

    test('gives up what always fails, says so without its content, and goes on', async () => {
      const inbox = await open();
      const hearer = new Hearer({ failures: Infinity });
      await inbox.work(hearer.deal);
      await inbox.keep(delivery('a'));
      await at.log.until('job given up');
      await inbox.idle();
      expect(hearer.heard).toHaveLength(TRIES);
      expect(at.log.said('job given up')[0]).toMatchObject({ level: 'error', fields: { delivery: 'a', tries: TRIES } });
      expect(JSON.stringify(at.log.lines)).not.toContain('private place');
      expect(await inbox.keep(delivery('a'))).toBe('known');
    });

    test('keeps what waits over a restart', async () => {
      const before = await open();
      await before.keep(delivery('a'));
      await before.close();
      const after = await open();
      const hearer = new Hearer();
      await after.work(hearer.deal);
      await after.idle();
      expect(hearer.heard.map(({ id }) => id)).toEqual(['a']);
    });

    test('lets what is being dealt with end when it closes', async () => {
      const inbox = await open({ graceMs: MINUTE });
      const hearer = new Hearer({ hold: true });
      await inbox.work(hearer.deal);
      await inbox.keep(delivery('a'));
      await hearer.untilHeard(1);
      const closing = inbox.close();
      hearer.release();
      await closing;
      expect(hearer.done).toBe(1);
      const next = await open({ lockMs: 300 });
      const again = new Hearer();
      await next.work(again.deal);
      await next.idle();
      expect(again.heard).toEqual([]);
    });

    test('closes in bounded time, and another deals with what did not end', async () => {
      const inbox = await open({ graceMs: 0, lockMs: 300 });
      const stuck = new Hearer({ hold: true });
      await inbox.work(stuck.deal);
      await inbox.keep(delivery('a'));
      await stuck.untilHeard(1);
      await inbox.close();
      const next = await open({ lockMs: 300 });
      const hearer = new Hearer();
      await next.work(hearer.deal);
      await hearer.untilHeard(1);
      expect(hearer.heard.map(({ id }) => id)).toEqual(['a']);
      stuck.release();
    });

    test('gives up a delivery that nobody who began to deal with it ever finished', async () => {
      const stuck = new Hearer({ hold: true });
      const first = await open({ graceMs: 0, lockMs: 200 });
      await first.keep(delivery('a'));
      for (let begun = 1; begun <= BEGINNINGS; begun += 1) {
        const inbox = await open({ graceMs: 0, lockMs: 200 });
        await inbox.work(stuck.deal);
        await stuck.untilHeard(begun);
        await inbox.close();
      }
      const last = await open({ lockMs: 200 });
      await last.work(stuck.deal);
      await at.log.until('job given up');
      expect(stuck.heard).toHaveLength(BEGINNINGS);
      stuck.release();
    });

    test('deals with new deliveries after everything was lost', async () => {
      const inbox = await open();
      const hearer = new Hearer();
      await inbox.work(hearer.deal);
      await inbox.keep(delivery('a'));
      await inbox.idle();
      await at.house?.flush();
      expect(await inbox.keep(delivery('a'))).toBe('kept');
      await inbox.idle();
      expect(hearer.heard).toHaveLength(2);
    });

    test('refuses when closed', async () => {
      const inbox = await open();
      await inbox.close();
      await inbox.close();
      await expect(inbox.keep(delivery('a'))).rejects.toThrow('closed');
      await expect(inbox.work(async () => undefined)).rejects.toThrow('closed');
    });
  });
}
