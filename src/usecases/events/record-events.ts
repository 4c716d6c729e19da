import { createLru } from '../../cache/lru.js';
import type { Action } from '../../domain/action/action.js';
import { currentPhase, stateOf } from '../../domain/state/evidence.js';
import { eventsOfStateChange } from '../../domain/events/events-of-state-change.js';
import { formatIssue } from '../../domain/issue/ids.js';
import type { RunActivity } from '../../domain/events/run-event.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { EMPTY_STATE, type IssueState } from '../../domain/state/state.js';
import type { Clock } from '../../ports/clock.js';
import type { EventLog } from '../../ports/event-log.js';
import type { StateStore, StateSubject } from '../../ports/state-store.js';

/* Recording events never delays a run and never makes it fail. */

/** What recording needs. */
export interface EventRecorder {
  readonly events: EventLog;
  readonly clock: Clock;
}

/** More issues than are driven at once. For one that is evicted, the events of one swap are lost. */
const MOST_KNOWN = 500;

/** Wraps a state store: each swap is recorded as events. */
export function recordEvents(states: StateStore, { events, clock }: EventRecorder): StateStore {
  const known = createLru<{ readonly oid: string; readonly state: IssueState }>(MOST_KNOWN);
  const remember = ({ ref }: StateSubject, oid: string, state: IssueState): void => {
    known.set(formatIssue(ref), { oid, state });
  };
  return {
    ...states,
    read: async (subject, raw, seals) => {
      const reading = await states.read(subject, raw, seals);
      if (reading.kind === 'valid') remember(subject, reading.oid, reading.state);
      // A state that replaces an unverifiable one starts afresh.
      if (reading.kind === 'unverifiable' && reading.oid !== null) remember(subject, reading.oid, EMPTY_STATE);
      return reading;
    },
    swap: async (swap) => {
      const { subject, expected, next: after, because } = swap;
      const last = known.get(formatIssue(subject.ref));
      const before = expected === null ? EMPTY_STATE : last?.oid === expected ? last.state : null;
      const result = await states.swap(swap);
      if (result.kind !== 'swapped') return result;
      remember(subject, result.oid, after);
      if (before !== null) {
        const happened = eventsOfStateChange({ before, after, at: clock.now(), issue: subject.ref, because });
        for (const event of happened) void events.append(event);
      }
      return result;
    },
  };
}

/** Records decisions that cause no swap. */
export function recordDecision({ events, clock }: EventRecorder, snapshot: IssueSnapshot, action: Action): void {
  const { run } = stateOf(snapshot);
  if (run === null) return;
  const { ref: issue } = snapshot;
  const frame = { at: clock.now(), issue, run: run.id, phase: currentPhase(snapshot), because: action.because };
  switch (action.kind) {
    case 'wait': {
      const { on, until = null } = action;
      // A run at rest does nothing, and the holder of the lease has already been recorded.
      if (on === 'rest' || on === 'not-driven' || on === 'lease') return;
      return void events.append({ ...frame, kind: 'waiting', on, until });
    }
    case 'run': {
      const { phase, attempt } = action;
      return void events.append({ ...frame, phase, kind: 'phase-queued', attempt });
    }
    case 'effect': {
      const { kind: effect } = action.effect;
      if (effect === 'request-fix' || effect === 'go-to' || effect === 'finish') return;
      return void events.append({ ...frame, kind: 'effect', effect });
    }
    case 'halt':
  }
}

/** Records what an agent is doing. `run` is its phase run. */
export function recordActivity(
  { events }: Pick<EventRecorder, 'events'>,
  run: Pick<RunActivity, 'issue' | 'phase' | 'phaseRun'>,
): (activity: Pick<RunActivity, 'at' | 'kind' | 'text'>) => void {
  const { issue, phase, phaseRun } = run;
  return ({ at, kind, text }) => void events.note({ at, issue, phase, phaseRun, kind, text });
}
