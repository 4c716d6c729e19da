import { isDone, currentPhase, stateOf } from '../../domain/state/evidence.js';
import type { IssueRef } from '../../domain/issue/ids.js';
import type { PendingRequest } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { Engine } from '../engine.js';
import { observe } from '../issue/observe.js';
import { swapState } from '../issue/swap-state.js';

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

const MAX_TRIES = 5;

/** Writes into the state what a person wants of the run. Nothing is taken from whoever is at work: they end it in good order. */
export async function requestStop(engine: Engine, { ref, kind, by, at }: StopRequest): Promise<StopResult> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const snapshot = await observe(engine, ref);
    if (snapshot === null) return 'gone';
    const state = stateOf(snapshot);
    const { run, halt } = state;
    const because = `${by} asked to ${kind}`;
    // Told twice: it rests because of this very word.
    if (halt?.because === because && state.transitions.some((one) => one.because === because && one.at >= at))
      return 'noted';
    // What was said before this run was asked for was about another one.
    if (run === null || halt !== null || isDone(snapshot) || at < run.askedAt) return 'not-running';
    // Nothing outweighs a stop, not even a pause after it.
    if (state.pendingRequest?.kind === 'stop') return 'noted';
    const request: PendingRequest = kind === 'stop' ? { kind, by, at, because } : { kind, by, at };
    const swapped = await swapState(engine, snapshot, {
      next: { ...state, pendingRequest: request },
      phase: currentPhase(snapshot),
      because,
    });
    if (swapped.kind !== 'swapped') continue;
    await engine.queue.wake(ref);
    return 'noted';
  }
  throw new Error(`the state of ${ref.owner}/${ref.repo}#${ref.number} keeps changing`);
}
