import { isRunning, currentPhase, stateOf } from '../../domain/state/evidence.js';
import type { IssueRef } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { PendingRequest } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { Engine } from '../engine.js';
import { type StateUpdate, updateState } from '../issue/update-state.js';

export interface StopRequest {
  readonly ref: IssueRef;
  readonly kind: 'stop' | 'pause';
  readonly by: string;
  /** When it was asked for, by GitHub's clock. */
  readonly at: Instant;
}

export type StopResult =
  /** Recorded; the holder of the lease notices within seconds. */
  'noted' | 'not-running' | 'gone';

/** Writes a stop or a pause into the state. The lease is not taken away: its holder ends the phase in good order. */
export async function requestStop(engine: Engine, request: StopRequest): Promise<StopResult> {
  const updated = await updateState(engine, request.ref, (snapshot) => withRequest(snapshot, request));
  if (updated.kind === 'gone') return 'gone';
  if (updated.kind === 'unchanged') return updated.reason;
  await engine.queue.wake(request.ref);
  return 'noted';
}

function withRequest(snapshot: IssueSnapshot, { kind, by, at }: StopRequest): StateUpdate<'noted' | 'not-running'> {
  const state = stateOf(snapshot);
  const { run, halt } = state;
  const because = `${by} asked to ${kind}`;
  // A repeated request: the run has stopped because of it already.
  if (halt?.because === because && state.transitions.some((one) => one.because === because && one.at >= at))
    return { unchanged: 'noted' };
  // A request older than this run was about an earlier one.
  if (run === null || !isRunning(snapshot) || at < run.askedAt) return { unchanged: 'not-running' };
  // A pause does not replace a stop.
  if (state.pendingRequest?.kind === 'stop') return { unchanged: 'noted' };
  const pendingRequest: PendingRequest = kind === 'stop' ? { kind, by, at, because } : { kind, by, at };
  return { change: { next: { ...state, pendingRequest }, phase: currentPhase(snapshot), because } };
}
