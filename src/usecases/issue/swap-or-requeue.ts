import { currentPhase } from '../../domain/state/evidence.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { TransitionKind } from '../../domain/state/transition-kind.js';
import type { IssueState } from '../../domain/state/state.js';
import type { Engine } from '../engine.js';
import { swapState } from './swap-state.js';

/** Swaps a state in. When another writer was faster, the issue is requeued: the change may be there already. */
export async function swapOrRequeue(
  engine: Engine,
  snapshot: IssueSnapshot,
  next: IssueState,
  because: string,
  kind?: TransitionKind,
): Promise<IssueSnapshot | null> {
  const change = { next, phase: currentPhase(snapshot), because, ...(kind === undefined ? {} : { kind }) };
  const result = await swapState(engine, snapshot, change);
  if (result.kind === 'swapped') return result.snapshot;
  await engine.queue.wake(snapshot.ref);
  return null;
}
