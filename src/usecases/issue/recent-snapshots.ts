import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { AgentPhase } from '../../domain/issue/phase.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Engine } from '../engine.js';

/** How old a snapshot may be for a phase to begin from it. */
const FRESH_MS = 2_000;

/** Keeps the snapshot when a phase is queued: the phase usually begins at once in the same process. */
export function rememberSnapshot({ recentSnapshots }: Engine, snapshot: IssueSnapshot): void {
  recentSnapshots.set(formatIssue(snapshot.ref), snapshot);
}

/**
 * A snapshot from a moment ago, for phases that only read: it saves them a request. Code reads again, because people may have pushed. A
 * state that changed meanwhile is noticed by the swap that takes the lease.
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
