import type { Issue, IssueStateReason, Oid, Repository } from '../../world/model.js';
import { checkBody, checkTitle } from '../../world/text-limits.js';
import type { Actor, World } from '../../world/world.js';
import { noteEdit } from '../edits/rules.js';

/** What an issue can be born with. Whether the caller may set these is decided before. */
export interface NewIssue {
  readonly title: string;
  readonly body?: string | null | undefined;
  readonly labelIds?: readonly number[];
  readonly assigneeIds?: readonly number[];
  readonly milestoneId?: number | null;
  readonly typeId?: number | null;
}

export interface IssueChange {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
}

/** Why and through what an issue is closed. */
export interface Closing {
  readonly reason: Exclude<IssueStateReason, 'reopened'> | null;
  readonly byPullId?: number | null;
  readonly byCommit?: Oid | null;
}

export const subjectOf = (issue: Issue) => ({ repositoryId: issue.repositoryId, subjectId: issue.id });

/** The next number of a repository; issues and pull requests count together. */
export function allocateNumber(world: World, repository: Repository): number {
  const { repositories } = world.tables;
  const { nextNumber } = repositories.must(repository.id);
  repositories.update(repository, { nextNumber: nextNumber + 1 });
  return nextNumber;
}

/** Writes an issue, or the issue half of a pull request, without telling anybody yet. */
export function insertIssue(
  world: World,
  actor: Actor,
  repository: Repository,
  given: NewIssue & { readonly pullId?: number },
): Issue {
  checkTitle(given.title);
  checkBody('Issue', given.body);
  const now = world.now();
  return world.tables.issues.insert({
    id: world.newId(),
    repositoryId: repository.id,
    number: allocateNumber(world, repository),
    pullId: given.pullId ?? null,
    authorId: actor.userId,
    viaAppId: actor.viaAppId,
    title: given.title,
    // GitHub keeps no empty text: an issue without one has `null`.
    body: given.body || null,
    state: 'open',
    stateReason: null,
    labelIds: given.labelIds ?? [],
    assigneeIds: given.assigneeIds ?? [],
    milestoneId: given.milestoneId ?? null,
    typeId: given.typeId ?? null,
    locked: false,
    lockReason: null,
    parentId: null,
    subIssueIds: [],
    blockedBy: [],
    lastEditedAt: null,
    editorId: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedById: null,
  });
}

/** Opens an issue. Its first labels and assignees are in `opened`, and each also gets its own event afterwards, as on GitHub. */
export async function openIssue(world: World, actor: Actor, repository: Repository, given: NewIssue): Promise<Issue> {
  const issue = insertIssue(world, actor, repository, given);
  const subject = subjectOf(issue);
  await world.record(actor, 'opened', subject, {});
  if (issue.typeId !== null) await world.record(actor, 'typed', subject, { typeId: issue.typeId });
  for (const labelId of issue.labelIds) {
    const { name, color } = world.tables.labels.must(labelId);
    await world.record(actor, 'labeled', subject, { labelId, name, color });
  }
  for (const userId of issue.assigneeIds) await world.record(actor, 'assigned', subject, { userId });
  if (issue.milestoneId !== null) {
    const { title } = world.tables.milestones.must(issue.milestoneId);
    await world.record(actor, 'milestoned', subject, { milestoneId: issue.milestoneId, title });
  }
  return world.tables.issues.must(issue.id);
}

/** Changes title and body of an issue or pull request. Texts that stay the same are no edit. */
export async function editIssue(world: World, actor: Actor, issue: Issue, change: IssueChange): Promise<Issue> {
  const title = change.title ?? issue.title;
  const body = change.body === undefined ? issue.body : change.body || null;
  checkTitle(title);
  checkBody('Issue', body);
  const bodyChanged = body !== issue.body;
  if (title === issue.title && !bodyChanged) return issue;
  const edit = bodyChanged ? noteEdit(world, actor, issue, issue.body ?? '', body ?? '') : {};
  world.tables.issues.update(issue, { title, body, ...edit, updatedAt: world.now() });
  const subject = subjectOf(issue);
  if (title !== issue.title) await world.record(actor, 'renamed', subject, { from: issue.title, to: title });
  await world.record(actor, 'edited', subject, {
    ...(title === issue.title ? {} : { title: issue.title }),
    ...(bodyChanged ? { body: issue.body } : {}),
  });
  return world.tables.issues.must(issue.id);
}

/** Closes an issue or pull request; closing what is closed changes nothing. Pull requests have no reason. */
export async function closeIssue(world: World, actor: Actor, issue: Issue, closing: Closing): Promise<Issue> {
  if (issue.state === 'closed') return issue;
  const reason = issue.pullId === null ? (closing.reason ?? 'completed') : null;
  const now = world.now();
  world.tables.issues.update(issue, {
    state: 'closed',
    stateReason: reason,
    closedAt: now,
    closedById: actor.userId,
    updatedAt: now,
  });
  await world.record(actor, 'closed', subjectOf(issue), {
    reason,
    byPullId: closing.byPullId ?? null,
    byCommit: closing.byCommit ?? null,
  });
  return world.tables.issues.must(issue.id);
}

export async function reopenIssue(world: World, actor: Actor, issue: Issue): Promise<Issue> {
  if (issue.state === 'open') return issue;
  world.tables.issues.update(issue, {
    state: 'open',
    stateReason: issue.pullId === null ? 'reopened' : null,
    closedAt: null,
    closedById: null,
    updatedAt: world.now(),
  });
  await world.record(actor, 'reopened', subjectOf(issue), {});
  return world.tables.issues.must(issue.id);
}
