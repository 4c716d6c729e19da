import { parentPort } from 'node:worker_threads';
import { readProcessTable } from './process-table.js';
import { RunUsage, type WatchOrder } from './run-usage.js';
import { LOOK_MS, type WatchFinding, type WatchMessage } from './watch-messages.js';

/* Looks at what runs use, in a thread of its own: the service goes on while a flood of processes or files is counted. */

/** Of a walk through folders, before processes are looked at again. */
const SLICE_MS = 20;

const runs = new Map<number, RunUsage>();
const now = (): number => performance.now();

function tell(id: number, excess: WatchFinding['excess'] | null): void {
  if (excess === null) return;
  runs.delete(id);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ id, excess } satisfies WatchFinding);
}

function look(): void {
  if (runs.size === 0) return;
  const table = readProcessTable();
  for (const [id, run] of runs) tell(id, run.look(table));
  walk();
}

/** A little of every walk that is under way, then the next turn. */
function walk(): void {
  for (const [id, run] of runs) tell(id, run.step(SLICE_MS));
  if ([...runs.values()].some(({ isWalking }) => isWalking)) setImmediate(walk);
}

function watch(order: WatchOrder): void {
  runs.set(order.id, new RunUsage(order, now));
  look();
}

parentPort?.on('message', (message: WatchMessage) => {
  if (message.kind === 'watch') watch(message.order);
  else runs.delete(message.id);
});
setInterval(look, LOOK_MS);
