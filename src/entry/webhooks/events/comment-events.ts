import { z } from 'zod';
import { mayHoldCommand } from '../../../domain/commands/may-hold-command.js';
import { common, instant, issueOf, issueShape, reader, toActor, touchedIssue } from './payload-shapes.js';

const shape = z.object({
  ...common,
  issue: issueShape,
  comment: z.object({
    node_id: z.string(),
    body: z.string().nullish(),
    created_at: instant,
    user: z.object({ id: z.number() }).nullish(),
  }),
});

/** Only people give commands, never bots. A comment that cannot hold a command is ignored. */
export const readCommandComment = reader(shape, ({ repository, sender, issue, comment }) => {
  const author = toActor(sender);
  const body = comment.body ?? '';
  // The sender of a new comment is its author. If they ever differ, the comment is ignored.
  if (author.kind !== 'human' || comment.user?.id !== author.id || !mayHoldCommand(body)) return null;
  return {
    kind: 'comment',
    ref: issueOf(repository, issue.number),
    isPull: issue.pull_request !== undefined,
    commentId: comment.node_id,
    at: comment.created_at,
    author,
    body,
  };
});

/** An edited command is not carried out. A comment of ours that somebody changed or removed is restored. */
export const readChangedComment = reader(shape, ({ repository, sender, issue, comment }, self) => {
  const isOurs = comment.user?.id === self.accountId && sender.id !== self.accountId;
  return isOurs && issue.pull_request === undefined ? touchedIssue(repository, issue.number) : null;
});
