import type { Clock, Instant } from '../../ports/clock.js';

/** `setTimeout` fires at once for longer delays, so long waits are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The wall clock while it goes forward; while it was set back, time goes on at the pace of the monotonic clock. The monotonic clock alone
 * is not enough: it stops while the machine sleeps.
 */
export function createSteady(wall: () => number, monotonic: () => number): () => Instant {
  const last = { at: wall(), ticks: monotonic() };
  return () => {
    const ticks = monotonic();
    last.at = Math.max(wall(), last.at + ticks - last.ticks);
    last.ticks = ticks;
    return last.at;
  };
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: createSteady(Date.now, () => performance.now()),
  at: (time, task) => {
    const cancelled = new AbortController();
    const arm = (): void => {
      const wait = Math.max(0, time - Date.now());
      const timer = setTimeout(() => (wait > LONGEST_TIMER_MS ? arm() : task()), Math.min(wait, LONGEST_TIMER_MS));
      cancelled.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    };
    arm();
    return () => cancelled.abort();
  },
};
