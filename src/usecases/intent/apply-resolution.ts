import { stateOf } from '../../domain/state/evidence.js';
import { findResolution } from '../../domain/intent/resume.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';
import type { Engine } from '../engine.js';
import { accessLevelOf } from '../issue/access-level.js';

/**
 * Continues a run that stopped for a person once a permitted one has done what it stopped for, without a command: reopened the pull
 * request, ticked the boxes, approved the work. Returns the snapshot to continue from, or `null` when another writer was faster.
 */
export async function applyResolution(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const resolution = findResolution(snapshot);
  if (resolution === null || resolution.by === null) return snapshot;
  if ((await accessLevelOf(engine, snapshot.ref, resolution.by)) !== 'write') return snapshot;
  const { progress, halt, because } = resolution;
  return swapOrRequeue(engine, snapshot, { ...stateOf(snapshot), progress, halt }, because);
}
