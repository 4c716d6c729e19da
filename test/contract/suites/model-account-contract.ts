import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { RunEnd } from '../../../src/domain/limits/provider-breaker.js';
import type { BudgetConfig } from '../../../src/domain/limits/budgets.js';
import type { Hold } from '../../../src/domain/limits/policy.js';
import type { RepoRef } from '../../../src/domain/issue/ids.js';
import { ManualClock } from '#pocket-github/clock';
import type { ModelAccount } from '../../../src/ports/model-account.js';
import { RecordingLog } from '../../support/recording-log.js';

export interface ModelAccountSettings {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly budgets: BudgetConfig;
  readonly credential: string;
  readonly random: () => number;
}

/** A place where accounts are kept, shared by everybody who opens one on it. */
export interface ModelAccountFixture {
  /** Another worker, as it were. */
  open(settings: ModelAccountSettings): Promise<ModelAccount>;
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
export function modelAccountContract(name: string, openFixture: () => Promise<ModelAccountFixture>): void {
  describe(`an account in ${name}`, () => {
    const at = {
      fixture: undefined as ModelAccountFixture | undefined,
      clock: new ManualClock(),
      log: new RecordingLog(),
    };

    beforeEach(async () => {
      at.fixture ??= await openFixture();
      at.clock = new ManualClock();
      at.log = new RecordingLog();
    });
    afterEach(() => at.fixture?.flush());
    afterAll(() => at.fixture?.close());

    const open = async (settings: Partial<ModelAccountSettings> = {}): Promise<ModelAccount> => {
      if (at.fixture === undefined) throw new Error('not open');
      const usual = { clock: at.clock, log: at.log, budgets: BUDGETS, credential: 'key-1', random: () => 0 };
      return at.fixture.open({ ...usual, ...settings });
    };
    const waitsFor = async (account: ModelAccount, repo = REPO): Promise<string[]> =>
      (await account.holds(repo)).map(({ on }) => on);

    /** Why it may not start; `null` when it may. */
    const admit = async (account: ModelAccount, run: string, repo = REPO, usd = 0.5): Promise<Hold | null> => {
      const admission = await account.admit(run, repo, { usd, ms: HOUR });
      return admission.kind === 'held' ? admission.hold : null;
    };

    test('lets everybody start while nothing is wrong', async () => {
      const account = await open();
      expect(await account.holds(REPO)).toEqual([]);
      expect(await Promise.all(WORKERS.map((run) => admit(account, run, REPO)))).toEqual(WORKERS.map(() => null));
      await account.recordEnd('run-0', REPO, end('succeeded', { costUsd: 1 }));
      expect(await account.report()).toMatchObject({ breaker: { kind: 'closed' }, killSwitch: null, holds: [] });
    });

    test('a usage limit that one worker meets pauses all of them until its reset', async () => {
      const [one, other] = [await open(), await open()];
      const until = at.clock.now() + HOUR;
      await one.recordEnd('run-0', REPO, end('quota', { until }));
      expect(await other.holds(OTHER)).toEqual([
        { on: 'quota', until: until + 30_000, because: expect.stringContaining('usage limit') },
      ]);
      expect(await admit(other, 'run-1', OTHER)).toMatchObject({ on: 'quota', until: until + 30_000 });
      expect((await other.report()).breaker).toMatchObject({ kind: 'open', on: 'quota', tries: 1 });
      at.clock.advance(HOUR + 30_000);
      expect(await other.holds(OTHER)).toEqual([]);
    });

    test('twenty workers that meet the same limit at once pause once', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      const now = at.clock.now();
      await Promise.all(workers.map((account, index) => account.recordEnd(`run-${index}`, REPO, end('quota'))));
      expect(await workers[0]?.holds(REPO)).toMatchObject([{ on: 'quota', until: now + 5 * MINUTE }]);
    });

    test('after a pause exactly one of twenty workers tries, and the rest follow its answer', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      const admitAll = (): Promise<number> =>
        Promise.all(workers.map((account, index) => admit(account, `run-${index}`, REPO))).then(
          (holds) => holds.filter((hold) => hold === null).length,
        );
      await workers[0]?.recordEnd('run-0', REPO, end('quota'));
      at.clock.advance(5 * MINUTE);
      expect(await admitAll()).toBe(1);
      const report = await workers[3]?.report();
      const trying = report?.breaker.kind === 'half-open' ? report.breaker.run : 'nobody';
      // It may go on; nobody else may start.
      expect(await admitAll()).toBe(1);
      await workers[7]?.recordAnswer(trying);
      expect(await admitAll()).toBe(20);
    });

    test('whoever tries and learns nothing makes room for the next', async () => {
      const account = await open();
      await account.recordEnd('run-0', REPO, end('quota'));
      at.clock.advance(5 * MINUTE);
      expect(await admit(account, 'run-1', REPO)).toBeNull();
      expect(await admit(account, 'run-2', REPO)).toMatchObject({ on: 'quota', until: at.clock.now() + 30_000 });
      await account.recordEnd('run-1', REPO, end('stopped'));
      expect(await admit(account, 'run-2', REPO)).toBeNull();
    });

    test('outages in a row are waited out, and success ends it', async () => {
      const account = await open();
      const down = end('provider-down', { why: '529 overloaded_error' });
      await account.recordEnd('run-0', REPO, down);
      expect(await account.holds(REPO)).toMatchObject([{ on: 'provider', until: at.clock.now() + 30_000 }]);
      await account.recordEnd('run-1', REPO, end('throttled', { why: '429', retryAfterMs: 5 * MINUTE }));
      await account.recordEnd('run-2', REPO, down);
      expect((await account.report()).breaker).toMatchObject({ kind: 'open', on: 'provider', tries: 3 });
      await account.recordEnd('run-3', REPO, end('succeeded', { costUsd: 0.1 }));
      expect(await account.holds(REPO)).toEqual([]);
    });

    test('a refused credential stops all workers with one notice, until somebody clears it', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      const refused = end('auth', { why: '401 invalid x-api-key' });
      await Promise.all(workers.map((account, index) => account.recordEnd(`run-${index}`, REPO, refused)));
      const [one] = workers;
      if (one === undefined) throw new Error('nobody there');
      expect(await admit(one, 'run-9', REPO)).toMatchObject({ on: 'credential', until: null });
      expect(at.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
      at.clock.advance(100 * HOUR);
      expect(await waitsFor(one)).toEqual(['credential']);
      await one.clear('ada');
      expect(await waitsFor(one)).toEqual([]);
    });

    test('another credential is another account', async () => {
      const [before, after] = [await open(), await open({ credential: 'key-2' })];
      await before.recordEnd('run-0', REPO, end('billing', { why: 'no credit' }));
      expect([await waitsFor(before), await waitsFor(after)]).toEqual([['credential'], []]);
      await after.recordEnd('run-1', REPO, end('succeeded', { costUsd: 0.1 }));
      expect(await admit(after, 'run-2', REPO)).toBeNull();
    });

    test('what a repository spends in a day is bounded, and what all spend together', async () => {
      const account = await open();
      await account.recordEnd('run-0', REPO, end('succeeded', { costUsd: 6 }));
      await account.recordEnd('run-1', { owner: 'Ada', repo: 'Sandbox' }, end('lost', { costUsd: 4.5 }));
      expect([await waitsFor(account), await waitsFor(account, OTHER)]).toEqual([['budget'], []]);
      expect(await admit(account, 'run-2', REPO)).toMatchObject({
        on: 'budget',
        because: expect.stringContaining('$10.50 of $10.00'),
      });
      expect(await admit(account, 'run-2', OTHER)).toBeNull();
      await account.recordEnd('run-2', OTHER, end('succeeded', { costUsd: 5 }));
      expect([await waitsFor(account), await waitsFor(account, OTHER)]).toEqual([['budget', 'budget'], ['budget']]);
      expect((await account.report()).today).toEqual({
        day: new Date(at.clock.now()).toISOString().slice(0, 10),
        service: { usd: 15.5, reservedUsd: 0, limitUsd: 15 },
        repositories: [
          { repository: 'ada/sandbox', usd: 10.5, reservedUsd: 0, limitUsd: 10 },
          { repository: 'ada/tideline', usd: 5, reservedUsd: 0, limitUsd: 10 },
        ],
      });
    });

    test('a new day starts with nothing spent', async () => {
      const account = await open();
      await account.recordEnd('run-0', REPO, end('succeeded', { costUsd: 20 }));
      const [hold] = await account.holds(REPO);
      expect(hold?.until).toBeGreaterThan(at.clock.now());
      at.clock.advance((hold?.until ?? 0) - at.clock.now());
      expect(await account.holds(REPO)).toEqual([]);
      expect((await account.report()).today).toMatchObject({ service: { usd: 0 }, repositories: [] });
    });

    test('what twenty workers spend at once is all counted', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      await Promise.all(
        workers.map((account, index) => account.recordEnd(`run-${index}`, OTHER, end('succeeded', { costUsd: 0.25 }))),
      );
      expect((await workers[0]?.report())?.today.service.usd).toBeCloseTo(5, 10);
    });

