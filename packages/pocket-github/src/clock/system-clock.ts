import type { Clock } from './clock.js';

/** `setTimeout` fires at once for longer delays, so long waits are taken in steps. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  at: (time, task) => {
    const armed: { timer?: NodeJS.Timeout } = {};
    const arm = (): void => {
      const wait = Math.max(0, time - Date.now());
      armed.timer = setTimeout(() => (wait > LONGEST_TIMER_MS ? arm() : task()), Math.min(wait, LONGEST_TIMER_MS));
    };
    arm();
    return () => clearTimeout(armed.timer);
  },
};
