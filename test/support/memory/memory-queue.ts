import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import type { Clock, Instant } from '../../../src/ports/clock.js';
import type { Log } from '../../../src/ports/log.js';
import type { JobHandlers, PhaseJob, Queue } from '../../../src/ports/queue.js';
import { type MemoryJob, type LaneName, MemoryQueueStore } from './memory-queue-store.js';

export interface MemoryQueueOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** What a restart finds again. */
  readonly store?: MemoryQueueStore;
  readonly phases?: number;
  readonly wakes?: number;
  readonly graceMs?: number;
}

/** The queue without Redis: same contract, no processes, deterministic order. */
export class MemoryQueue implements Queue {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #store: MemoryQueueStore;
  readonly #slots: Record<LaneName, number>;
  readonly #graceMs: number;
  readonly #running = new Map<MemoryJob, AbortController>();
  readonly #leave: () => void;
  #handlers: JobHandlers | null = null;
  #cancelAlarm: () => void = () => undefined;
  #closing: Promise<void> | null = null;
  #life: 'open' | 'stopping' | 'closed' | 'killed' = 'open';

  constructor({ clock, log, store, phases = 2, wakes = 8, graceMs = 10_000 }: MemoryQueueOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#store = store ?? new MemoryQueueStore();
    this.#slots = { wake: wakes, phase: phases };
    this.#graceMs = graceMs;
    this.#leave = this.#store.onChange(() => this.#pump());
  }

  wake(ref: IssueRef): Promise<void> {
    return this.#change(() => this.#store.add('wake', { issue: formatIssue(ref), data: ref }));
  }

  startPhase(job: PhaseJob): Promise<void> {
    return this.#change(() => this.#store.add('phase', { issue: formatIssue(job.ref), data: job }));
  }

  wakeAt(ref: IssueRef, at: Instant): Promise<void> {
    return this.#change(() => this.#store.setDue(ref, at));
  }

  work(handlers: JobHandlers): Promise<void> {
    return this.#change(() => {
      this.#handlers = handlers;
      this.#store.changed();
    });
  }

  async idle(): Promise<void> {
    while (this.#store.busyAt(this.#clock.now()) || this.#running.size > 0) {
      if (this.#life === 'killed') await never();
      await this.#store.nextChange();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#life === 'killed') await never();
    this.#life = 'stopping';
    this.#cancelAlarm();
    for (const stop of this.#running.values()) stop.abort(new Error('the service is stopping'));
    await this.#grace();
    if (this.#life !== 'stopping') return never();
    if (this.#running.size > 0) this.#log.warn({}, 'jobs did not stop in time; they will be redelivered');
    this.#depart('closed');
  }

  /** Like SIGKILL: this queue stops, and its jobs are found stalled and delivered again. */
  kill(): void {
    this.#depart('killed');
  }

  #depart(life: 'closed' | 'killed'): void {
    this.#life = life;
    this.#handlers = null;
    this.#cancelAlarm();
    this.#leave();
    for (const job of this.#running.keys()) this.#store.giveBack(job);
    this.#running.clear();
  }

  async #change(change: () => void): Promise<void> {
    if (this.#life === 'killed') await never();
    if (this.#life === 'closed') throw new Error('The queue is closed.');
    change();
  }

  async #grace(): Promise<void> {
    const over = { yet: false };
    const cancel = this.#clock.at(this.#clock.now() + this.#graceMs, () => {
      over.yet = true;
      this.#store.changed();
    });
    while (this.#running.size > 0 && !over.yet && this.#life === 'stopping') await this.#store.nextChange();
    cancel();
  }

  #pump(): void {
    if (this.#handlers === null || this.#life !== 'open') return;
    for (const lane of ['wake', 'phase'] as const) {
      while (this.#runningIn(lane) < this.#slots[lane]) {
        const job = this.#store.take(lane);
        if (job === null) break;
        this.#start(job, this.#handlers);
      }
    }
    this.#cancelAlarm();
    const due = this.#store.earliestDue();
    if (due !== null) this.#cancelAlarm = this.#clock.at(due, () => this.#store.deliverDue(this.#clock.now()));
  }

  #runningIn(lane: LaneName): number {
    return [...this.#running.keys()].filter((job) => job.lane === lane).length;
  }

  #start(job: MemoryJob, handlers: JobHandlers): void {
    const stop = new AbortController();
    this.#running.set(job, stop);
    void this.#run(job, handlers, stop.signal);
  }

  async #run(job: MemoryJob, handlers: JobHandlers, signal: AbortSignal): Promise<void> {
    // Not within the call that added it.
    await Promise.resolve();
    if (this.#life === 'killed') return;
    try {
      await this.#handle(job, handlers, signal);
    } catch (error) {
      const detail = error instanceof Error ? error.stack : String(error);
      this.#log.error({ queue: job.lane, issue: job.issue, error: detail }, 'job failed');
    }
    if (!this.#running.delete(job)) return;
    if (signal.aborted && job.lane === 'phase') this.#store.giveBack(job);
    else this.#store.finish(job);
  }

  async #handle(job: MemoryJob, handlers: JobHandlers, signal: AbortSignal): Promise<void> {
    if (job.data === null) this.#log.warn({ queue: job.lane }, 'dropped unreadable job');
    else if ('phase' in job.data) await handlers.phase(job.data, signal);
    else await handlers.wake(job.data);
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