    test('runs that start at once share what is left of the day', async () => {
      const workers = await Promise.all(WORKERS.map(() => open()));
      await workers[0]?.recordEnd('earlier', REPO, end('succeeded', { costUsd: 3 }));
      const wanted = { usd: 2, ms: HOUR };
      const admissions = await Promise.all(
        workers.map((account, index) => account.admit(`run-${index}`, REPO, wanted)),
      );
      const granted = admissions.flatMap((admission) => (admission.kind === 'admitted' ? [admission.usd] : []));
      expect(granted.toSorted((one, other) => one - other)).toEqual([1, 2, 2, 2]);
      const hold = {
        on: 'budget',
        until: at.clock.now() + HOUR + 5 * MINUTE,
        because: expect.stringMatching(
          /this repository spent \$3\.00 of \$10\.00 today.*\$7\.00 is set aside for runs/,
        ),
      };
      expect(admissions.filter(({ kind }) => kind === 'held')[0]).toEqual({ kind: 'held', hold });
      // Whoever was refused waits instead of asking again and again.
      expect(await workers[9]?.holds(REPO)).toEqual([hold]);
      expect(await workers[9]?.report()).toMatchObject({
        holds: [],
        today: { service: { usd: 3, reservedUsd: 7 }, repositories: [{ usd: 3, reservedUsd: 7 }] },
      });
      const first = admissions.findIndex((admission) => admission.kind === 'admitted' && admission.usd === 2);
      await workers[1]?.recordEnd(`run-${first}`, REPO, end('succeeded', { costUsd: 0.5 }));
      expect(await workers[9]?.admit('next', REPO, { usd: 9, ms: HOUR })).toEqual({ kind: 'admitted', usd: 1.5 });
    });

