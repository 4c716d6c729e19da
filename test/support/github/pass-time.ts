import { setImmediate } from 'node:timers/promises';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../until.js';

/** So many turns of the event loop without a request: whoever still has something to do waits for time to pass. */
const CALM_TURNS = 30;

/** Resolves when nothing is under way at GitHub and nobody asks it anything. */
async function whenQuiet(p: TestPocket): Promise<void> {
  const { pocket } = p;
  for (let calm = 0; calm < CALM_TURNS; calm += 1) {
    const last = pocket.journal.lastSeq();
    await setImmediate();
    await pocket.settle();
    if (p.busy() > 0 || pocket.journal.lastSeq() !== last) calm = 0;
  }
}

/** Lets so much time pass, and whatever it set off come to its end. */
export async function passTime(p: TestPocket, ms: number): Promise<void> {
  p.clock.advance(ms);
  await whenQuiet(p);
}

/** Lets time pass, in steps, while something goes on that waits for it. Time stands still while it works. */
export async function withTime<T>(p: TestPocket, task: Promise<T>, stepMs = 200): Promise<T> {
  const over = { yet: false };
  const watched = task.finally(() => (over.yet = true));
  watched.catch(() => undefined);
  await until('what waits for time is over', async () => {
    await whenQuiet(p);
    if (!over.yet) p.clock.advance(stepMs);
    return over.yet;
  });
  return watched;
}
