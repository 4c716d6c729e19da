import type { Instant } from '../../clock/clock.js';
import type { Issue } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';

/** One end of a dependency, seen from the other, and since when. */
export interface Dependency {
  readonly issue: Issue;
  readonly addedAt: Instant;
}

/** The issues that block this one, in the order the dependency was added. */
export function blockersOf(db: Tables, issue: Issue): Dependency[] {
  return issue.blockedBy.flatMap(({ issueId, addedAt }) => {
    const blocker = db.issues.get(issueId);
    return blocker === undefined ? [] : [{ issue: blocker, addedAt }];
  });
}

/** The issues this one blocks, in the order the dependency was added. */
export function blockedIssues(db: Tables, issue: Issue): Dependency[] {
  const found: Dependency[] = [];
  for (const blocked of db.issues.all()) {
    const edge = blocked.blockedBy.find(({ issueId }) => issueId === issue.id);
    if (edge !== undefined) found.push({ issue: blocked, addedAt: edge.addedAt });
  }
  return found.sort((a, b) => a.addedAt - b.addedAt);
}

const open = (dependencies: readonly Dependency[]): number =>
  dependencies.filter(({ issue }) => issue.state === 'open').length;

/** GitHub counts open issues apart from all of them: a closed blocker does not block any more, but stays listed. */
export function dependenciesSummary(db: Tables, issue: Issue) {
  const blockers = blockersOf(db, issue);
  const blocked = blockedIssues(db, issue);
  return {
    blocked_by: open(blockers),
    total_blocked_by: blockers.length,
    blocking: open(blocked),
    total_blocking: blocked.length,
  };
}
