import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunEnd } from '../../src/domain/account.js';
import type { BudgetConfig } from '../../src/domain/budget.js';
import { ManualClock } from '../../src/pocket/manual-clock.js';
import type { Account } from '../../src/ports/account.js';
import { RecordingLog } from '../support/recording-log.js';

export interface AccountSettings {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly budgets: BudgetConfig;
  readonly credential: string;
  readonly random: () => number;
}

/** A place where accounts are kept, shared by everybody who opens one on it. */
export interface AccountHouse {
  /** Another worker, as it were. */
  open(settings: AccountSettings): Promise<Account>;
  /** Loses everything it holds. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REPO = { owner: 'ada', repo: 'sandbox' };
const OTHER = { owner: 'ada', repo: 'tideline' };
const BUDGETS: BudgetConfig = { issueUsd: null, repoDayUsd: 10, serviceDayUsd: 15 };
const WORKERS = Array.from({ length: 20 }, (_, index) => `run-${index}`);
const end = (kind: RunEnd['kind'], more: Partial<RunEnd> = {}): RunEnd => ({ kind, costUsd: 0, ...more });

/** What every account promises. */
export function accountContract(name: string, openHouse: () => Promise<AccountHouse>): void {
  describe(`an account in ${name}`, () => {
    const at = { house: undefined as AccountHouse | undefined, clock: new ManualClock(), log: new RecordingLog() };

    beforeEach(async () => {
      at.house ??= await openHouse();
      at.clock = new ManualClock();
      at.log = new RecordingLog();
    });
    afterEach(() => at.house?.flush());
    afterAll(() => at.house?.close());

    const open = async (settings: Partial<AccountSettings> = {}): Promise<Account> => {
      if (at.house === undefined) throw new Error('not open');
      const usual = { clock: at.clock, log: at.log, budgets: BUDGETS, credential: 'key-1', random: () => 0 };
      return at.house.open({ ...usual, ...settings });
    };
    const waitsFor = async (account: Account, repo = REPO): Promise<string[]> =>
      (await account.holds(repo)).map(({ on }) => on);

    test('lets everybody start while nothing is wrong', async () => {
      const account = await open();
      expect(await account.holds(REPO)).toEqual([]);
      expect(await Promise.all(WORKERS.map((run) => account.admit(run, REPO)))).toEqual(WORKERS.map(() => null));
      await account.ended('run-0', REPO, end('succeeded', { costUsd: 1 }));
      expect(await account.condition()).toMatchObject({ condition: { kind: 'fine' }, killSwitch: null, holds: [] });
    });

    test('a usage limit that one worker meets pauses all of them until its reset', async () => {
      const [one, other] = [await open(), await open()];
      const until = at.clock.now() + HOUR;
      await one.ended('run-0', REPO, end('quota', { until }));
      expect(await other.holds(OTHER)).toEqual([
        { on: 'quota', until: until + 30_000, because: expect.stringContaining('usage limit') },
      ]);
      expect(await other.admit('run-1', OTHER)).toMatchObject({ on: 'quota', until: until + 30_000 });
      expect((await other.condition()).condition).toMatchObject({ kind: 'resting', on: 'quota', tries: 1 });
      at.clock.advance(HOUR + 30_000);
      expect(await other.holds(OTHER)).toEqual([]);
    });

    test('twenty workers that meet the same limit at once pause once', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      const now = at.clock.now();
      await Promise.all(workers.map((account, index) => account.ended(`run-${index}`, REPO, end('quota'))));
      expect(await workers[0]?.holds(REPO)).toMatchObject([{ on: 'quota', until: now + 5 * MINUTE }]);
    });

    test('after a pause exactly one of twenty workers tries, and the rest follow its answer', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      const admitAll = (): Promise<number> =>
        Promise.all(workers.map((account, index) => account.admit(`run-${index}`, REPO))).then(
          (holds) => holds.filter((hold) => hold === null).length,
        );
      await workers[0]?.ended('run-0', REPO, end('quota'));
      at.clock.advance(5 * MINUTE);
      expect(await admitAll()).toBe(1);
      const report = await workers[3]?.condition();
      const trying = report?.condition.kind === 'probing' ? report.condition.run : 'nobody';
      // It may go on; nobody else may start.
      expect(await admitAll()).toBe(1);
      await workers[7]?.answered(trying);
      expect(await admitAll()).toBe(20);
    });

    test('whoever tries and learns nothing makes room for the next', async () => {
      const account = await open();
      await account.ended('run-0', REPO, end('quota'));
      at.clock.advance(5 * MINUTE);
      expect(await account.admit('run-1', REPO)).toBeNull();
      expect(await account.admit('run-2', REPO)).toMatchObject({ on: 'quota', until: at.clock.now() + 30_000 });
      await account.ended('run-1', REPO, end('stopped'));
      expect(await account.admit('run-2', REPO)).toBeNull();
    });

    test('outages in a row are waited out, and success ends it', async () => {
      const account = await open();
      const down = end('provider-down', { why: '529 overloaded_error' });
      await account.ended('run-0', REPO, down);
      expect(await account.holds(REPO)).toMatchObject([{ on: 'provider', until: at.clock.now() + 30_000 }]);
      await account.ended('run-1', REPO, end('throttled', { why: '429', retryAfterMs: 5 * MINUTE }));
      await account.ended('run-2', REPO, down);
      expect((await account.condition()).condition).toMatchObject({ kind: 'resting', on: 'provider', tries: 3 });
      await account.ended('run-3', REPO, end('succeeded', { costUsd: 0.1 }));
      expect(await account.holds(REPO)).toEqual([]);
    });

    test('a refused credential stops all workers with one notice, until somebody clears it', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      const refused = end('auth', { why: '401 invalid x-api-key' });
      await Promise.all(workers.map((account, index) => account.ended(`run-${index}`, REPO, refused)));
      const [one] = workers;
      if (one === undefined) throw new Error('nobody there');
      expect(await one.admit('run-9', REPO)).toMatchObject({ on: 'credential', until: null });
      expect(at.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
      at.clock.advance(100 * HOUR);
      expect(await waitsFor(one)).toEqual(['credential']);
      await one.clear('ada');
      expect(await waitsFor(one)).toEqual([]);
    });

    test('another credential is another account', async () => {
      const [before, after] = [await open(), await open({ credential: 'key-2' })];
      await before.ended('run-0', REPO, end('billing', { why: 'no credit' }));
      expect([await waitsFor(before), await waitsFor(after)]).toEqual([['credential'], []]);
      await after.ended('run-1', REPO, end('succeeded', { costUsd: 0.1 }));
      expect(await after.admit('run-2', REPO)).toBeNull();
    });

    test('what a repository spends in a day is bounded, and what all spend together', async () => {
      const account = await open();
      await account.ended('run-0', REPO, end('succeeded', { costUsd: 6 }));
      await account.ended('run-1', { owner: 'Ada', repo: 'Sandbox' }, end('lost', { costUsd: 4.5 }));
      expect([await waitsFor(account), await waitsFor(account, OTHER)]).toEqual([['budget'], []]);
      expect(await account.admit('run-2', REPO)).toMatchObject({
        on: 'budget',
        because: expect.stringContaining('$10.50 of $10.00'),
      });
      expect(await account.admit('run-2', OTHER)).toBeNull();
      await account.ended('run-2', OTHER, end('succeeded', { costUsd: 5 }));
      expect([await waitsFor(account), await waitsFor(account, OTHER)]).toEqual([['budget', 'budget'], ['budget']]);
      expect((await account.condition()).today).toEqual({
        day: new Date(at.clock.now()).toISOString().slice(0, 10),
        service: { usd: 15.5, limitUsd: 15 },
        repositories: [
          { repository: 'ada/sandbox', usd: 10.5, limitUsd: 10 },
          { repository: 'ada/tideline', usd: 5, limitUsd: 10 },
        ],
      });
    });

    test('a new day starts with nothing spent', async () => {
      const account = await open();
      await account.ended('run-0', REPO, end('succeeded', { costUsd: 20 }));
      const [hold] = await account.holds(REPO);
      expect(hold?.until).toBeGreaterThan(at.clock.now());
      at.clock.advance((hold?.until ?? 0) - at.clock.now());
      expect(await account.holds(REPO)).toEqual([]);
      expect((await account.condition()).today).toMatchObject({ service: { usd: 0 }, repositories: [] });
    });

    test('what twenty workers spend at once is all counted', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      await Promise.all(
        workers.map((account, index) => account.ended(`run-${index}`, OTHER, end('succeeded', { costUsd: 0.25 }))),
      );
      expect((await workers[0]?.condition())?.today.service.usd).toBeCloseTo(5, 10);
    });

