import { unprocessable } from '../../../world/errors.js';
import { findUser, fullName } from '../../../world/lookup.js';
import type { Pull, User } from '../../../world/model.js';
import type { Actor, World } from '../../../world/world.js';
import { issueOf, subjectOfPull, touch } from '../rules.js';

/** Asks people for a review; those already asked are left alone. */
export async function requestReviewers(world: World, actor: Actor, pull: Pull, users: readonly User[]): Promise<Pull> {
  for (const user of users) checkReviewer(world, pull, user);
  for (const { id: userId } of users) {
    const { requestedReviewerIds } = world.tables.pulls.must(pull.id);
    if (requestedReviewerIds.includes(userId)) continue;
    world.tables.pulls.update(pull, { requestedReviewerIds: [...requestedReviewerIds, userId] });
    touch(world, pull);
    await world.record(actor, 'review requested', subjectOfPull(pull), { userId });
  }
  return world.tables.pulls.must(pull.id);
}

export async function removeReviewers(world: World, actor: Actor, pull: Pull, users: readonly User[]): Promise<Pull> {
  for (const { id: userId } of users) {
    const { requestedReviewerIds } = world.tables.pulls.must(pull.id);
    if (!requestedReviewerIds.includes(userId)) continue;
    world.tables.pulls.update(pull, { requestedReviewerIds: requestedReviewerIds.filter((id) => id !== userId) });
    touch(world, pull);
    await world.record(actor, 'review request removed', subjectOfPull(pull), { userId });
  }
  return world.tables.pulls.must(pull.id);
}

/** The accounts behind these logins, all of whom must exist and work on the repository. */
export function reviewersByLogin(world: World, pull: Pull, logins: readonly string[]): User[] {
  return logins.map((login) => {
    const user = findUser(world.tables, login);
    if (user === undefined) throw notCollaborator(world, pull);
    return user;
  });
}

function checkReviewer(world: World, pull: Pull, user: User): void {
  if (user.id === issueOf(world, pull).authorId)
    throw unprocessable('Review cannot be requested from pull request author.');
  const repository = world.tables.repositories.must(pull.repositoryId);
  const collaborates =
    repository.ownerId === user.id ||
    world.tables.collaborators
      .by('repositoryId', repository.id)
      .some((row) => row.userId === user.id && row.role !== 'none');
  if (!collaborates) throw notCollaborator(world, pull);
}

function notCollaborator(world: World, pull: Pull) {
  const name = fullName(world.tables, world.tables.repositories.must(pull.repositoryId));
  return unprocessable(
    `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${name} repository.`,
  );
}
