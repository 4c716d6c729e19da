import { stateOf } from './completion.js';
import { phasesIn, runLabel } from './label.js';
import type { Phase } from './phase.js';
import type { Account, IssueEvent, IssueSnapshot } from './snapshot.js';

/** Something a person did to the issue with their own hands that means something to Sluice. */
export type Gesture = {
  readonly event: IssueEvent;
  readonly actor: Account;
} /** Put a `phase/*` label on it: drive from here. */ & (
  | { readonly kind: 'phase'; readonly phase: Phase; readonly label: string }
  /** Took `auto/running` away: stop. */
  | { readonly kind: 'unlabelled' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'reopened' }
);

/** What people did since we last listened, oldest first. What machines do, we ourselves included, is not among it. */
export function gesturesIn(snapshot: IssueSnapshot): readonly Gesture[] {
  return unheard(snapshot).flatMap((event): readonly Gesture[] => {
    const { actor, label } = event;
    if (actor?.kind !== 'human') return [];
    const around = { event, actor };
    switch (event.kind) {
      case 'labeled': {
        const [phase] = phasesIn([label ?? '']);
        // A label that has been taken away again asks for nothing.
        const isThere = snapshot.labels.some((one) => one === label);
        return phase === undefined || !isThere ? [] : [{ ...around, kind: 'phase', phase, label: label ?? '' }];
      }
      case 'unlabeled':
        return label === runLabel('running') ? [{ ...around, kind: 'unlabelled' }] : [];
      case 'closed':
      case 'reopened':
        return [{ ...around, kind: event.kind }];
      // What the text says now is compared with what was vouched for, whenever it was changed.
      case 'renamed':
        return [];
    }
  });
}

/** By position where the last one we took into account is still in sight, else by time. */
function unheard({ events, ...snapshot }: IssueSnapshot): readonly IssueEvent[] {
  const { heard } = stateOf({ events, ...snapshot });
  if (heard === null) return events;
  const last = events.findIndex(({ id }) => id === heard.id);
  return last >= 0 ? events.slice(last + 1) : events.filter(({ at }) => at > heard.at);
}
