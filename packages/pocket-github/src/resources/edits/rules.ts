import type { Instant } from '../../clock/clock.js';
import type { Actor, World } from '../../world/world.js';

/** Anything whose body can be edited: an issue, a comment, a review. */
export interface Editable {
  readonly id: number;
  readonly authorId: number;
  readonly createdAt: Instant;
}

/**
 * Remembers that a body was changed and returns what the record itself notes about it.
 * The first edit also stores the original text, as GitHub does, so that the history is complete from then on.
 */
export function noteEdit(world: World, actor: Actor, subject: Editable, before: string, after: string) {
  const { contentEdits } = world.tables;
  const subjectId = subject.id;
  if (contentEdits.by('subjectId', subjectId).length === 0) {
    contentEdits.insert({
      id: world.newId(),
      subjectId,
      editorId: subject.authorId,
      editedAt: subject.createdAt,
      text: before,
    });
  }
  const edit = contentEdits.insert({
    id: world.newId(),
    subjectId,
    editorId: actor.userId,
    editedAt: world.now(),
    text: after,
  });
  return { lastEditedAt: edit.editedAt, editorId: edit.editorId };
}
