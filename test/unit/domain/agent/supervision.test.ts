import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  nextCheckMs,
  type StopReason,
  startWatch,
  supervise,
  type Watch,
  type WatchEvent,
} from '../../../../src/domain/agent/supervision.js';
import { WATCH_LIMITS } from '../../../../src/domain/agent/supervision-limits.js';

const START = 1_000_000;
const CAP_MS = 60 * 60_000;
const WINDOW = 100_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const fresh = (overrides: Partial<Watch> = {}): Watch => ({
  ...startWatch(START, { limits: WATCH_LIMITS, capMs: CAP_MS, windowTokens: WINDOW }),
  ...overrides,
});

/** Events, each so long after the start. */
type Story = readonly (readonly [number, WatchEvent])[];

function play(story: Story, watch = fresh()): Watch {
  return story.reduce((known, [ms, event]) => supervise(known, event, START + ms).watch, watch);
}

const init: WatchEvent = { kind: 'init' };
const stir: WatchEvent = { kind: 'stir' };
const tick: WatchEvent = { kind: 'tick' };
const files: WatchEvent = { kind: 'files-changed' };
const cpu = (usedMs: number): WatchEvent => ({ kind: 'cpu', usedMs });
const toolStart = (tool: string, isResult = false): WatchEvent => ({ kind: 'tool-start', tool, isResult });
const toolEnd = (tool: string, hasChangedFiles = false): WatchEvent => ({ kind: 'tool-end', tool, hasChangedFiles });
const message = (id: string, hash: string | null = id, windowTokens: number | null = null): WatchEvent => ({
  kind: 'message',
  id,
  hash,
  windowTokens,
});
const retry = (delayMs: number): WatchEvent => ({ kind: 'retry', delayMs });
const compacted: WatchEvent = { kind: 'compacted' };
const result: WatchEvent = { kind: 'result' };

/** A look every five seconds from one moment to another. */
const looks = (from: number, to: number, event: (ms: number) => WatchEvent = () => tick): Story =>
  Array.from({ length: Math.floor((to - from) / 5000) }, (_, index) => {
    const ms = from + (index + 1) * 5000;
    return [ms, event(ms)] as const;
  });

/** The same command over and over, each run to its end. */
const repeated = (hashes: readonly string[], hasChangedFiles: (hash: string) => boolean = () => false): Story =>
  hashes.flatMap((hash, index) => {
    const [at, id] = [SECOND * (index + 1), `m${index}`];
    return [
      [at, message(id, hash)],
      [at, toolStart(id)],
      [at, toolEnd(id, hasChangedFiles(hash))],
    ] as const;
  });

