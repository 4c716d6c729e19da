import { forbidden } from '../../world/errors.js';
import type { Issue } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import type { Context } from '../../http/context.js';
import { atLeast, roleOf } from '../../identity/access.js';
import { subjectOf } from './rules.js';

export async function lockIssue(world: World, actor: Actor, issue: Issue, reason: Issue['lockReason']): Promise<void> {
  if (issue.locked) return;
  world.tables.issues.update(issue, { locked: true, lockReason: reason, updatedAt: world.now() });
  await world.record(actor, 'locked', subjectOf(issue), { reason });
}

export async function unlockIssue(world: World, actor: Actor, issue: Issue): Promise<void> {
  if (!issue.locked) return;
  world.tables.issues.update(issue, { locked: false, lockReason: null, updatedAt: world.now() });
  await world.record(actor, 'unlocked', subjectOf(issue), {});
}

/** In a locked conversation only people with write access can comment. Apps cannot, even with the permission. */
export function demandConversation({ viewer, db }: Context, issue: Issue): void {
  if (!issue.locked) return;
  const repository = db.repositories.must(issue.repositoryId);
  if (viewer.kind === 'personal' && atLeast(roleOf(db, repository, viewer.user.id), 'write')) return;
  throw forbidden('Unable to create comment because issue is locked.');
}
