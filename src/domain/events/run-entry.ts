import { statusesExcept } from '../issue/run-status.js';
import type { IssueRef } from '../issue/ids.js';
import type { Phase } from '../issue/phase.js';
import type { RunActivity, RunEvent } from './run-event.js';
import type { Instant } from '../issue/instant.js';

/** The status of a run, by its last recorded event. */
export const ENTRY_STATUSES = statusesExcept('not-driven', 'partly-done', 'untrusted');
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** One entry of the list of runs. A hint, because only the issue itself is reliable. */
export interface RunEntry {
  readonly issue: IssueRef;
  readonly run: string | null;
  readonly status: EntryStatus;
  readonly phase: Phase | null;
  readonly because: string;
  /** Time of the last event. */
  readonly at: Instant;
}

const AT_REST: readonly EntryStatus[] = ['paused', 'needs-human', 'failed', 'done'];

/** Whether nothing will happen until a person asks for it. */
export function isAtRest({ status }: RunEntry): boolean {
  return AT_REST.includes(status);
}

/** Whether an event is new. The next step is computed often, but recorded only when it changes. */
export function isNews(entry: RunEntry | null, event: RunEvent): boolean {
  if (entry === null || (event.kind !== 'waiting' && event.kind !== 'phase-queued')) return true;
  const { run, phase, status, because } = entryAfter(entry, event);
  return entry.run !== run || entry.phase !== phase || entry.status !== status || entry.because !== because;
}

/** The entry of a run of which only the agent's activity is known. */
export function entryOfActivity({ issue, phase, at }: RunActivity): RunEntry {
  return { issue, run: null, status: 'running', phase, because: 'an agent is at work', at };
}

/** The entry after an event. */
export function entryAfter(entry: RunEntry | null, event: RunEvent): RunEntry {
  const { issue, run, because, at } = event;
  const status = statusAfter(entry?.status ?? 'running', event);
  return { issue, run: run ?? entry?.run ?? null, status, phase: event.phase ?? entry?.phase ?? null, because, at };
}

function statusAfter(before: EntryStatus, event: RunEvent): EntryStatus {
  switch (event.kind) {
    case 'run-started':
    case 'phase-queued':
    case 'phase-started':
    case 'resumed':
      return 'running';
    case 'waiting':
      return 'waiting';
    case 'stop-requested':
      return 'stopping';
    case 'halted':
      return event.state;
    case 'done':
      return 'done';
    case 'phase-ended':
    case 'effect':
    case 'fix-requested':
    case 'redirected':
      return before === 'waiting' ? 'running' : before;
  }
}
