import { z } from 'zod';
import { mayHoldCommand } from '../../../domain/commands/may-hold-command.js';
import type { GitHubEvent } from '../../../domain/intent/github-event.js';
import { toActor, around, type EventReader, instant, issueOf, issueShape, reader, type Self } from './event-reader.js';

const shape = z.object({
  ...around,
  action: z.enum(['created', 'edited', 'deleted']),
  issue: issueShape,
  comment: z.object({
    node_id: z.string(),
    body: z.string().nullish(),
    created_at: instant,
    user: z.object({ id: z.number() }).nullish(),
  }),
});

type Payload = z.output<typeof shape>;

export const issueComment: EventReader = {
  traces: ({ accountId }) => ['/auto', String(accountId)],
  read: reader(shape, (payload, self) =>
    payload.action === 'created' ? commandComment(payload) : changedOwnComment(payload, self),
  ),
};

/** Only people give commands; bots, ourselves included, never do. What cannot hold a command is talk. */
function commandComment({ repository, sender, issue, comment }: Payload): GitHubEvent | null {
  const author = toActor(sender);
  const body = comment.body ?? '';
  // Who sends it is who wrote it; should they ever differ, nobody has said it.
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
}

/** A command that was edited stays unheard. A comment of ours that somebody changed or removed is written again. */
function changedOwnComment({ repository, sender, issue, comment }: Payload, self: Self): GitHubEvent | null {
  const ours = comment.user?.id === self.accountId && sender.id !== self.accountId;
  return ours && issue.pull_request === undefined ? { kind: 'touched', ref: issueOf(repository, issue.number) } : null;
}
