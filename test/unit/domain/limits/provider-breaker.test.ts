import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type ProviderBreaker,
  type BreakerEvent,
  toBreakerEvent,
  CLOSED,
  updateBreaker,
  type RunEnd,
} from '../../../../src/domain/limits/provider-breaker.js';
import { breakerHold } from '../../../../src/domain/limits/breaker-hold.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5, 9);

type Told = BreakerEvent extends infer Each ? (Each extends BreakerEvent ? Omit<Each, 'run'> : never) : never;

/** An account and its time. */
class Story {
  condition: ProviderBreaker = CLOSED;
  now = START;
  readonly #random: number;

  constructor(random = 0) {
    this.#random = random;
  }

  tell(event: Told, run = 'a'): this {
    this.condition = updateBreaker(this.condition, { ...event, run }, this.now, this.#random);
    return this;
  }

  /** Starts a run, or says why not. */
  admit(run: string): string {
    const hold = breakerHold(this.condition, this.now, run);
    if (hold !== null) return hold.on;
    this.tell({ kind: 'admitted' }, run);
    return 'admitted';
  }

  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Until nothing is in the way any more: how long that took. */
  waitOut(): number {
    const until = breakerHold(this.condition, this.now)?.until ?? this.now;
    const ms = until - this.now;
    this.now = until;
    return ms;
  }
}

const quota = (until: number | null = null): Told => ({ kind: 'quota', until });
const down = (retryAfterMs: number | null = null): Told => ({ kind: 'unavailable', retryAfterMs, why: '529' });
const answered: Told = { kind: 'answered' };

describe('a usage limit', () => {
  test.each([
    [0, 30_000],
    [1, 120_000],
  ])('pauses everybody until its reset and a little longer (random %d)', (random, jitter) => {
    const story = new Story(random).tell(quota(START + HOUR));
    expect(breakerHold(story.condition, story.now)).toEqual({
      on: 'quota',
      until: START + HOUR + jitter,
      because: 'the account’s usage limit is reached; `sluice account --clear` tries sooner',
    });
    expect(story.waitOut()).toBe(HOUR + jitter);
    expect(breakerHold(story.condition, story.now)).toBeNull();
  });

  test('without a known reset is waited out ever longer, and after a day in vain a person has to look', () => {
    const story = new Story();
    const waits: number[] = [];
    while (story.condition.kind !== 'tripped' && waits.length < 100) {
      expect(story.admit('a')).toBe('admitted');
      story.tell(quota());
      waits.push(story.waitOut() / MINUTE);
    }
    expect(waits.slice(0, 7)).toEqual([5, 10, 20, 40, 60, 60, 60]);
    expect(Math.max(...waits)).toBe(60);
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(total).toBeGreaterThanOrEqual(24 * 60);
    expect(total).toBeLessThan(25 * 60);
    expect(breakerHold(story.condition, story.now)).toEqual({
      on: 'quota',
      until: null,
      because: expect.stringContaining('waited a day in vain'),
    });
  });

  test('that many runs meet at once is one limit', () => {
    const story = new Story();
    for (const run of ['a', 'b', 'c', 'd', 'e', 'f']) story.tell(quota(), run);
    expect(story.waitOut()).toBe(5 * MINUTE);
  });

  test('is paused as long as the one of many who knows best says', () => {
    const story = new Story().tell(quota(), 'a').tell(quota(START + 2 * HOUR), 'b');
    story.tell(quota(), 'c');
    expect(story.waitOut()).toBe(2 * HOUR + 30_000);
  });

  test('of a week is believed', () => {
    expect(new Story().tell(quota(START + 7 * DAY)).waitOut()).toBe(7 * DAY + 30_000);
  });

  test.each([START - 1, START, START + 400 * DAY])('with the reset %d counts as one without', (reset) => {
    expect(new Story().tell(quota(reset)).waitOut()).toBe(5 * MINUTE);
  });

  test('is not over because a run that started before it ends well', () => {
    const story = new Story().tell(quota(START + HOUR));
    story.tell(answered, 'b').tell({ kind: 'silent' }, 'c').tell(down(), 'd');
    expect(story.waitOut()).toBe(HOUR + 30_000);
  });

  test('is over when the run that tries for all is answered', () => {
    const story = new Story().tell(quota());
    story.waitOut();
    expect([story.admit('b'), story.admit('c')]).toEqual(['admitted', 'quota']);
    story.tell(answered, 'c');
    expect(story.admit('c')).toBe('quota');
    story.tell(answered, 'b');
    expect([story.condition, story.admit('c')]).toEqual([CLOSED, 'admitted']);
    // And a new one starts from the beginning.
    expect(story.tell(quota(), 'c').waitOut()).toBe(5 * MINUTE);
  });
});

describe('trouble at the provider', () => {
  test('is given a moment, then everybody may try again', () => {
    const story = new Story().tell(down());
    expect(story.admit('b')).toBe('provider');
    expect(story.waitOut()).toBe(30_000);
    expect([story.admit('b'), story.admit('c')]).toEqual(['admitted', 'admitted']);
  });

  test('three times in a row lets only one through, and its answer everybody', () => {
    const story = new Story();
    const waits = [1, 2, 3].map(() => story.tell(down()).waitOut());
    expect(waits).toEqual([30_000, 60_000, 120_000]);
    expect([story.admit('b'), story.admit('c'), story.admit('b')]).toEqual(['admitted', 'provider', 'admitted']);
    story.tell(answered, 'b');
    expect([story.admit('c'), story.admit('d')]).toEqual(['admitted', 'admitted']);
  });

  test('that the one meets again is waited out longer, up to ten minutes', () => {
    const story = new Story();
    for (const _ of [1, 2, 3]) story.tell(down()).waitOut();
    const waits = ['b', 'c', 'd', 'e'].map((run) => {
      expect(story.admit(run)).toBe('admitted');
      return story.tell(down(), run).waitOut() / MINUTE;
    });
    expect(waits).toEqual([4, 8, 10, 10]);
  });

  test('after a day in vain needs a person', () => {
    const story = new Story(1);
    for (let tries = 0; story.condition.kind !== 'tripped' && tries < 1000; tries += 1) {
      story.admit('a');
      story.tell(down()).waitOut();
    }
    expect(story.now - START).toBeLessThan(25 * HOUR);
    expect(breakerHold(story.condition, story.now)).toMatchObject({ on: 'provider', until: null });
  });

  test('waits as long as it is asked to, within an hour', () => {
    expect(new Story().tell(down(5 * MINUTE)).waitOut()).toBe(5 * MINUTE);
    expect(new Story().tell(down(DAY)).waitOut()).toBe(HOUR);
    expect(new Story().tell(down(1)).waitOut()).toBe(30_000);
  });

  test('with good runs in between, or long ago, is not in a row', () => {
    const story = new Story()
      .tell(down())
      .tell(answered, 'b')
      .tell(down())
      .wait(2 * HOUR);
    expect(story.tell(down()).waitOut()).toBe(30_000);
  });

  test('of many runs at once opens the breaker and is not counted twice', () => {
    const story = new Story();
    for (const run of ['a', 'b', 'c', 'd', 'e', 'f']) story.tell(down(), run);
    expect(story.waitOut()).toBe(2 * MINUTE);
  });

  test('is over when a run that was under way all the time is answered', () => {
    const story = new Story();
    for (const run of ['a', 'b', 'c']) story.tell(down(), run);
    expect(story.tell(answered, 'd').admit('e')).toBe('admitted');
  });

  test('met while trying after a usage limit is waited out for its own reason', () => {
    const story = new Story().tell(quota());
    story.waitOut();
    story.admit('b');
    expect(breakerHold(story.tell(down(), 'b').condition, story.now)).toMatchObject({ on: 'provider' });
    expect(story.waitOut()).toBe(30_000);
    expect([story.admit('c'), story.admit('d')]).toEqual(['admitted', 'provider']);
  });
});

describe('the one run that tries', () => {
  const trying = (): Story => {
    const story = new Story().tell(quota());
    story.waitOut();
    story.admit('b');
    return story;
  };

  test('and learns nothing lets the next one try at once', () => {
    const story = trying().tell({ kind: 'silent' }, 'b');
    expect([story.admit('c'), story.admit('d')]).toEqual(['admitted', 'quota']);
  });

  test('and never reports back is followed by another', () => {
    const story = trying();
    expect(story.wait(15 * MINUTE - 1).admit('c')).toBe('quota');
    expect([story.wait(1).admit('c'), story.admit('d')]).toEqual(['admitted', 'quota']);
  });

  test('does not get more time by asking again', () => {
    const story = trying().wait(14 * MINUTE);
    expect([story.admit('b'), story.wait(MINUTE).admit('c')]).toEqual(['admitted', 'admitted']);
  });

  test('keeps the others waiting for moments only', () => {
    const story = trying();
    expect(breakerHold(story.condition, story.now)?.until).toBe(story.now + 30_000);
  });
});

describe('a refused credential', () => {
  test('stops everything until a person has put it right', () => {
    const story = new Story().tell({ kind: 'refused', why: '401 invalid x-api-key' });
    story
      .tell(answered, 'b')
      .tell(quota(), 'c')
      .tell({ kind: 'refused', why: 'again' }, 'd')
      .wait(30 * DAY);
    expect(breakerHold(story.condition, story.now)).toEqual({
      on: 'credential',
      until: null,
      because:
        'the model’s API refuses the credential (401 invalid x-api-key); put it right, then `sluice account --clear`',
    });
  });
});

test.each<[RunEnd['kind'], number, Partial<RunEnd>, Told]>([
  ['succeeded', 1, {}, answered],
  ['succeeded', 0, {}, { kind: 'silent' }],
  ['failed', 1, { why: 'x' }, answered],
  ['over-budget', 1, {}, answered],
  ['no-op', 0.1, {}, answered],
  ['quota', 1, { until: 7 }, quota(7)],
  ['quota', 0, {}, quota()],
  ['throttled', 1, { why: '429', retryAfterMs: 9 }, { kind: 'unavailable', retryAfterMs: 9, why: '429' }],
  ['provider-down', 0, { why: '529' }, { kind: 'unavailable', retryAfterMs: null, why: '529' }],
  ['auth', 0, { why: '401' }, { kind: 'refused', why: '401' }],
  ['billing', 0, { why: '402' }, { kind: 'refused', why: '402' }],
  ['stopped', 1, {}, { kind: 'silent' }],
  ['lost', 1, {}, { kind: 'silent' }],
  ['stalled', 1, {}, { kind: 'silent' }],
  ['timed-out', 1, {}, { kind: 'silent' }],
])('a run that ended %s for %d USD tells this', (kind, costUsd, more, event) => {
  expect(toBreakerEvent('a', { kind, costUsd, ...more })).toEqual({ run: 'a', ...event });
});

describe('whatever happens', () => {
  const run = fc.constantFrom('a', 'b', 'c', 'd');
  const told = fc.oneof<fc.Arbitrary<Told>[]>(
    fc.constant<Told>(answered),
    fc.constant<Told>({ kind: 'silent' }),
    fc.option(fc.integer({ min: -DAY, max: 40 * DAY })).map((at) => quota(at === null ? null : START + at)),
    fc.option(fc.nat(2 * DAY)).map((ms) => down(ms)),
  );
  const step = fc.record({
    run,
    waitMs: fc.oneof(fc.constant(0), fc.nat(MINUTE), fc.nat(DAY)),
    told: fc.option(told, { freq: 2 }),
  });

  test('there is an end to every wait, and never more than one run tries for all', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (steps, random) => {
        const story = new Story(random);
        for (const { run, waitMs, told } of steps) {
          story.wait(waitMs);
          const before = story.condition;
          if (told === null) {
            const answer = story.admit(run);
            // Whoever gets through where somebody is trying already is that run itself, or comes after its time.
            if (answer === 'admitted' && before.kind === 'half-open')
              expect(before.run === run || before.until <= story.now).toBe(true);
            if (answer === 'admitted' && (before.kind === 'half-open' || before.kind === 'open'))
              expect(story.condition).toMatchObject({ kind: 'half-open', run });
          } else story.tell(told, run);
          const hold = breakerHold(story.condition, story.now);
          if (story.condition.kind === 'tripped') expect(hold?.until).toBeNull();
          else if (hold !== null) {
            expect(hold.until).toBeGreaterThan(story.now);
            expect(hold.until).toBeLessThanOrEqual(story.now + 36 * DAY);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('waiting helps: at its end somebody may start', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const story = new Story();
        for (const { run, waitMs, told } of steps) {
          story.wait(waitMs);
          if (told === null) story.admit(run);
          else story.tell(told, run);
        }
        if (story.condition.kind === 'tripped') return;
        // At most every thirty seconds for the quarter of an hour a run may try.
        for (let looks = 0; looks < 31 && breakerHold(story.condition, story.now) !== null; looks += 1) story.waitOut();
        expect(story.admit('somebody')).toBe('admitted');
      }),
      { numRuns: 1000 },
    );
  });
});
