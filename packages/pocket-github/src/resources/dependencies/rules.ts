import { GitHubError, notFound } from '../../world/errors.js';
import type { Issue } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { subjectOf } from '../issues/rules.js';
import { blockedIssues } from './summary.js';

/** Per issue and direction. */
const MAX_DEPENDENCIES = 50;

/**
 * Notes that `blocked` waits for `blocking`, which may live in another repository. Circles are not refused: GitHub's
 * documentation does not speak of them. Both sides are told: the event is recorded once for each.
 */
export async function addBlockedBy(world: World, actor: Actor, blocked: Issue, blocking: Issue): Promise<void> {
  const problems = problemsOf(world, blocked, blocking);
  if (problems.length > 0) {
    const message = `An error occurred while adding the blocking issue to the issue. Validation failed: ${problems.join(', ')}`;
    throw new GitHubError(422, message, { type: 'VALIDATION' });
  }
  const blockedBy = [...blocked.blockedBy, { issueId: blocking.id, addedAt: world.now() }];
  world.tables.issues.update(blocked, { blockedBy });
  await tellBoth(world, actor, 'dependency added', blocked, blocking);
}

export async function removeBlockedBy(world: World, actor: Actor, blocked: Issue, blocking: Issue): Promise<void> {
  const blockedBy = blocked.blockedBy.filter(({ issueId }) => issueId !== blocking.id);
  if (blockedBy.length === blocked.blockedBy.length) throw notFound();
  world.tables.issues.update(blocked, { blockedBy });
  await tellBoth(world, actor, 'dependency removed', blocked, blocking);
}

async function tellBoth(
  world: World,
  actor: Actor,
  name: 'dependency added' | 'dependency removed',
  blocked: Issue,
  blocking: Issue,
): Promise<void> {
  const data = { blockedId: blocked.id, blockingId: blocking.id };
  await world.record(actor, name, subjectOf(blocked), data);
  await world.record(actor, name, subjectOf(blocking), data);
}

/** Everything that stands against it; GitHub calls the blocked issue source and its blocker target. */
function problemsOf({ tables }: World, blocked: Issue, blocking: Issue): string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [blocked.pullId !== null, 'Source issue may only be an issue'],
    [blocking.pullId !== null, 'Target issue may only be an issue'],
    [blocked.id === blocking.id, 'Target issue cannot be the same as the source issue'],
    [blocked.blockedBy.some(({ issueId }) => issueId === blocking.id), 'Target issue has already been taken'],
    [
      blocked.blockedBy.length >= MAX_DEPENDENCIES,
      `Source issue cannot be blocked by more than ${MAX_DEPENDENCIES} issues`,
    ],
    [
      blockedIssues(tables, blocking).length >= MAX_DEPENDENCIES,
      `Target issue cannot block more than ${MAX_DEPENDENCIES} issues`,
    ],
  ];
  return checks.flatMap(([applies, problem]) => (applies ? [problem] : []));
}