    test('somebody may stop the whole service, and let it go on', async () => {
      const [one, other] = [await open(), await open()];
      await one.setKillSwitch(true, 'ada', 'the bill');
      expect(await other.admit('run-0', REPO)).toEqual({
        on: 'kill-switch',
        until: null,
        because: expect.stringContaining('ada stopped the service: the bill'),
      });
      expect(await other.condition()).toMatchObject({
        killSwitch: { by: 'ada', why: 'the bill', at: at.clock.now() },
        holds: [{ on: 'kill-switch' }],
      });
      await other.clear('ada');
      expect(await waitsFor(one)).toEqual(['kill-switch']);
      await other.setKillSwitch(false, 'ada', 'paid');
      expect(await one.admit('run-0', REPO)).toBeNull();
    });

    test('a person may end a pause early', async () => {
      const account = await open();
      await account.ended('run-0', REPO, end('quota', { until: at.clock.now() + HOUR }));
      await account.clear('ada');
      expect(await account.admit('run-1', REPO)).toBeNull();
      expect((await account.condition()).condition).toEqual({ kind: 'fine' });
    });

    test('when everything is lost it only forgets', async () => {
      const account = await open();
      await account.admit('run-0', REPO);
      await account.setKillSwitch(true, 'ada', 'x');
      await at.house?.flush();
      expect(await account.admit('run-1', REPO)).toBeNull();
      await account.ended('run-0', REPO, end('quota'));
      expect(await waitsFor(account)).toEqual(['quota']);
    });
  });
}
