import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import { every, nowAndEvery } from '../../../src/concurrency/every.js';

/** Lets promises that are settled be noticed. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a repeating task', () => {
  test('begins after the first pause, and ends when it is stopped', () => {
    const clock = new ManualClock();
    const runs: number[] = [];
    const start = clock.now();
    const stop = every(clock, 1_000, () => void runs.push(clock.now() - start));
    clock.advance(3_500);
    stop();
    clock.advance(5_000);
    expect(runs).toEqual([1_000, 2_000, 3_000]);
  });

  test('can begin at once; the next pause begins when a run has ended', async () => {
    const clock = new ManualClock();
    const ends: (() => void)[] = [];
    const { first, stop } = nowAndEvery(clock, 1_000, () => new Promise<void>((resolve) => void ends.push(resolve)));
    clock.advance(10_000);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    clock.advance(999);
    expect(ends).toHaveLength(1);
    clock.advance(1);
    expect(ends).toHaveLength(2);
    stop();
  });

  test('stopped while it runs, it does not run again', async () => {
    const clock = new ManualClock();
    const ends: (() => void)[] = [];
    const { first, stop } = nowAndEvery(clock, 1_000, () => new Promise<void>((resolve) => void ends.push(resolve)));
    stop();
    ends[0]?.();
    await first;
    await turn();
    clock.advance(10_000);
    expect(ends).toHaveLength(1);
  });

  test('asks for every pause anew', () => {
    const clock = new ManualClock();
    const runs: number[] = [];
    const start = clock.now();
    const stop = every(
      clock,
      () => 1_000 * (runs.length + 1),
      () => void runs.push(clock.now() - start),
    );
    clock.advance(6_000);
    stop();
    expect(runs).toEqual([1_000, 3_000, 6_000]);
  });
});
