import type { GitHubEvent } from './github-event.js';
import type { CommentFacts } from '../state/snapshot.js';

/** How a comment on GitHub differs from what the webhook claimed. */
export type CommentDifference =
  /** It is somebody else's. */
  | 'author'
  | 'time'
  | 'body'
  /** It was edited by its author or a moderator. Only new comments are commands. */
  | 'edited';

/** `null`: no difference. Anybody with the shared secret can forge a webhook, but not GitHub's own answer. */
export function findCommentDifference(
  claimed: Pick<Extract<GitHubEvent, { kind: 'comment' }>, 'author' | 'at' | 'body'>,
  shown: Pick<CommentFacts, 'author' | 'at' | 'body' | 'edited'>,
): CommentDifference | null {
  if (shown.author?.kind !== 'human' || shown.author.id !== claimed.author.id) return 'author';
  if (second(shown.at) !== second(claimed.at)) return 'time';
  if (shown.edited) return 'edited';
  return tidy(shown.body) === tidy(claimed.body) ? null : 'body';
}

/** GitHub's times have a precision of one second. */
const second = (at: number): number => Math.floor(at / 1_000);

/** GitHub may change line ends and trailing space. */
const tidy = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();
