import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import { notFound } from '../../world/errors.js';
import type { Issue } from '../../world/model.js';

/* Relations cross repositories: what the viewer may not know of is left out. */

function isKnown({ db, viewer }: Context, issue: Issue): boolean {
  return canSee(db, viewer, db.repositories.must(issue.repositoryId));
}

export function visibleIssues(context: Context, issues: readonly Issue[]): Issue[] {
  return issues.filter((issue) => isKnown(context, issue));
}

/** The issue with this database id (not its number), wherever it lives, or 404. */
export function issueById(context: Context, id: number): Issue {
  const issue = context.db.issues.get(id);
  if (issue === undefined || !isKnown(context, issue)) throw notFound();
  return issue;
}
