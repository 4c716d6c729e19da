import type { Context } from '../../http/context.js';
import { allows, demand, type Need } from '../../identity/access.js';
import type { Issue } from '../../world/model.js';

/* What GitHub's documentation asks of those who work on issues. */

/** Enough to be let near a repository's issues; which permission an App needs depends on what the number turns out to be. */
export const SEE: Need = { app: 'metadata:read', role: 'read' };
export const READ: Need = { app: 'issues:read', role: 'read' };
/** Open issues, comment, react: whoever can read. */
export const TAKE_PART: Need = { app: 'issues:write', role: 'read' };
/** Label, assign, close, reopen, edit the title, hide comments. */
export const TRIAGE: Need = { app: 'issues:write', role: 'triage' };
/** Edit or delete what others wrote, lock, transfer. */
export const MODERATE: Need = { app: 'issues:write', role: 'write' };

/** On a pull request the App permission `pull_requests` serves as well as `issues`. */
function needOn(context: Context, issue: Issue, need: Need): Need {
  if (issue.pullId === null) return need;
  const onPull: Need = {
    role: need.role,
    app: need.app.endsWith(':read') ? 'pull_requests:read' : 'pull_requests:write',
  };
  return allows(context.db, context.viewer, context.db.repositories.must(issue.repositoryId), onPull) ? onPull : need;
}

export function demandOn(context: Context, issue: Issue, need: Need): void {
  const repository = context.db.repositories.must(issue.repositoryId);
  demand(context.db, context.viewer, repository, needOn(context, issue, need));
}

export function allowsOn(context: Context, issue: Issue, need: Need): boolean {
  const repository = context.db.repositories.must(issue.repositoryId);
  return !repository.archived && allows(context.db, context.viewer, repository, needOn(context, issue, need));
}

/** Authors may do to their own text what others need `need` for; an App still needs its permission. */
export function orAuthor(context: Context, text: { readonly authorId: number }, need: Need): Need {
  const { viewer } = context;
  return viewer.kind === 'personal' && viewer.user.id === text.authorId ? { ...need, role: 'read' } : need;
}

/** What reopening takes: without triage rights people reopen only their own issues, and only what they closed themselves. */
export function reopenNeed(context: Context, issue: Issue): Need {
  const { viewer } = context;
  const closedIt = viewer.kind === 'personal' && viewer.user.id === issue.closedById;
  return closedIt ? orAuthor(context, issue, TRIAGE) : TRIAGE;
}
