import { isRunning, stateOf } from '../../domain/state/evidence.js';
import { findStopComments } from '../../domain/intent/manual-actions.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { PendingRequest } from '../../domain/state/state.js';
import type { Engine } from '../engine.js';
import { accessLevelOf } from '../issue/access-level.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';

/** Applies stop and pause comments that came before there was anything to stop. They are read from the issue. */
export async function applyStopComments(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const state = stateOf(snapshot);
  if (!isRunning(snapshot) || state.pendingRequest?.kind === 'stop') return snapshot;
  const request = await findRequestedStop(engine, snapshot);
  if (request === null) return snapshot;
  const because = request.kind === 'stop' ? request.because : `${request.by} asked to pause`;
  return swapOrRequeue(engine, snapshot, { ...state, pendingRequest: request }, because);
}

/** The last of them by somebody who may, a stop before any pause; `null` when it has been noted. */
async function findRequestedStop(engine: Engine, snapshot: IssueSnapshot): Promise<PendingRequest | null> {
  const { pendingRequest } = stateOf(snapshot);
  let pause: PendingRequest | null = null;
  for (const { kind, actor, at } of findStopComments(snapshot).toReversed()) {
    if (kind === 'pause' && (pause !== null || pendingRequest !== null)) continue;
    if ((await accessLevelOf(engine, snapshot.ref, actor)) !== 'write') continue;
    const by = actor.login;
    if (kind === 'stop') return { kind, by, at, because: `${by} asked to stop` };
    pause = { kind, by, at };
  }
  return pause;
}