    test('the service’s day is shared by its repositories', async () => {
      const account = await open();
      expect(await account.admit('run-0', REPO, { usd: 9, ms: HOUR })).toEqual({ kind: 'admitted', usd: 9 });
      expect(await account.admit('run-1', OTHER, { usd: 9, ms: HOUR })).toEqual({ kind: 'admitted', usd: 6 });
      expect(await admit(account, 'run-2', { owner: 'wren', repo: 'quay' })).toMatchObject({
        on: 'budget',
        because: expect.stringContaining('the service spent $0.00 of $15.00'),
      });
      // The same run again is not one more.
      expect(await account.admit('run-1', OTHER, { usd: 2, ms: HOUR })).toEqual({ kind: 'admitted', usd: 2 });
    });

    test('what is set aside for a run whose process died is free again when its time is over', async () => {
      const account = await open();
      await account.admit('run-0', REPO, { usd: 10, ms: HOUR });
      const [hold] = await account.holds(REPO);
      expect(await admit(account, 'run-1')).toEqual(hold);
      at.clock.advance((hold?.until ?? 0) - at.clock.now());
      expect(await account.holds(REPO)).toEqual([]);
      expect(await account.admit('run-1', REPO, { usd: 4, ms: HOUR })).toEqual({ kind: 'admitted', usd: 4 });
    });

