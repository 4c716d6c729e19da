import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import { entryAfter, entryOfActivity, isNews, type RunEntry } from '../../../src/domain/events/run-entry.js';
import { type RunActivity, type LiveRun, liveRunOf, type RunEvent } from '../../../src/domain/events/run-event.js';
import type { Clock } from '../../../src/ports/clock.js';
import {
  type EventId,
  type EventLog,
  FIRST,
  type Gap,
  type LoggedEvent,
  type PassingActivity,
} from '../../../src/ports/event-log.js';

/** What Redis would hold; it outlives the logs that use it. */
export class MemoryEventStore {
  events: LoggedEvent[] = [];
  activities: RunActivity[] = [];
  entries = new Map<string, RunEntry>();
  readonly listeners = new Set<(activity: RunActivity | null) => void>();
  #count = 0;

  nextId(): EventId {
    this.#count += 1;
    return `1-${this.#count}`;
  }

  notify(activity: RunActivity | null): void {
    for (const listener of this.listeners) listener(activity);
  }

  flush(): void {
    this.events = [];
    this.activities = [];
    this.entries.clear();
  }
}

const LIVE_MS = 15 * 60_000;

/** The log without Redis. */
export class MemoryEventLog implements EventLog {
  readonly #store: MemoryEventStore;
  readonly #clock: Clock;
  readonly #redact: (text: string) => string;
  readonly #closed = new AbortController();

  constructor({ clock, store, redact }: { clock: Clock; store?: MemoryEventStore; redact?: (text: string) => string }) {
    this.#clock = clock;
    this.#store = store ?? new MemoryEventStore();
    this.#redact = redact ?? ((text) => text);
  }

  async append(event: RunEvent): Promise<void> {
    const { entries, events } = this.#store;
    const issue = formatIssue(event.issue);
    const before = entries.get(issue) ?? null;
    const clean = { ...event, because: this.#redact(event.because) };
    if (!isNews(before, clean)) return;
    entries.delete(issue);
    entries.set(issue, entryAfter(before, clean));
    events.push({ kind: 'event', id: this.#store.nextId(), event: clean });
    this.#store.notify(null);
  }

  async note(activity: RunActivity): Promise<void> {
    const clean = { ...activity, text: this.#redact(activity.text) };
    this.#store.activities.push(clean);
    const issue = formatIssue(activity.issue);
    if (!this.#store.entries.has(issue)) this.#store.entries.set(issue, entryOfActivity(clean));
    this.#store.notify(clean);
  }

  async since(id: EventId, limit: number): Promise<readonly (LoggedEvent | Gap)[]> {
    const { events } = this.#store;
    const at = events.findIndex((logged) => logged.id === id);
    if (id !== FIRST && at === -1) return [{ kind: 'gap' }, ...events.slice(0, limit)];
    return events.slice(at + 1, at + 1 + limit);
  }

  async *follow(id: EventId | null, signal: AbortSignal): AsyncGenerator<LoggedEvent | Gap | PassingActivity> {
    const end = AbortSignal.any([signal, this.#closed.signal]);
    const pending: { activities: RunActivity[]; wake: () => void } = { activities: [], wake: () => undefined };
    const listener = (activity: RunActivity | null): void => {
      if (activity !== null) pending.activities.push(activity);
      pending.wake();
    };
    this.#store.listeners.add(listener);
    end.addEventListener('abort', () => pending.wake(), { once: true });
    try {
      let last = id ?? this.#store.events.at(-1)?.id ?? FIRST;
      while (!end.aborted) {
        const next = new Promise<void>((resolve) => (pending.wake = resolve));
        for (const one of await this.since(last, Infinity)) {
          yield one;
          last = one.kind === 'gap' ? FIRST : one.id;
        }
        yield* pending.activities.splice(0).map((activity) => ({ kind: 'activity', activity }) as const);
        if (!end.aborted) await next;
      }
    } finally {
      this.#store.listeners.delete(listener);
    }
  }

  async live(issue: IssueRef): Promise<LiveRun | null> {
    const name = formatIssue(issue);
    const run = liveRunOf(this.#store.activities.filter((activity) => formatIssue(activity.issue) === name));
    return run === null || run.at + LIVE_MS < this.#clock.now() ? null : run;
  }

  async runs(): Promise<readonly RunEntry[]> {
    return [...this.#store.entries.values()].toReversed();
  }

  async close(): Promise<void> {
    this.#closed.abort();
  }
}
