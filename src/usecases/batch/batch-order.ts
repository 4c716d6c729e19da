import { isRunning, stateOf } from '../../domain/state/evidence.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';
import type { Engine } from '../engine.js';
import { observe } from '../issue/observe.js';

/* Issues of a batch run one after another. Each state names its neighbours, so a restarted service knows the order. */

/**
 * Starts an issue once the one before it in the batch has ended. Returns the snapshot to continue from, or `null` when another writer was
 * faster.
 */
export async function releaseFromBatch(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const state = stateOf(snapshot);
  const { run, halt } = state;
  const after = run?.batch?.after ?? null;
  if (run === null || run.batch === null || after === null || halt !== null) return snapshot;
  const before = await observe(engine, { ...snapshot.ref, number: after });
  if (before !== null && !isAtRest(before)) return snapshot;
  const next = { ...state, run: { ...run, batch: { ...run.batch, after: null } } };
  return swapOrRequeue(engine, snapshot, next, `#${after}, which came before it in its batch, has come to rest`);
}

/** Wakes the next issue of the batch, now that this one has ended. Without this it would notice only at its next periodic read. */
export async function wakeNextInBatch(engine: Engine, snapshot: IssueSnapshot): Promise<void> {
  const behind = stateOf(snapshot).run?.batch?.before ?? null;
  if (behind !== null) await engine.queue.wake({ ...snapshot.ref, number: behind });
}

function isAtRest(snapshot: IssueSnapshot): boolean {
  return !isRunning(snapshot) || snapshot.state === 'closed';
}
