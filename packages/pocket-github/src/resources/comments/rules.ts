import { validationFailed } from '../../world/errors.js';
import type { Comment, Issue } from '../../world/model.js';
import { checkBody } from '../../world/text-limits.js';
import type { Actor, World } from '../../world/world.js';
import { noteEdit } from '../edits/rules.js';

const subjectOf = (comment: Comment) => ({ repositoryId: comment.repositoryId, subjectId: comment.issueId });

function checkText(body: string): void {
  if (body.trim() === '') {
    throw validationFailed({ resource: 'IssueComment', code: 'missing_field', field: 'body' });
  }
  checkBody('IssueComment', body);
}

/** Comments on an issue or pull request. Whether the conversation is locked for the caller is decided before. */
export async function createComment(world: World, actor: Actor, issue: Issue, body: string): Promise<Comment> {
  checkText(body);
  const now = world.now();
  const comment = world.tables.comments.insert({
    id: world.newId(),
    repositoryId: issue.repositoryId,
    issueId: issue.id,
    authorId: actor.userId,
    viaAppId: actor.viaAppId,
    body,
    minimizedReason: null,
    lastEditedAt: null,
    editorId: null,
    createdAt: now,
    updatedAt: now,
  });
  world.tables.issues.update(issue, { updatedAt: now });
  await world.record(actor, 'comment created', subjectOf(comment), { commentId: comment.id });
  return world.tables.comments.must(comment.id);
}

/** Writing the same text again is not an edit: nothing changes and no event is recorded. */
export async function editComment(world: World, actor: Actor, comment: Comment, body: string): Promise<Comment> {
  checkText(body);
  if (body === comment.body) return comment;
  const edit = noteEdit(world, actor, comment, comment.body, body);
  const now = world.now();
  world.tables.comments.update(comment, { body, ...edit, updatedAt: now });
  if (world.habits.commentEditsTouchIssue)
    world.tables.issues.update(world.tables.issues.must(comment.issueId), { updatedAt: now });
  await world.record(actor, 'comment edited', subjectOf(comment), { commentId: comment.id, before: comment.body });
  return world.tables.comments.must(comment.id);
}

/** Records the deletion while the comment can still be shown, then removes it with everything attached to it. */
export async function deleteComment(world: World, actor: Actor, comment: Comment): Promise<void> {
  await world.record(actor, 'comment deleted', subjectOf(comment), { commentId: comment.id, body: comment.body });
  removeComment(world, comment);
}

/** Removes a comment with its reactions and edits, without telling anybody. */
export function removeComment(world: World, comment: Comment): void {
  const { comments, reactions, contentEdits } = world.tables;
  for (const reaction of reactions.by('subjectId', comment.id)) reactions.delete(reaction.id);
  for (const edit of contentEdits.by('subjectId', comment.id)) contentEdits.delete(edit.id);
  comments.delete(comment.id);
}
