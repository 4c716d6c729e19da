import type { Context } from '../../http/context.js';
import { viewerName } from '../../identity/viewer.js';
import { forbidden } from '../../world/errors.js';
import { tableOf } from '../../world/lookup.js';
import type { Issue, Reaction, ReactionContent } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';

/** The issue, or issue half of the pull request, that a reaction's subject belongs to. */
export function issueOfReactable(db: Tables, subjectId: number): Issue {
  const table = tableOf(db, subjectId);
  if (table === 'comments') return db.issues.must(db.comments.must(subjectId).issueId);
  if (table !== 'reviews' && table !== 'reviewComments') return db.issues.must(subjectId);
  return db.issues.must(db.pulls.must(db[table].must(subjectId).pullId).issueId);
}

/** Nobody reacts in a locked conversation, not even those who may still comment. */
export function demandUnlocked(context: Context, subjectId: number): void {
  if (!issueOfReactable(context.db, subjectId).locked) return;
  throw forbidden(`${viewerName(context.viewer)} does not have the correct permissions to execute \`AddReaction\``);
}

/** Each person has each reaction once per subject; adding it again returns the first. Reactions cause no events. */
export function addReaction(world: World, actor: Actor, subjectId: number, content: ReactionContent) {
  const known = findReaction(world.tables, subjectId, actor.userId, content);
  if (known !== undefined) return { reaction: known, isNew: false };
  const reaction = world.tables.reactions.insert({
    id: world.newId(),
    subjectId,
    userId: actor.userId,
    content,
    createdAt: world.now(),
  });
  return { reaction, isNew: true };
}

export function findReaction(
  db: Tables,
  subjectId: number,
  userId: number,
  content: ReactionContent,
): Reaction | undefined {
  const given = db.reactions.by('subjectId', subjectId);
  return given.find((reaction) => reaction.userId === userId && reaction.content === content);
}

/** People take back their own reactions only. */
export function removeReaction(world: World, actor: Actor, reaction: Reaction): void {
  if (reaction.userId !== actor.userId) throw forbidden('You can only delete your own reactions.');
  world.tables.reactions.delete(reaction.id);
}
