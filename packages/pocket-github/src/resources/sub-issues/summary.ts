import type { Issue } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';

/** An issue's sub-issues, in priority order. */
export function subIssuesOf(db: Tables, issue: Issue): Issue[] {
  return issue.subIssueIds.flatMap((id) => db.issues.get(id) ?? []);
}

/** How far an issue's sub-issues are; a closed sub-issue counts as completed whatever the reason. */
export function subIssuesSummary(db: Tables, issue: Issue) {
  const children = subIssuesOf(db, issue);
  const total = children.length;
  const completed = children.filter((child) => child.state === 'closed').length;
  return { total, completed, percent_completed: total === 0 ? 0 : Math.floor((completed / total) * 100) };
}
