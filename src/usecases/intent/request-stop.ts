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
  /** Written down; whoever holds the lease notices within seconds. */
  'noted' | 'not-running' | 'gone';

/** Writes into the state what a person wants of the run. Nothing is taken from whoever is at work: they end it in good order. */
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
  // Told twice: it rests because of this very word.
  if (halt?.because === because && state.transitions.some((one) => one.because === because && one.at >= at))
    return { unchanged: 'noted' };
  // What was said before this run was asked for was about another one.
  if (run === null || !isRunning(snapshot) || at < run.askedAt) return { unchanged: 'not-running' };
  // Nothing outweighs a stop, not even a pause after it.
  if (state.pendingRequest?.kind === 'stop') return { unchanged: 'noted' };
  const pendingRequest: PendingRequest = kind === 'stop' ? { kind, by, at, because } : { kind, by, at };
  return { change: { next: { ...state, pendingRequest }, phase: currentPhase(snapshot), because } };
}
