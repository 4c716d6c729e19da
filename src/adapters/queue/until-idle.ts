import { setTimeout } from 'node:timers/promises';
import type { BullmqWorkers } from './bullmq-workers.js';

/** On the machine's own time: Redis and other processes know no other. */
const POLL_MS = 20;

/** Resolves when nothing is left in Redis and nothing runs here, and neither changed between the two looks. */
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
