import { setTimeout } from 'node:timers/promises';

/** Shorter than a test's timeout, so that the failure says what it waited for. */
const PATIENCE_MS = 100_000;
const PAUSE_MS = 5;

/** Polls until the condition holds. The deadline only ends a test that would hang. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it did not happen in time: ${what}`);
    await setTimeout(PAUSE_MS);
  }
}
