import { setTimeout } from 'node:timers/promises';
import type { BullmqWorkers } from './bullmq-workers.js';

/** Real time, because Redis and other processes use it. */
const POLL_MS = 20;

/** Resolves when Redis holds no jobs and none runs here, and neither changed between two checks. */
export async function untilIdle(
  countInRedis: () => Promise<number>,
  workers: () => Pick<BullmqWorkers, 'changes' | 'running'> | undefined,
): Promise<void> {
  for (;;) {
    const before = workers()?.changes;
    const quiet = (await countInRedis()) === 0 && (workers()?.running ?? 0) === 0;
    if (quiet && before === workers()?.changes) return;
    await setTimeout(POLL_MS);
  }
}
