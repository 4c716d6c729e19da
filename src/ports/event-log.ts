import type { IssueRef } from '../domain/issue/ids.js';
import type { RunEntry } from '../domain/events/run-entry.js';
import type { RunActivity, LiveRun, RunEvent } from '../domain/events/run-event.js';

/** Identifies an event. Later events have greater ids. */
export type EventId = string;

/** Comes before every event. */
export const FIRST: EventId = '0-0';

export interface LoggedEvent {
  readonly kind: 'event';
  readonly id: EventId;
  readonly event: RunEvent;
}

/** Some events after the requested id are gone. The oldest remaining event follows. */
export interface Gap {
  readonly kind: 'gap';
}

/** An activity, which is sent to followers but not kept. */
export interface PassingActivity {
  readonly kind: 'activity';
  readonly activity: RunActivity;
}

/**
 * Events for people and statistics. A hint: it may be emptied at any time, and a run never waits for it.
 * Secrets are removed on the way in.
 */
export interface EventLog {
  /** Resolves when the event was stored or could not be stored; never rejects. Events of one process keep their order. */
  append(event: RunEvent): Promise<void>;
  /** Sends what an agent just said or did to current followers. Never rejects. */
  note(activity: RunActivity): Promise<void>;
  /** Events after `id`, oldest first, with a gap at the start if some are gone. */
  since(id: EventId, limit: number): Promise<readonly (LoggedEvent | Gap)[]>;
  /** The same and then new events, until the signal or the end of the log. `null`: only new events. */
  follow(id: EventId | null, signal: AbortSignal): AsyncIterable<LoggedEvent | Gap | PassingActivity>;
  /** The last activities of an issue's agent; `null` when there were none for a while. */
  live(issue: IssueRef): Promise<LiveRun | null>;
  /** Known runs, the latest first. */
  runs(): Promise<readonly RunEntry[]>;
  /** Stores what was appended and ends all followers. */
  close(): Promise<void>;
}
