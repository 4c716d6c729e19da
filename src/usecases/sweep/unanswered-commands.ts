import { mayHoldCommand } from '../../domain/commands/may-hold-command.js';
import { phasesIn, runStatesIn } from '../../domain/issue/label.js';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import type { Thread } from '../../ports/scanner.js';

/** A comment with a command that nobody has answered: a webhook may have failed to tell of it. */
export interface UnansweredCommand {
  readonly event: Extract<GitHubEvent, { kind: 'comment' }>;
  /** Somebody has begun to deal with it, and may still be at it. */
  readonly isBegun: boolean;
}

/** Commands people gave, oldest first, as the events that webhooks would have told of. What they mean, and who may give them, is decided where they are handled. */
export function findUnansweredCommands({ ref, isPull, comments }: Thread): readonly UnansweredCommand[] {
  return comments.flatMap(({ id: commentId, author, body, at, edited, answered, acknowledged }) => {
    // An edited comment may not have said it when it was written, and says nothing now.
    if (answered || edited || author?.kind !== 'human' || !mayHoldCommand(body)) return [];
    const event = { kind: 'comment', ref, isPull, commentId, at, author, body } as const;
    return [{ event, isBegun: acknowledged }];
  });
}

/** Whether what happened to an issue may concern us: it is not at its end, or a label of ours came or went, or it was closed or reopened. */
export function concernsUs({ labels, events }: Thread): boolean {
  const isOurs = (names: readonly string[]): boolean => runStatesIn(names).length > 0 || phasesIn(names).length > 0;
  const isUnfinished = runStatesIn(labels).length > 0 || phasesIn(labels).some((phase) => phase !== 'done');
  if (isUnfinished) return true;
  return events.some(({ label }) => (label === null ? isOurs(labels) : isOurs([label])));
}
