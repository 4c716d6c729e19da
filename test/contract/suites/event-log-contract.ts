import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunActivity, RunEvent } from '../../../src/domain/events/run-event.js';
import { ManualClock } from '#pocket-github/clock';
import type { Clock } from '../../../src/ports/clock.js';
import {
  type EventLog,
  FIRST,
  type Gap,
  type LoggedEvent,
  type PassingActivity,
} from '../../../src/ports/event-log.js';
import { until } from '../../support/until.js';

/** Where logs are kept; several processes may share one. */
export interface EventLogFixture {
  open(parts: { readonly clock: Clock; readonly redact: (text: string) => string }): Promise<EventLog>;
  /** Forgets everything. */
  flush(): Promise<void>;
  /** Forgets all events but the newest. */
  trim(): Promise<void>;
  close(): Promise<void>;
}

const ISSUE = { owner: 'ada', repo: 'sandbox', number: 7 };
const OTHER = { owner: 'ada', repo: 'sandbox', number: 8 };
const redact = (text: string): string => text.replaceAll('hush', '***');

type Followed = LoggedEvent | Gap | PassingActivity;

export function eventLogContract(name: string, openFixture: () => Promise<EventLogFixture>): void {
  describe(`events in ${name}`, () => {
    const at: { fixture?: EventLogFixture; logs: EventLog[]; clock: ManualClock; stop: AbortController } = {
      logs: [],
      clock: new ManualClock(),
      stop: new AbortController(),
    };

    beforeEach(async () => {
      Object.assign(at, {
        fixture: await openFixture(),
        logs: [],
        clock: new ManualClock(),
        stop: new AbortController(),
      });
    });

    afterEach(async () => {
      at.stop.abort();
      await Promise.all(at.logs.map((log) => log.close()));
      await at.fixture?.close();
    });

    const fixture = (): EventLogFixture => {
      if (at.fixture === undefined) throw new Error('not open');
      return at.fixture;
    };
    const open = async (): Promise<EventLog> => {
      const log = await fixture().open({ clock: at.clock, redact });
      at.logs.push(log);
      return log;
    };
    const frame = (because: string, issue = ISSUE) => ({
      at: at.clock.now(),
      issue,
      run: 'run-1',
      phase: 'code' as const,
      because,
    });
    const resumed = (because: string, issue = ISSUE): RunEvent => ({ ...frame(because, issue), kind: 'resumed' });
    const waiting = (because: string): RunEvent => ({ ...frame(because), kind: 'waiting', on: 'checks', until: null });
    const said = (text: string, phaseRun = 'p1'): RunActivity => ({
      at: at.clock.now(),
      issue: ISSUE,
      phase: 'code',
      phaseRun,
      kind: 'message',
      text,
    });
    const after = async (log: EventLog, id: string, limit = 100) => (await log.since(id, limit)).map(brief);
    const idOf = async (log: EventLog, because: string): Promise<string> => {
      const found = (await log.since(FIRST, 100)).find((one) => brief(one) === because);
      if (found?.kind !== 'event') throw new Error(`${because} is not there`);
      return found.id;
    };

    test('come back in order, under ids to go on from, for every process', async () => {
      const [log, other] = [await open(), await open()];
      await Promise.all(['a', 'b', 'c'].map((because) => log.append(resumed(because))));
      await other.append(resumed('d'));
      expect(await after(other, FIRST)).toEqual(['a', 'b', 'c', 'd']);
      expect(await after(other, await idOf(log, 'b'))).toEqual(['c', 'd']);
      expect(await after(other, await idOf(log, 'a'), 2)).toEqual(['b', 'c']);
      expect(await after(other, await idOf(log, 'd'))).toEqual([]);
      expect((await log.since(FIRST, 1))[0]).toMatchObject({ kind: 'event', event: resumed('a') });
    });

    test('an id that is gone, was never there or is none says that there is a gap, and goes on from the oldest', async () => {
      const log = await open();
      await log.append(resumed('a'));
      const id = await idOf(log, 'a');
      await log.append(resumed('b'));
      await fixture().trim();
      for (const unknown of [id, '99999999999999-0', '5-5', 'nonsense', '', '0', '99999999999999999999999-1'])
        expect(await after(log, unknown)).toEqual(['gap', 'b']);
      await fixture().flush();
      expect(await after(log, id)).toEqual(['gap']);
      expect(await after(log, FIRST)).toEqual([]);
    });

    test('are followed from an id on, whoever appends them', async () => {
      const [log, other] = [await open(), await open()];
      for (const because of ['a', 'b', 'c']) await log.append(resumed(because));
      const ear = listen(log, await idOf(log, 'a'), at.stop.signal);
      expect([await ear(), await ear()]).toEqual(['b', 'c']);
      const coming = ear();
      await other.append(resumed('d'));
      expect(await coming).toBe('d');
      await log.append(resumed('e'));
      await log.append(resumed('f'));
      expect([await ear(), await ear()]).toEqual(['e', 'f']);
    });

    test('more events than a page holds are all followed', async () => {
      const log = await open();
      const all = Array.from({ length: 230 }, (_, index) => `n${index}`);
      await Promise.all(all.map((because) => log.append(resumed(because))));
      const ear = listen(log, FIRST, at.stop.signal);
      const heard: string[] = [];
      for (let count = 0; count < all.length; count += 1) heard.push(await ear());
      expect(heard).toEqual(all);
    });

    test('without an id only what comes is followed, and activities pass by without being kept', async () => {
      const log = await open();
      await log.append(resumed('before'));
      const ear = listen(log, null, at.stop.signal);
      const coming = ear();
      // Whether somebody listens yet can only be told by being heard.
      const heard = { yet: false };
      void coming.then(() => (heard.yet = true));
      await until('the listener hears', async () => {
        await log.note(said('thinking'));
        return heard.yet;
      });
      expect(await coming).toBe('thinking');
      await log.append(resumed('after'));
      const rest: string[] = [];
      while (rest.at(-1) !== 'after') rest.push(await ear());
      expect(rest).not.toContain('before');
      expect(await after(log, FIRST)).toEqual(['before', 'after']);
    });

    test('a follower is notified of the gap once when everything was forgotten', async () => {
      const log = await open();
      await log.append(resumed('a'));
      const ear = listen(log, FIRST, at.stop.signal);
      expect(await ear()).toBe('a');
      await fixture().flush();
      await log.append(resumed('b'));
      await log.append(resumed('c'));
      expect([await ear(), await ear(), await ear()]).toEqual(['gap', 'b', 'c']);
    });

    test('following ends with its signal, and with the log', async () => {
      const log = await open();
      const one = new AbortController();
      const [mine, theirs] = [drained(log, one.signal), drained(log, at.stop.signal)];
      one.abort();
      await mine;
      await log.close();
      await theirs;
      await drained(await open(), one.signal);
    });

    test('a wait that goes on is recorded once; another reason is recorded again', async () => {
      const log = await open();
      for (const because of ['for test', 'for test', 'for lint', 'for test']) await log.append(waiting(because));
      await log.append(resumed('go'));
      await log.append(waiting('for test'));
      expect(await after(log, FIRST)).toEqual(['for test', 'for lint', 'for test', 'go', 'for test']);
      await fixture().flush();
      await log.append(waiting('for test'));
      expect(await after(log, FIRST)).toEqual(['for test']);
    });

    test('every run that was heard of is in the list, the latest first', async () => {
      const log = await open();
      expect(await log.runs()).toEqual([]);
      await log.append({ ...frame('asked'), kind: 'run-started', by: 'wren' });
      at.clock.advance(1000);
      await log.append({ ...frame('asked', OTHER), kind: 'run-started', by: 'wren' });
      at.clock.advance(1000);
      await log.append({ ...frame('stuck'), kind: 'halted', state: 'needs-human', code: 'questions-open' });
      expect(await log.runs()).toEqual([
        {
          issue: ISSUE,
          run: 'run-1',
          status: 'needs-human',
          phase: 'code',
          because: 'stuck',
          at: at.clock.now(),
        },
        {
          issue: OTHER,
          run: 'run-1',
          status: 'running',
          phase: 'code',
          because: 'asked',
          at: at.clock.now() - 1000,
        },
      ]);
    });

    test('a run in the middle of a phase is in the list again when its agent is heard, whatever was forgotten', async () => {
      const log = await open();
      await log.append({ ...frame('asked'), kind: 'run-started', by: 'wren' });
      await log.note(said('thinking'));
      expect(await log.runs()).toMatchObject([{ run: 'run-1', because: 'asked' }]);
      await fixture().flush();
      await log.note(said('thinking on'));
      expect(await log.runs()).toEqual([
        {
          issue: ISSUE,
          run: null,
          status: 'running',
          phase: 'code',
          because: 'an agent is at work',
          at: at.clock.now(),
        },
      ]);
    });

    test('the last twenty activities of the newest phase run are live, until it has been silent for long', async () => {
      const log = await open();
      expect(await log.live(ISSUE)).toBeNull();
      await log.note(said('earlier', 'p0'));
      for (let count = 0; count < 25; count += 1) await log.note(said(`m${count}`));
      await log.note({ ...said('Bash'), kind: 'tool' });
      const live = await log.live(ISSUE);
      expect(live).toMatchObject({ issue: ISSUE, phase: 'code', phaseRun: 'p1', at: at.clock.now() });
      expect(live?.recent).toHaveLength(20);
      expect(live?.recent.at(0)).toEqual({ kind: 'message', text: 'm6', at: at.clock.now() });
      expect(live?.recent.at(-1)).toEqual({ kind: 'tool', text: 'Bash', at: at.clock.now() });
      expect(await log.live(OTHER)).toBeNull();
      await log.note(said('fresh', 'p2'));
      expect((await log.live(ISSUE))?.recent).toHaveLength(1);
      at.clock.advance(16 * 60_000);
      expect(await log.live(ISSUE)).toBeNull();
    });

    test('secrets do not get in', async () => {
      const log = await open();
      await log.append(resumed('the word is hush'));
      await log.note(said('hush hush'));
      expect(await after(log, FIRST)).toEqual(['the word is ***']);
      expect((await log.live(ISSUE))?.recent).toMatchObject([{ text: '*** ***' }]);
      expect(await log.runs()).toMatchObject([{ because: 'the word is ***' }]);
    });
  });
}

function brief(one: Followed): string {
  switch (one.kind) {
    case 'gap':
      return 'gap';
    case 'event':
      return one.event.because;
    case 'activity':
      return one.activity.text;
  }
}

/** Asks for one after the other. */
function listen(log: EventLog, id: string | null, signal: AbortSignal): () => Promise<string> {
  const following = log.follow(id, signal)[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await following.next();
    return done === true ? 'the end' : brief(value);
  };
}

async function drained(log: EventLog, signal: AbortSignal): Promise<void> {
  for await (const one of log.follow(null, signal)) brief(one);
}
