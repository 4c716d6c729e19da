import type { Issue } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { subIssuesOf } from './summary.js';

/* Walks over the tree of sub-issues. It has no cycles: `addSubIssue` refuses them. */

/** The issue's parent, its parent, and so on. */
export function ancestorsOf(db: Tables, issue: Issue): Issue[] {
  const parent = issue.parentId === null ? undefined : db.issues.get(issue.parentId);
  return parent === undefined ? [] : [parent, ...ancestorsOf(db, parent)];
}

/** How many levels of sub-issues are below the issue. */
export function levelsBelow(db: Tables, issue: Issue): number {
  const children = subIssuesOf(db, issue);
  return children.length === 0 ? 0 : 1 + Math.max(...children.map((child) => levelsBelow(db, child)));
}
