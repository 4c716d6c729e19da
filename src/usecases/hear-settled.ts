import { stateOf } from '../domain/completion.js';
import { settlementOf } from '../domain/going-on.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import { changeState } from './change-state.js';
import type { Engine } from './engine.js';
import { standingOf } from './permission.js';

/**
 * A run that stopped for a person goes on when a permitted one has done what it stopped for, without a command: reopened the pull
 * request, ticked the boxes, approved the work. Answers the snapshot to go on from, or `null` when somebody else was faster.
 */
export async function hearSettled(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const settled = settlementOf(snapshot);
  if (settled === null || settled.by === null) return snapshot;
  if ((await standingOf(engine, snapshot.ref, settled.by)) !== 'drives') return snapshot;
  const { progress, halt, because } = settled;
  return changeState(engine, snapshot, { ...stateOf(snapshot), progress, halt }, because);
}