    test('a run that may not start for another reason sets nothing aside', async () => {
      const account = await open();
      await account.setKillSwitch(true, 'ada', 'lunch');
      expect(await admit(account, 'run-0')).toMatchObject({ on: 'kill-switch' });
      expect((await account.report()).today.service.reservedUsd).toBe(0);
    });

    test('however many start at once, all together spend at most the day and the answer each was cut off at', async () => {
      const account = await open();
      const runs = fc.array(
        fc.record({
          repo: fc.constantFrom(REPO, OTHER),
          usd: fc.double({ min: 0.2, max: 12, noNaN: true }),
          // A run is cut off by the first answer that goes beyond its money.
          beyond: fc.double({ min: 0, max: 0.4, noNaN: true }),
        }),
        { minLength: 1, maxLength: 12 },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(runs, { minLength: 1, maxLength: 4 }), async (batches) => {
          await at.fixture?.flush();
          const cost = new Map<RepoRef, number>([REPO, OTHER].map((repo) => [repo, 0]));
          for (const batch of batches) {
            const [before, one] = [new Map(cost), [...cost.values()].reduce((sum, usd) => sum + usd)];
            const admissions = await Promise.all(
              batch.map(({ repo, usd }, index) => account.admit(`run-${index}`, repo, { usd, ms: HOUR })),
            );
            const granted = new Map<RepoRef, number>();
            for (const [index, { repo, usd, beyond }] of batch.entries()) {
              const admission = admissions[index];
              if (admission?.kind !== 'admitted') continue;
              expect(admission.usd).toBeLessThanOrEqual(usd);
              granted.set(repo, (granted.get(repo) ?? 0) + admission.usd);
              cost.set(repo, (cost.get(repo) ?? 0) + admission.usd + beyond);
              await account.recordEnd(`run-${index}`, repo, end('over-budget', { costUsd: admission.usd + beyond }));
            }
            for (const [repo, usd] of granted) expect((before.get(repo) ?? 0) + usd).toBeLessThanOrEqual(10 + 1e-9);
            const all = [...granted.values()].reduce((sum, usd) => sum + usd, 0);
            if (all > 0) expect(one + all).toBeLessThanOrEqual(15 + 1e-9);
          }
        }),
        { numRuns: 25 },
      );
    });

    test('somebody may stop the whole service, and let it go on', async () => {
      const [one, other] = [await open(), await open()];
      await one.setKillSwitch(true, 'ada', 'the bill');
      expect(await admit(other, 'run-0', REPO)).toEqual({
        on: 'kill-switch',
        until: null,
        because: expect.stringContaining('ada stopped the service: the bill'),
      });
      expect(await other.report()).toMatchObject({
        killSwitch: { by: 'ada', why: 'the bill', at: at.clock.now() },
        holds: [{ on: 'kill-switch' }],
      });
      await other.clear('ada');
      expect(await waitsFor(one)).toEqual(['kill-switch']);
      await other.setKillSwitch(false, 'ada', 'paid');
      expect(await admit(one, 'run-0', REPO)).toBeNull();
    });

    test('a person may end a pause early', async () => {
      const account = await open();
      await account.recordEnd('run-0', REPO, end('quota', { until: at.clock.now() + HOUR }));
      await account.clear('ada');
      expect(await admit(account, 'run-1', REPO)).toBeNull();
      expect((await account.report()).breaker).toEqual({ kind: 'closed' });
    });

    test('when everything is lost it only forgets', async () => {
      const account = await open();
      await admit(account, 'run-0', REPO);
      await account.setKillSwitch(true, 'ada', 'x');
      await at.fixture?.flush();
      expect(await admit(account, 'run-1', REPO)).toBeNull();
      await account.recordEnd('run-0', REPO, end('quota'));
      expect(await waitsFor(account)).toEqual(['quota']);
    });
  });
}
