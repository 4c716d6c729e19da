/**
 * Our comments on an issue. `status`, `triage` and `spec` are there once and kept up to date; a `report` is written anew for every
 * end of a run, because only a new comment reaches people.
 */
export const COMMENT_SLOTS = ['status', 'triage', 'spec', 'report'] as const;
export type CommentSlot = (typeof COMMENT_SLOTS)[number];

/** First line of our comments: how we find them again. `of` tells one report from another. */
export const commentMarker = (slot: CommentSlot, of?: string): string =>
  `<!-- sluice:${slot}${of === undefined ? '' : ` ${of.replaceAll(/[^\w:.-]/g, '_')}`} -->`;

const REPLY = '<!-- sluice:reply ';

/** First line of an answer to somebody: how we know that it has been given. */
export const replyMarker = (about: string): string => `${REPLY}${about.replaceAll(/[^\w:.-]/g, '_')} -->`;

/** The marker a comment begins with, if it is an answer. */
export function replyMarkerOf(body: string): string | null {
  const line = body.split(/\r?\n/, 1)[0] ?? '';
  return line.startsWith(REPLY) ? line.trimEnd() : null;
}
