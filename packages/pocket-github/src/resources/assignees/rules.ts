import { validationFailed } from '../../world/errors.js';
import { findUser } from '../../world/lookup.js';
import type { Issue, Repository, User } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';

/** GitHub's limit per issue. */
const MAX_ASSIGNEES = 10;

/** The people any issue of a repository can be assigned to: its owner, its collaborators, members of its organisation. */
export function assignableUsers(db: Tables, repository: Repository): User[] {
  const collaborators = db.collaborators.by('repositoryId', repository.id).filter(({ role }) => role !== 'none');
  const ids = new Set([repository.ownerId, ...collaborators.map(({ userId }) => userId)]);
  return db.users.all().filter(({ id, type, organizationIds }) => {
    return type === 'User' && (ids.has(id) || organizationIds?.includes(repository.ownerId) === true);
  });
}

/** People who commented on an issue can also be assigned to it. */
export function canBeAssigned(db: Tables, issue: Issue, userId: number): boolean {
  const repository = db.repositories.must(issue.repositoryId);
  if (assignableUsers(db, repository).some(({ id }) => id === userId)) return true;
  const commented = db.comments.by('issueId', issue.id).some(({ authorId }) => authorId === userId);
  return commented && db.users.must(userId).type === 'User';
}

/** Assigns people; those who cannot be assigned, or would be the eleventh, are left out silently, as GitHub does. */
export async function addAssignees(
  world: World,
  actor: Actor,
  issue: Issue,
  userIds: readonly number[],
): Promise<Issue> {
  const { issues } = world.tables;
  for (const userId of userIds) {
    const { assigneeIds } = issues.must(issue.id);
    if (assigneeIds.includes(userId) || assigneeIds.length >= MAX_ASSIGNEES) continue;
    if (!canBeAssigned(world.tables, issue, userId)) continue;
    issues.update(issue, { assigneeIds: [...assigneeIds, userId], updatedAt: world.now() });
    await world.record(actor, 'assigned', { repositoryId: issue.repositoryId, subjectId: issue.id }, { userId });
  }
  return issues.must(issue.id);
}

export async function removeAssignees(
  world: World,
  actor: Actor,
  issue: Issue,
  userIds: readonly number[],
): Promise<Issue> {
  const { issues } = world.tables;
  for (const userId of userIds) {
    const { assigneeIds } = issues.must(issue.id);
    if (!assigneeIds.includes(userId)) continue;
    issues.update(issue, { assigneeIds: assigneeIds.filter((id) => id !== userId), updatedAt: world.now() });
    await world.record(actor, 'unassigned', { repositoryId: issue.repositoryId, subjectId: issue.id }, { userId });
  }
  return issues.must(issue.id);
}

/** Makes the assignees exactly these. */
export async function setAssignees(
  world: World,
  actor: Actor,
  issue: Issue,
  userIds: readonly number[],
): Promise<Issue> {
  const surplus = issue.assigneeIds.filter((id) => !userIds.includes(id));
  await removeAssignees(world, actor, issue, surplus);
  return addAssignees(world, actor, issue, userIds);
}

/** People by login for creating or editing an issue, where GitHub refuses a name that cannot be assigned. */
export function assigneesByLogin(
  db: Tables,
  repository: Repository,
  logins: readonly string[],
  issue?: Issue,
): number[] {
  return logins.map((login) => {
    const user = findUser(db, login);
    const fits =
      user !== undefined &&
      (issue === undefined
        ? assignableUsers(db, repository).some(({ id }) => id === user.id)
        : canBeAssigned(db, issue, user.id));
    if (fits) return user.id;
    throw validationFailed({ value: login, resource: 'Issue', field: 'assignees', code: 'invalid' });
  });
}
