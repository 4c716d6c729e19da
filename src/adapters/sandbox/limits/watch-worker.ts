import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Excess } from '../../../domain/limits/sandbox-limits.js';
import { isAlive, liveProcess, type ProcessId, signalProcess } from '../process/proc.js';
import { readProcessTable } from '../process/process-table.js';
import { RunUsage, type WatchOrder } from './run-usage.js';
import { CHECK_MS, type WatchFinding, type WatchMessage } from './watch-messages.js';

/* Checks what runs use, in its own thread, so that the service goes on while a flood of processes or files is counted. */

/** Time for walks before processes are checked again. */
const SLICE_MS = 20;
/** Highest priority if permitted, because thousands of processes may compete for the processor. */
const FIRST_OF_ALL = -20;

interface Watched {
  readonly usage: RunUsage;
  readonly root: ProcessId | null;
}

const runs = new Map<number, Watched>();
const now = (): number => performance.now();

function report(finding: WatchFinding): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(finding);
}

/** Reports first, then ends the run from here, because the service may have to wait long for its turn. */
function judge(id: number, root: ProcessId | null, excess: Excess | null): void {
  if (excess === null) return;
  runs.delete(id);
  report({ id, excess });
  if (root !== null && isAlive(root)) signalProcess(root.pid, 'SIGKILL');
}

function checkAll(): void {
  if (runs.size === 0) return;
  const table = readProcessTable();
  for (const [id, { usage, root }] of runs) judge(id, root, usage.check(table));
  walk();
}

/** A little of every walk that is under way, then the next turn. */
function walk(): void {
  for (const [id, { usage, root }] of runs) judge(id, root, usage.step(SLICE_MS));
  if ([...runs.values()].some(({ usage }) => usage.isWalking)) setImmediate(walk);
}

function watch(order: WatchOrder): void {
  runs.set(order.id, { usage: new RunUsage(order, now), root: liveProcess(order.root) });
  checkAll();
}

parentPort?.on('message', (message: WatchMessage) => {
  if (message.kind === 'watch') return watch(message.order);
  runs.delete(message.id);
  report({ id: message.id, excess: null });
});
try {
  // Of this thread alone.
  setPriority(0, FIRST_OF_ALL);
} catch {
  // Only root may. Others are held to a number of processes by the kernel.
}
setInterval(checkAll, CHECK_MS);
