import { currentPhase } from '../../domain/state/evidence.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { TransitionKind } from '../../domain/state/transition-kind.js';
import type { IssueState } from '../../domain/state/state.js';
import type { Engine } from '../engine.js';
import { swapState } from './swap-state.js';

/** Swaps a state in. Somebody else was faster: look again, they may have done it. */
export async function swapOrRequeue(
  engine: Engine,
  snapshot: IssueSnapshot,
  next: IssueState,
  because: string,
  what?: TransitionKind,
): Promise<IssueSnapshot | null> {
  const change = { next, phase: currentPhase(snapshot), because, ...(what === undefined ? {} : { kind: what }) };
  const result = await swapState(engine, snapshot, change);
  if (result.kind === 'swapped') return result.snapshot;
  await engine.queue.wake(snapshot.ref);
  return null;
}
