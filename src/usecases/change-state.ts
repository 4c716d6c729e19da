import { currentPhase } from '../domain/completion.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { TransitionKind } from '../domain/happening.js';
import type { IssueState } from '../domain/state.js';
import type { Engine } from './engine.js';
import { swapState } from './swap.js';

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
