import { mayHoldCommand } from '../commands/may-hold-command.js';
import { parseCommand } from '../commands/parse-command.js';
import { landedCommit, stateOf } from '../state/evidence.js';
import { phasesIn, runStatesIn, sizeIn } from '../issue/label.js';
import type { Phase } from '../issue/phase.js';
import type { Size } from '../issue/size.js';
import type { Actor, IssueEvent, IssueSnapshot } from '../state/snapshot.js';
import type { Instant } from '../issue/instant.js';

/** Something a person did by hand on the issue that Sluice reacts to. */
export type ManualAction = {
  readonly event: IssueEvent;
  readonly actor: Actor;
} /** Put a `phase/*` label on it: drive from here. */ & (
  | { readonly kind: 'phase'; readonly phase: Phase; readonly label: string }
  /** Put a `size/*` label on it. */
  | { readonly kind: 'size'; readonly size: Size; readonly label: string }
  /** Removed `auto/running`: stop. */
  | { readonly kind: 'unlabelled' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'reopened' }
);

/** A deleted account. */
const GHOST: Actor = { id: 0, login: 'ghost', kind: 'bot' };

/**
 * What people did since the timeline cursor, oldest first. Actions of bots, including our own, are left out, with one exception:
 * a bot that closes an issue during a run, or reopens a finished one, must be noticed.
 */
export function findManualActions(snapshot: IssueSnapshot): readonly ManualAction[] {
  return eventsAfterCursor(snapshot).flatMap((event): readonly ManualAction[] => {
    const { label } = event;
    const actor = event.actor ?? GHOST;
    const isHuman = actor.kind === 'human';
    const around = { event, actor };
    switch (event.kind) {
      case 'labeled': {
        if (label === null || !isHuman || !isCurrentLabelEvent(snapshot, event)) return [];
        const [phase] = phasesIn([label]);
        const size = sizeIn([label]);
        if (phase !== undefined) return [{ ...around, kind: 'phase', phase, label }];
        return size === null ? [] : [{ ...around, kind: 'size', size, label }];
      }
      case 'unlabeled':
        return isHuman && runStatesIn([label ?? '']).includes('running') ? [{ ...around, kind: 'unlabelled' }] : [];
      case 'closed':
        // An issue that our own merge closed has landed.
        return isHuman || (snapshot.state === 'closed' && landedCommit(snapshot) === null)
          ? [{ ...around, kind: 'closed' }]
          : [];
      case 'reopened':
        return [{ ...around, kind: 'reopened' }];
      // Edits need no event: the current text is always compared with the authorised one.
      case 'renamed':
        return [];
    }
  });
}

/** A label that was removed again asks for nothing. Only the newest event for a label counts. */
function isCurrentLabelEvent({ labels, events }: IssueSnapshot, event: IssueEvent): boolean {
  return (
    labels.some((one) => one === event.label) && events.findLast(({ label }) => label === event.label)?.id === event.id
  );
}

/** By position if the cursor's event is still in the snapshot, otherwise by time. */
function eventsAfterCursor({ events, ...snapshot }: IssueSnapshot): readonly IssueEvent[] {
  const { timelineCursor } = stateOf({ events, ...snapshot });
  if (timelineCursor === null) return events;
  const last = events.findIndex(({ id }) => id === timelineCursor.id);
  return last >= 0 ? events.slice(last + 1) : events.filter(({ at }) => at > timelineCursor.at);
}

/** A person's comment that the run should stop or pause. */
export interface StopComment {
  readonly kind: 'stop' | 'pause';
  readonly actor: Actor;
  readonly at: Instant;
}

/**
 * Comments that ask this run to stop or pause, oldest first. Webhooks report them too, but a webhook that
 * came before the run began found nothing to stop.
 */
export function findStopComments(snapshot: IssueSnapshot): readonly StopComment[] {
  const { ref, comments } = snapshot;
  const { run } = stateOf(snapshot);
  if (run === null) return [];
  return comments.flatMap(({ author, body, at, edited }) => {
    if (at < run.askedAt || edited || author?.kind !== 'human' || !mayHoldCommand(body)) return [];
    const parsed = parseCommand(body, ref);
    if (parsed.kind !== 'command') return [];
    const { command } = parsed;
    if (command.kind !== 'stop' && command.kind !== 'pause') return [];
    return (command.number ?? ref.number) === ref.number ? [{ kind: command.kind, actor: author, at }] : [];
  });
}