const RULES: readonly (readonly [string, Story, StopReason | null])[] = [
  ['has a minute for its first word', looks(0, MINUTE - 1), null],
  ['is not waited for when it does not say a word', looks(0, MINUTE), 'no-first-event'],
  ['is not waited for then, however busy', looks(0, MINUTE, (ms) => cpu(ms)), 'no-first-event'],
  ['may be silent for four minutes', [[0, init], ...looks(0, 4 * MINUTE - 1)], null],
  ['is idle after four minutes in which nothing moves', [[0, init], ...looks(0, 4 * MINUTE)], 'idle'],
  ['is not idle while its processes are busy', [[0, init], ...looks(0, 9 * MINUTE, (ms) => cpu(ms / 5))], null],
  ['is idle when its processes only wait', [[0, init], ...looks(0, 4 * MINUTE, (ms) => cpu(ms / 50))], 'idle'],
  ['is not idle while its files change', [[0, init], [3 * MINUTE, files], ...looks(3 * MINUTE, 6 * MINUTE)], null],
  ['is not idle while pieces of a message come', [[0, init], ...looks(0, 9 * MINUTE, () => stir)], null],
  [
    'may be silent longer while a tool runs',
    [[0, init], [0, message('a')], [0, toolStart('t')], ...looks(0, 9 * MINUTE)],
    null,
  ],
  [
    'is idle when its tool never ends',
    [[0, init], [0, message('a')], [0, toolStart('t')], ...looks(0, 10 * MINUTE)],
    'idle',
  ],
  [
    'has the usual time again when the tool has ended',
    [[0, init], [0, toolStart('t')], [MINUTE, toolEnd('t')], ...looks(MINUTE, 5 * MINUTE)],
    'idle',
  ],
  ['is not idle while it was told to wait', [[0, init], [0, retry(20 * MINUTE)], ...looks(0, 20 * MINUTE)], null],
  [
    'has the usual time after it was told to wait',
    [[0, init], [0, retry(20 * MINUTE)], ...looks(0, 24 * MINUTE)],
    'idle',
  ],
  [
    'has waited when it is heard of again',
    [[0, init], [0, retry(20 * MINUTE)], [MINUTE, stir], ...looks(MINUTE, 5 * MINUTE)],
    'idle',
  ],
  ['may be busy without achieving anything for a while', [[0, init], ...looks(0, 12.9 * MINUTE, () => stir)], null],
  ['has to achieve something in the end', [[0, init], ...looks(0, 13 * MINUTE, () => stir)], 'no-progress'],
  [
    'has no grace when it is quiet as well',
    [[0, init], [0, toolStart('t')], [5 * MINUTE, stir], ...looks(5 * MINUTE, 10 * MINUTE)],
    'no-progress',
  ],
  [
    'achieves something with every tool that ends',
    [[0, init], ...looks(0, 50 * MINUTE, (ms) => (ms % MINUTE === 0 ? toolEnd('t') : stir))],
    null,
  ],
  ['has its cap', [[0, init], ...looks(0, CAP_MS, (ms) => (ms % MINUTE === 0 ? toolEnd('t') : stir))], 'timed-out'],
  ['may say the same thing twice', repeated(['a', 'a', 'b', 'c', 'd']), null],
  ['loops when it does the same thing three times', repeated(['a', 'a', 'a']), 'looped'],
  ['loops when three of the last five are the same', repeated(['a', 'b', 'a', 'c', 'a']), 'looped'],
  ['may come back to something after a while', repeated(['a', 'b', 'c', 'a', 'd', 'e', 'a']), null],
  [
    'does not loop by testing after each change',
    repeated(['edit 1', 'test', 'edit 2', 'test', 'edit 3', 'test', 'edit 4', 'test'], (hash) => hash !== 'test'),
    null,
  ],
  ['loops when it makes the very same change three times', repeated(['edit', 'edit', 'edit'], () => true), 'looped'],
  [
    'says one message in several parts',
    [
      [1, message('m1', 'text')],
      [1, message('m1', 'tool 1')],
      [2, message('m2', 'text')],
      [2, message('m2', 'tool 2')],
      [3, message('m3', 'text')],
      [3, message('m3', 'tool 3')],
    ],
    null,
  ],
  [
    'loops in several parts, too',
    [1, 2, 3].flatMap((n) => [[n, message(`m${n}`, 'text')] as const, [n, message(`m${n}`, 'tool')] as const]),
    'looped',
  ],
  ['may say nothing to compare again and again', [1, 2, 3, 4].map((n) => [n, message(`m${n}`, null)] as const), null],
  [
    'may have its window compacted twice',
    [
      [1, compacted],
      [2, compacted],
    ],
    null,
  ],
  [
    'does not fit its window when compacted three times',
    [
      [1, compacted],
      [2, compacted],
      [3, compacted],
    ],
    'compacted',
  ],
  [
    'goes on in a window that is not full',
    [
      [1, message('m', 'a', 81_999)],
      [1, toolStart('t')],
      [2, toolEnd('t')],
    ],
    null,
  ],
  [
    'runs its tools to the end in a full window',
    [
      [1, message('m', 'a', 82_000)],
      [1, toolStart('t')],
      [2, stir],
    ],
    null,
  ],
  [
    'ends after the current tool in a full window',
    [
      [1, message('m', 'a', 82_000)],
      [1, toolStart('t')],
      [2, toolEnd('t')],
    ],
    'window-full',
  ],
  [
    'waits for all of several tools',
    [
      [1, message('m', 'a', 82_000)],
      [1, toolStart('t')],
      [1, toolStart('u')],
      [2, toolEnd('t')],
    ],
    null,
  ],
  [
    'may give its result in a full window',
    [
      [1, message('m', 'a', 99_000)],
      [1, toolStart('t')],
      [1, message('m', null, 99_000)],
      [1, toolStart('r', true)],
      [2, toolEnd('r')],
      [2, toolEnd('t')],
    ],
    null,
  ],
  [
    'ends in a full window when its result was none',
    [
      [1, message('m', null, 99_000)],
      [1, toolStart('r', true)],
      [2, toolEnd('r')],
      [3, message('n', 'a', 99_000)],
      [3, toolStart('t')],
      [4, toolEnd('t')],
    ],
    'window-full',
  ],
  [
    'stays full while a subagent speaks',
    [
      [1, message('m', 'a', 99_000)],
      [1, toolStart('t')],
      [2, message('s', 'b', null)],
      [3, toolEnd('t')],
    ],
    'window-full',
  ],
  [
    'is not full because a subagent is',
    [
      [1, message('m', 'a', 10)],
      [1, message('s', 'b', null)],
      [1, toolStart('t')],
      [2, toolEnd('t')],
    ],
    null,
  ],
  ['has ten seconds to end after its result', [[1000, result], ...looks(1000, 10_999)], null],
  ['is ended ten seconds after its result', [[1000, result], ...looks(1000, 11_000)], 'lingering'],
  [
    'is not called idle or late with its result given',
    [
      [0, init],
      [CAP_MS - 1000, toolEnd('t')],
      [CAP_MS - 500, result],
      [CAP_MS + 5000, tick],
    ],
    null,
  ],
];

