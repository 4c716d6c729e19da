import { landedCommit, overrulingOf, stateOf, verificationOf } from '../../state/evidence.js';
import { mustFindings } from '../../issue/finding.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import { formatCount } from '../phrases/figures.js';
import { shortOid } from '../../issue/ids.js';

/** What people decided, with their names: findings they overruled, criteria they judged. */
export function manualDecisions(snapshot: IssueSnapshot): readonly string[] {
  return [...overruledFindings(snapshot), ...judgedCriteria(snapshot)];
}

function overruledFindings(snapshot: IssueSnapshot): readonly string[] {
  const { overruled, review } = stateOf(snapshot).progress;
  if (overruled === null || review === null || overrulingOf(snapshot, overruled.head) === null) return [];
  const findings = formatCount(mustFindings(review.findings).length, 'finding');
  return [`${overruled.by} overruled ${findings} of the review of ${shortOid(overruled.head)}.`];
}

function judgedCriteria(snapshot: IssueSnapshot): readonly string[] {
  const verification = verificationOf(snapshot, landedCommit(snapshot)?.oid ?? '');
  const by = new Map<string, string[]>();
  for (const { id, by: who } of verification?.results ?? [])
    if (who !== undefined) by.set(who, [...(by.get(who) ?? []), id]);
  return [...by].map(
    ([who, ids]) => `${who} checked ${ids.join(', ')} and says ${ids.length === 1 ? 'it holds' : 'they hold'}.`,
  );
}

export const manualDecisionsText = ({
  manualDecisions: lines,
}: {
  readonly manualDecisions: readonly string[];
}): readonly string[] => (lines.length === 0 ? [] : ['', lines.join(' ')]);
