import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { AgentPhase } from '../../domain/issue/phase.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Engine } from '../engine.js';

/** How old a look may be for a phase to begin from it. */
const FRESH_MS = 2_000;

/** Keeps what was seen when a phase was queued: in the same process it usually begins at once. */
export function rememberSnapshot({ recentSnapshots }: Engine, snapshot: IssueSnapshot): void {
  recentSnapshots.set(formatIssue(snapshot.ref), snapshot);
}

/**
 * What was seen a moment ago, for phases that only read: it saves a request each. Code looks for itself, because people may have pushed.
 * Whoever changed the state meanwhile is noticed by the swap that takes the lease.
 */
export function takeRecentSnapshot(
  { recentSnapshots, clock }: Engine,
  ref: IssueRef,
  phase: AgentPhase,
): IssueSnapshot | null {
  const key = formatIssue(ref);
  const seen = recentSnapshots.get(key);
  recentSnapshots.delete(key);
  if (seen === undefined || phase === 'code') return null;
  return clock.steady() - seen.knownAt <= FRESH_MS ? seen : null;
}
