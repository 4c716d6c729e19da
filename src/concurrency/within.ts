import type { Clock } from '../ports/clock.js';

/** Whether a promise settles in time. It is not cancelled. If it rejects in time, this rejects too. */
export async function within(clock: Clock, ms: number, promise: Promise<unknown>): Promise<boolean> {
  const cancel: (() => void)[] = [];
  const late = new Promise<false>((resolve) => {
    cancel.push(clock.at(clock.now() + ms, () => resolve(false)));
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    for (const off of cancel) off();
  }
}
