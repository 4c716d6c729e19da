import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import type { Instant } from '../../../src/ports/clock.js';
import type { PhaseJob } from '../../../src/ports/queue.js';

export type LaneName = 'wake' | 'phase';

interface JobContent {
  readonly issue: string;
  /** `null` for unreadable data. */
  readonly data: IssueRef | PhaseJob | null;
}

export interface MemoryJob extends JobContent {
  readonly lane: LaneName;
}

interface Lane {
  readonly waiting: MemoryJob[];
  readonly active: Set<MemoryJob>;
  /** By issue: the job that arrived while another one of the issue runs. */
  readonly next: Map<string, MemoryJob>;
}

export interface QueueContents {
  readonly jobs: readonly MemoryJob[];
  readonly due: readonly { readonly ref: IssueRef; readonly at: Instant }[];
}

/** What Redis would hold: it outlives the queues that use it. */
export class MemoryQueueStore {
  readonly #lanes: Record<LaneName, Lane> = { wake: emptyLane(), phase: emptyLane() };
  readonly #due = new Map<string, { readonly ref: IssueRef; readonly at: Instant }>();
  readonly #listeners = new Set<() => void>();

  add(name: LaneName, content: JobContent): void {
    const lane = this.#lanes[name];
    const job = { ...content, lane: name };
    if (lane.waiting.some(({ issue }) => issue === job.issue)) return;
    if ([...lane.active].some(({ issue }) => issue === job.issue)) lane.next.set(job.issue, job);
    else lane.waiting.push(job);
    this.changed();
  }

  take(name: LaneName): MemoryJob | null {
    const lane = this.#lanes[name];
    const job = lane.waiting.shift();
    if (job === undefined) return null;
    lane.active.add(job);
    return job;
  }

  finish(job: MemoryJob): void {
    const lane = this.#lanes[job.lane];
    const next = lane.active.delete(job) ? lane.next.get(job.issue) : undefined;
    if (next !== undefined) {
      lane.next.delete(job.issue);
      lane.waiting.push(next);
    }
    this.changed();
  }

  /** An unfinished job: it is taken next. */
  giveBack(job: MemoryJob): void {
    const lane = this.#lanes[job.lane];
    if (lane.active.delete(job)) lane.waiting.unshift(job);
    this.changed();
  }

  setDue(ref: IssueRef, at: Instant): void {
    const issue = formatIssue(ref);
    this.#due.set(issue, { ref, at: Math.min(at, this.#due.get(issue)?.at ?? Infinity) });
    this.changed();
  }

  earliestDue(): Instant | null {
    return this.#due.size === 0 ? null : Math.min(...[...this.#due.values()].map(({ at }) => at));
  }

  deliverDue(now: Instant): void {
    for (const [issue, { ref, at }] of this.#due) {
      if (at > now) continue;
      this.#due.delete(issue);
      this.add('wake', { issue, data: ref });
    }
    this.changed();
  }

  /** The content as data. Running jobs wait again, as after a restart. */
  contents(): QueueContents {
    const waiting = Object.values(this.#lanes).flatMap((lane) => [...lane.active, ...lane.waiting]);
    const next = Object.values(this.#lanes).flatMap((lane) => [...lane.next.values()]);
    return { jobs: [...waiting, ...next], due: [...this.#due.values()] };
  }

  static of({ jobs, due }: QueueContents): MemoryQueueStore {
    const store = new MemoryQueueStore();
    for (const { lane, issue, data } of jobs) store.add(lane, { issue, data });
    for (const { ref, at } of due) store.setDue(ref, at);
    return store;
  }

  /** Forgets everything, as FLUSHALL does. Running jobs continue. */
  flush(): void {
    for (const lane of Object.values(this.#lanes)) {
      lane.waiting.length = 0;
      lane.active.clear();
      lane.next.clear();
    }
    this.#due.clear();
    this.changed();
  }

  /** Whether anything waits, runs, or should have been delivered by now. */
  busyAt(now: Instant): boolean {
    const lanes = Object.values(this.#lanes);
    return (
      lanes.some(({ waiting, active }) => waiting.length + active.size > 0) ||
      [...this.#due.values()].some(({ at }) => at <= now)
    );
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const off = this.onChange(() => {
        off();
        resolve();
      });
    });
  }
}

function emptyLane(): Lane {
  return { waiting: [], active: new Set(), next: new Map() };
}
