/**
 * Our comments on an issue. `status`, `triage` and `spec` exist once and are edited. A `report` is a new comment for every
 * end of a run, because GitHub notifies people only about new comments.
 */
export const COMMENT_SLOTS = ['status', 'triage', 'spec', 'report'] as const;
export type CommentSlot = (typeof COMMENT_SLOTS)[number];

/** First line of our comments, by which we find them again. `of` distinguishes reports. */
export const commentMarker = (slot: CommentSlot, of?: string): string =>
  `<!-- sluice:${slot}${of === undefined ? '' : ` ${of.replaceAll(/[^\w:.-]/g, '_')}`} -->`;

const REPLY = '<!-- sluice:reply ';

/** First line of an answer to a person. It shows us that the answer was already given. */
export const replyMarker = (about: string): string => `${REPLY}${about.replaceAll(/[^\w:.-]/g, '_')} -->`;

/** The marker a comment begins with, if it is an answer. */
export function replyMarkerOf(body: string): string | null {
  const line = body.split(/\r?\n/, 1)[0] ?? '';
  return line.startsWith(REPLY) ? line.trimEnd() : null;
}
