import type { CommentFacts } from '../../state/snapshot.js';
import { splitSeal } from '../../sanitise/seal.js';
import { commentMarker } from '../../issue/comment-marker.js';

/** The seals of all status comments, by any author: the signature proves that a seal is ours. */
export function findSeals(comments: readonly Pick<CommentFacts, 'body'>[]): readonly string[] {
  const marker = commentMarker('status');
  return comments.flatMap(({ body }) => {
    const seal = body.startsWith(marker) ? splitSeal(body).seal : null;
    return seal === null ? [] : [seal];
  });
}
