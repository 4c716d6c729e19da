import { unprocessable } from '../../world/errors.js';
import { findLabel } from '../../world/lookup.js';
import type { Issue, Label, Repository } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { removeComment } from '../comments/rules.js';
import { createLabel } from '../labels/rules.js';
import { relink } from './relink.js';
import { allocateNumber, subjectOf } from './rules.js';

/* Transfers and deletes issues. Their event stays, so that requests for the old number can be answered. */

/** Deletes an issue permanently. The event is recorded first, while the issue can still be shown. */
export async function deleteIssue(world: World, actor: Actor, issue: Issue): Promise<void> {
  await world.record(actor, 'deleted', subjectOf(issue), { number: issue.number });
  for (const comment of world.tables.comments.by('issueId', issue.id)) removeComment(world, comment);
  relink(world, issue, null);
  removeIssue(world, issue);
}

/**
 * Moves an issue to another repository of the same owner, where it gets a new id and number. Comments, assignees, reactions
 * edits, type and relations go along; labels only as far as the new repository has them (or `createLabels`); the milestone not.
 */
export async function transferIssue(
  world: World,
  actor: Actor,
  issue: Issue,
  to: Repository,
  createLabels: boolean,
): Promise<Issue> {
  checkTransfer(world, issue, to);
  const labels = await labelsThere(world, actor, issue, to, createLabels);
  const moved = world.tables.issues.insert({
    ...issue,
    id: world.newId(),
    repositoryId: to.id,
    number: allocateNumber(world, to),
    labelIds: labels.map(({ id }) => id),
    milestoneId: null,
    updatedAt: world.now(),
  });
  carryOver(world, issue, moved);
  const { id: newIssueId, repositoryId: toRepositoryId } = moved;
  await world.record(actor, 'transferred', subjectOf(issue), { number: issue.number, toRepositoryId, newIssueId });
  await world.record(actor, 'opened', subjectOf(moved), { transferredFromId: issue.id });
  removeIssue(world, issue);
  return world.tables.issues.must(newIssueId);
}

function checkTransfer(world: World, issue: Issue, to: Repository): void {
  const from = world.tables.repositories.must(issue.repositoryId);
  if (from.id === to.id) throw unprocessable('Issue is already in the repository.');
  if (from.ownerId !== to.ownerId) throw unprocessable('Repositories must have the same owner.');
  if (from.private && !to.private)
    throw unprocessable('Issues cannot be transferred from a private to a public repository.');
}

async function labelsThere(
  world: World,
  actor: Actor,
  issue: Issue,
  to: Repository,
  create: boolean,
): Promise<Label[]> {
  const labels: Label[] = [];
  for (const id of issue.labelIds) {
    const { name, color, description } = world.tables.labels.must(id);
    const known = findLabel(world.tables, to.id, name);
    if (known !== undefined) labels.push(known);
    else if (create) labels.push(await createLabel(world, actor, to, { name, color, description }));
  }
  return labels;
}

/** What hung on the old record hangs on the new one. */
function carryOver(world: World, from: Issue, to: Issue): void {
  const { comments, reactions, contentEdits } = world.tables;
  for (const comment of comments.by('issueId', from.id)) {
    comments.update(comment, { issueId: to.id, repositoryId: to.repositoryId });
  }
  for (const reaction of reactions.by('subjectId', from.id)) reactions.update(reaction, { subjectId: to.id });
  for (const edit of contentEdits.by('subjectId', from.id)) contentEdits.update(edit, { subjectId: to.id });
  relink(world, from, to);
}

function removeIssue(world: World, issue: Issue): void {
  const { issues, reactions, contentEdits } = world.tables;
  for (const reaction of reactions.by('subjectId', issue.id)) reactions.delete(reaction.id);
  for (const edit of contentEdits.by('subjectId', issue.id)) contentEdits.delete(edit.id);
  issues.delete(issue.id);
}
