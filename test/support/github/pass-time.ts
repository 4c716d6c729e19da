import { setImmediate } from 'node:timers/promises';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../until.js';

/** Turns of the event loop without a request after which everybody waits for time to pass. */
const CALM_TURNS = 30;

/** Resolves when GitHub has no request in progress and gets no new one. */
async function whenQuiet(p: TestPocket): Promise<void> {
  const { pocket } = p;
  for (let calm = 0; calm < CALM_TURNS; calm += 1) {
    const last = pocket.journal.lastSeq();
    await setImmediate();
    await pocket.settle();
    if (p.busy() > 0 || pocket.journal.lastSeq() !== last) calm = 0;
  }
}

/** Lets time pass, and waits for everything it causes. */
export async function passTime(p: TestPocket, ms: number): Promise<void> {
  p.clock.advance(ms);
  await whenQuiet(p);
}

/** Lets time pass in steps while a task waits for it. Time stands still while the task works. */
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
