import type { IssueRef } from '../domain/issue/ids.js';
import type { RunEntry } from '../domain/events/run-entry.js';
import type { RunActivity, LiveRun, RunEvent } from '../domain/events/run-event.js';

/** Names an event; a later one has a greater name. */
export type EventId = string;

/** Comes before every event. */
export const FIRST: EventId = '0-0';

export interface LoggedEvent {
  readonly kind: 'event';
  readonly id: EventId;
  readonly event: RunEvent;
}

/** Some of what came after the id that was asked for is gone: the oldest there is comes next. */
export interface Gap {
  readonly kind: 'gap';
}

/** Passes by and is not kept. */
export interface PassingActivity {
  readonly kind: 'activity';
  readonly activity: RunActivity;
}

/**
 * What happened, for people and for figures. A hint: it may be emptied at any time, and a run never waits for it.
 * Secrets are removed on the way in.
 */
export interface EventLog {
  /** Resolves when it has been kept, or could not be; never rejects. Events of one process keep their order. */
  append(event: RunEvent): Promise<void>;
  /** What an agent just said or did: for whoever looks now. Never rejects. */
  note(activity: RunActivity): Promise<void>;
  /** What came after `id`, oldest first, a gap before it when some is gone. */
  since(id: EventId, limit: number): Promise<readonly (LoggedEvent | Gap)[]>;
  /** The same and then what comes, until the signal; `null` begins with what comes. Ends with the log, too. */
  follow(id: EventId | null, signal: AbortSignal): AsyncIterable<LoggedEvent | Gap | PassingActivity>;
  /** What the agent of an issue did last; `null` when none was heard for a while. */
  live(issue: IssueRef): Promise<LiveRun | null>;
  /** Known runs, the latest first. */
  runs(): Promise<readonly RunEntry[]>;
  /** Keeps what was appended, ends what follows. */
  close(): Promise<void>;
}
