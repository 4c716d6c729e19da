import { demand } from '../../identity/access.js';
import { actorOf, type Viewer } from '../../identity/viewer.js';
import type { Review, ReviewComment, ReviewThread } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { effectiveRules } from '../protection/effective-rules.js';

/* Who may touch what somebody else said. Being allowed to review at all was checked before. */

/** Authors change their own words; others need to be able to push. */
export function checkMayEdit(db: Tables, viewer: Viewer, text: Review | ReviewComment): void {
  if (actorOf(viewer).userId === text.authorId) return;
  demand(db, viewer, db.repositories.must(text.repositoryId), { app: 'pull_requests:write', role: 'write' });
}

/** On a branch that requires reviews, only administrators and maintainers may dismiss one. */
export function checkMayDismiss(db: Tables, viewer: Viewer, review: Review): void {
  const repository = db.repositories.must(review.repositoryId);
  const { requiredApprovals } = effectiveRules(db, repository, db.pulls.must(review.pullId).baseRef);
  demand(db, viewer, repository, { app: 'pull_requests:write', role: requiredApprovals > 0 ? 'maintain' : 'write' });
}

/** The author of the pull request, and everybody who can push, may resolve its conversations. */
export function checkMayResolve(db: Tables, viewer: Viewer, thread: ReviewThread): void {
  const opener = db.issues.must(db.pulls.must(thread.pullId).issueId).authorId;
  const role = actorOf(viewer).userId === opener ? 'read' : 'write';
  demand(db, viewer, db.repositories.must(thread.repositoryId), { app: 'pull_requests:write', role });
}