describe('a step', () => {
  test.each(RULES)('%s', (_, story, reason) => {
    expect(play(story).stop).toBe(reason);
  });

  test('keeps the first reason it was ended for', () => {
    const ended = play([[0, init], ...looks(0, 4 * MINUTE)]);
    expect(supervise(ended, { kind: 'result' }, START + CAP_MS * 2).verdict).toEqual({ kind: 'stop', reason: 'idle' });
  });

  test('is looked at in time for its cap and for the end after its result', () => {
    expect(nextCheckMs(fresh())).toBe(WATCH_LIMITS.tickMs);
    expect(nextCheckMs(fresh({ activeMs: CAP_MS - 300 }))).toBe(300);
    expect(
      nextCheckMs(
        play([
          [0, result],
          [9000, stir],
        ]),
      ),
    ).toBe(1000);
    expect(nextCheckMs(fresh({ activeMs: CAP_MS + 1 }))).toBe(1);
  });
});

const anyEvent: fc.Arbitrary<WatchEvent> = fc.oneof(
  fc.constantFrom(init, stir, tick, files, compacted, result),
  fc.nat(100_000).map(cpu),
  fc.nat(3 * MINUTE).map(retry),
  fc.tuple(fc.uuid(), fc.constantFrom('a', 'b', 'c', null)).map(([id, hash]) => message(id, hash, 500)),
  fc.constantFrom('t', 'u').map((tool) => toolStart(tool)),
  fc.tuple(fc.constantFrom('t', 'u'), fc.boolean()).map(([tool, changed]) => toolEnd(tool, changed)),
);
const anyStory = fc.array(fc.tuple(fc.nat(2 * MINUTE), anyEvent), { maxLength: 60 });

/** Waits in milliseconds become moments. */
function told(steps: readonly (readonly [number, WatchEvent])[]): Story {
  let at = 0;
  return steps.map(([wait, event]) => {
    at += wait;
    return [at, event] as const;
  });
}

describe('whatever a step does', () => {
  test('all time is either active or waiting, and waiting is never more than was announced', () => {
    fc.assert(
      fc.property(anyStory, (steps) => {
        const story = told(steps);
        const watch = play(story);
        expect(watch.activeMs + watch.waitedMs).toBe(story.at(-1)?.[0] ?? 0);
        const announced = story.reduce((sum, [, event]) => sum + (event.kind === 'retry' ? event.delayMs : 0), 0);
        expect(watch.waitedMs).toBeLessThanOrEqual(announced);
      }),
    );
  });

  test('it is ended within its cap of active time, and never earlier for time it waited', () => {
    fc.assert(
      fc.property(anyStory, fc.integer({ min: 1, max: 30 * MINUTE }), (steps, capMs) => {
        const seen = told(steps).map(([ms, event]) => [ms, event] as const);
        let watch = fresh({ capMs, limits: { ...WATCH_LIMITS, idleMs: CAP_MS * 99, progressMs: CAP_MS * 99 } });
        for (const [ms, event] of seen) {
          const before = watch.stop;
          watch = supervise(watch, event, START + ms).watch;
          if (before === null && watch.stop === 'timed-out') expect(watch.activeMs).toBeGreaterThanOrEqual(capMs);
          if (watch.stop === null && watch.resultAt === null) expect(watch.activeMs).toBeLessThan(capMs);
        }
      }),
    );
  });

  test('left alone, it is ended: nothing runs for ever', () => {
    fc.assert(
      fc.property(anyStory, (steps) => {
        const story = told(steps);
        const end = story.at(-1)?.[0] ?? 0;
        // What may come after: the rest of a wait, then the longest limit.
        const watch = play([...story, ...looks(end, end + 30 * MINUTE)]);
        expect(watch.stop).not.toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  test('once ended, it stays ended for the same reason', () => {
    fc.assert(
      fc.property(anyStory, (steps) => {
        const reasons = new Set<StopReason>();
        let watch = fresh();
        for (const [ms, event] of told(steps)) {
          watch = supervise(watch, event, START + ms).watch;
          if (watch.stop !== null) reasons.add(watch.stop);
        }
        expect(reasons.size).toBeLessThanOrEqual(1);
      }),
    );
  });
});
