import { mayHoldCommand } from '../../domain/commands/may-hold-command.js';
import { phasesIn, runStatesIn } from '../../domain/issue/label.js';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import type { Thread } from '../../ports/scanner.js';

/** A comment with an unanswered command: its webhook may be lost. */
export interface UnansweredCommand {
  readonly event: Extract<GitHubEvent, { kind: 'comment' }>;
  /** A handler has reacted to it and may still be working. */
  readonly isBegun: boolean;
}

/** Unanswered commands, oldest first, as the events their webhooks would have been. Meaning and permission are decided by the handler. */
export function findUnansweredCommands({ ref, isPull, comments }: Thread): readonly UnansweredCommand[] {
  return comments.flatMap(({ id: commentId, author, body, at, edited, answered, acknowledged }) => {
    // An edited comment may not have held the command when it was written.
    if (answered || edited || author?.kind !== 'human' || !mayHoldCommand(body)) return [];
    const event = { kind: 'comment', ref, isPull, commentId, at, author, body } as const;
    return [{ event, isBegun: acknowledged }];
  });
}

/** Whether an issue's changes may concern us: it is not done, or a label of ours came or went, or it was closed or reopened. */
export function concernsUs({ labels, events }: Thread): boolean {
  const isOurs = (names: readonly string[]): boolean => runStatesIn(names).length > 0 || phasesIn(names).length > 0;
  const isUnfinished = runStatesIn(labels).length > 0 || phasesIn(labels).some((phase) => phase !== 'done');
  if (isUnfinished) return true;
  return events.some(({ label }) => (label === null ? isOurs(labels) : isOurs([label])));
}
