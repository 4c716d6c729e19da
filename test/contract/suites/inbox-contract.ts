import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import type { Delivery, Inbox } from '../../../src/ports/inbox.js';
import { GitHubError } from '../../../src/ports/github.js';
import { RecordingInboxHandler } from '../../support/queue/recording-inbox-handler.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

export interface InboxSettings {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly pauseMs?: number;
  readonly lockMs?: number;
  readonly graceMs?: number;
}

/** A place where inboxes live, shared by all opened on it. */
export interface InboxFixture {
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

const delivery = (id: string): Delivery => ({
  id,
  event: {
    kind: 'comment',
    ref: { owner: 'ada', repo: 'tideline', number: 7 },
    isPull: false,
    commentId: 'IC_1',
    at: 1_000,
    author: { id: 2, login: 'wren', kind: 'human' },
    body: 'from a private place',
  },
});

/** What every inbox promises. */
export function inboxContract(name: string, openFixture: () => Promise<InboxFixture>): void {
  describe(`an inbox on ${name}`, () => {
    const opened: Inbox[] = [];
    const at = { fixture: undefined as InboxFixture | undefined, clock: new ManualClock(), log: new RecordingLog() };

    beforeEach(async () => {
      at.fixture ??= await openFixture();
      at.clock = new ManualClock();
      at.log = new RecordingLog();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((inbox) => inbox.close()));
      await at.fixture?.flush();
    });

    afterAll(async () => {
      await at.fixture?.close();
    });

    const open = async (settings: Partial<InboxSettings> = {}): Promise<Inbox> => {
      if (at.fixture === undefined) throw new Error('not open');
      const inbox = await at.fixture.open({ clock: at.clock, log: at.log, pauseMs: 1, ...settings });
      opened.push(inbox);
      return inbox;
    };

    test('keeps a delivery until somebody deals with it, with all it carries', async () => {
      const inbox = await open();
      expect(await inbox.enqueue(delivery('a'))).toBe('queued');
      const handler = new RecordingInboxHandler();
      await inbox.work(handler.handle);
      await inbox.idle();
      expect(handler.received).toEqual([delivery('a')]);
    });

    test('keeps a delivery once, however often and however concurrently it comes', async () => {
      const [one, two] = [await open(), await open()];
      const handler = new RecordingInboxHandler();
      await one.work(handler.handle);
      await two.work(handler.handle);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : two).enqueue(delivery('a'))),
      );
      await one.idle();
      expect(answers.filter((answer) => answer === 'queued')).toHaveLength(1);
      expect(handler.received).toHaveLength(1);
    });

    test('knows a delivery again after it has been dealt with', async () => {
      const inbox = await open();
      const handler = new RecordingInboxHandler();
      await inbox.work(handler.handle);
      await inbox.enqueue(delivery('a'));
      await inbox.idle();
      expect(await inbox.enqueue(delivery('a'))).toBe('duplicate');
      expect(await inbox.enqueue(delivery('b'))).toBe('queued');
      await inbox.idle();
      expect(handler.received.map(({ id }) => id)).toEqual(['a', 'b']);
    });

    test('tries again what failed, and is done when it succeeds', async () => {
      const inbox = await open();
      const handler = new RecordingInboxHandler({ failures: 2 });
      await inbox.work(handler.handle);
      await inbox.enqueue(delivery('a'));
      await handler.untilReceived(3);
      await inbox.idle();
      expect(handler.received).toHaveLength(3);
      expect(at.log.said('job failed; retrying')).toHaveLength(2);
    });

    test('waits for the time a failure names, and counts no try for it', async () => {
      const inbox = await open();
      const tries = { count: 0 };
      await inbox.work(async () => {
        tries.count += 1;
        if (tries.count <= TRIES + 2) throw new GitHubError('rate-limited', 'not yet', at.clock.now() + 10);
      });
      await inbox.enqueue(delivery('a'));
      await until('it is dealt with', () => tries.count === TRIES + 3);
      await inbox.idle();
      expect(at.log.said('job delayed')).toHaveLength(TRIES + 2);
      expect([...at.log.said('job failed; retrying'), ...at.log.said('job abandoned')]).toEqual([]);
    });

    test('gives up what always fails, says so without its content, and goes on', async () => {
      const inbox = await open();
      const handler = new RecordingInboxHandler({ failures: Infinity });
      await inbox.work(handler.handle);
      await inbox.enqueue(delivery('a'));
      await at.log.until('job abandoned');
      await inbox.idle();
      expect(handler.received).toHaveLength(TRIES);
      expect(at.log.said('job abandoned')[0]).toMatchObject({
        level: 'error',
        fields: { delivery: 'a', tries: TRIES },
      });
      expect(JSON.stringify(at.log.lines)).not.toContain('private place');
      expect(await inbox.enqueue(delivery('a'))).toBe('duplicate');
    });

    test('keeps what waits over a restart', async () => {
      const before = await open();
      await before.enqueue(delivery('a'));
      await before.close();
      const after = await open();
      const handler = new RecordingInboxHandler();
      await after.work(handler.handle);
      await after.idle();
      expect(handler.received.map(({ id }) => id)).toEqual(['a']);
    });

    test('lets what is being dealt with end when it closes', async () => {
      const inbox = await open({ graceMs: MINUTE });
      const handler = new RecordingInboxHandler({ hold: true });
      await inbox.work(handler.handle);
      await inbox.enqueue(delivery('a'));
      await handler.untilReceived(1);
      const closing = inbox.close();
      handler.release();
      await closing;
      expect(handler.done).toBe(1);
      const next = await open({ lockMs: 300 });
      const again = new RecordingInboxHandler();
      await next.work(again.handle);
      await next.idle();
      expect(again.received).toEqual([]);
    });

    test('closes in bounded time, and another deals with what did not end', async () => {
      const inbox = await open({ graceMs: 0, lockMs: 300 });
      const stuck = new RecordingInboxHandler({ hold: true });
      await inbox.work(stuck.handle);
      await inbox.enqueue(delivery('a'));
      await stuck.untilReceived(1);
      await inbox.close();
      const next = await open({ lockMs: 300 });
      const handler = new RecordingInboxHandler();
      await next.work(handler.handle);
      await handler.untilReceived(1);
      expect(handler.received.map(({ id }) => id)).toEqual(['a']);
      stuck.release();
    });

    test('gives up a delivery that nobody who began to deal with it ever finished', async () => {
      const stuck = new RecordingInboxHandler({ hold: true });
      const first = await open({ graceMs: 0, lockMs: 200 });
      await first.enqueue(delivery('a'));
      for (let begun = 1; begun <= BEGINNINGS; begun += 1) {
        const inbox = await open({ graceMs: 0, lockMs: 200 });
        await inbox.work(stuck.handle);
        await stuck.untilReceived(begun);
        await inbox.close();
      }
      const last = await open({ lockMs: 200 });
      await last.work(stuck.handle);
      await at.log.until('job abandoned');
      expect(stuck.received).toHaveLength(BEGINNINGS);
      stuck.release();
    });

    test('deals with new deliveries after everything was lost', async () => {
      const inbox = await open();
      const handler = new RecordingInboxHandler();
      await inbox.work(handler.handle);
      await inbox.enqueue(delivery('a'));
      await inbox.idle();
      await at.fixture?.flush();
      expect(await inbox.enqueue(delivery('a'))).toBe('queued');
      await inbox.idle();
      expect(handler.received).toHaveLength(2);
    });

    test('refuses when closed', async () => {
      const inbox = await open();
      await inbox.close();
      await inbox.close();
      await expect(inbox.enqueue(delivery('a'))).rejects.toThrow('closed');
      await expect(inbox.work(async () => undefined)).rejects.toThrow('closed');
    });
  });
}
