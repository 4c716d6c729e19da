import { type Job, type Queue, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { formatIssue } from '../../domain/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { JobHandlers } from '../../ports/queue.js';
import { type JobData, type JobName, JOBS } from './jobs.js';
import { dropUnreadable } from './unreadable-jobs.js';
import { within } from './within.js';

export interface WorkerParts {
  readonly asking: Redis;
  readonly working: Redis;
  readonly queues: { readonly [Name in JobName]: Queue };
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly concurrency: { readonly [Name in JobName]: number };
  /** How long a job of a dead process stays with it. Renewed while it runs; never a proof that nobody else runs it. */
  readonly lockMs: number;
}

type Handle<Data> = (data: Data, signal: AbortSignal) => Promise<void>;

const JOB_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const QUIET_MS = 60_000;
const MOST_SAID = 100;

/** Takes jobs and hands them to the handlers. */
export class BullmqWorkers {
  readonly #parts: WorkerParts;
  readonly #workers: readonly Worker[];
  readonly #running = new Set<AbortController>();
  readonly #waiters = new Set<() => void>();
  readonly #said = new Map<string, Instant>();
  #stopping = false;
  #changes = 0;

  constructor(parts: WorkerParts, handlers: JobHandlers) {
    this.#parts = parts;
    this.#workers = [
      this.#open('wake', (ref) => handlers.wake(ref)),
      this.#open('phase', (job, signal) => handlers.phase(job, signal)),
    ];
  }

  async ready(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()));
  }

  /** Jobs running in this process, known to Redis or not. */
  get running(): number {
    return this.#running.size;
  }

  /** Grows whenever a job starts or ends here. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes nothing more, tells what runs to stop, and waits for it as long as the grace lasts. */
  async close(graceMs: number): Promise<void> {
    const { clock, asking, log } = this.#parts;
    this.#stopping = true;
    await Promise.all(this.#workers.map((worker) => worker.pause(true)));
    for (const stop of this.#running) stop.abort(new Error('the service is stopping'));
    const inTime = await within(clock, graceMs, this.#noneRunning());
    if (!inTime) log.warn({ jobs: this.#running.size }, 'jobs did not stop in time; they will be delivered again');
    // BullMQ's orderly close waits for Redis, however long it is away.
    const force = !inTime || asking.status !== 'ready';
    await within(clock, graceMs, Promise.all(this.#workers.map((worker) => worker.close(force))));
  }

  #open<Name extends JobName>(name: Name, handle: Handle<JobData[Name]>): Worker {
    const { working, prefix, concurrency, lockMs } = this.#parts;
    const worker = new Worker(name, (job, token) => this.#take(name, job, token, handle), {
      connection: working,
      prefix,
      concurrency: concurrency[name],
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 3),
      // A job found stalled is simply delivered again: what it may still do is settled by the epoch in the state ref.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1_000,
      // For jobs that are not ours and do not say so themselves.
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on('error', (error) => void this.#recover(name, error));
    return worker;
  }

  async #recover(name: JobName, trouble: Error): Promise<void> {
    const { asking, queues, log } = this.#parts;
    if (trouble.name !== 'SyntaxError') return this.#say(name, trouble);
    try {
      await dropUnreadable(asking, queues[name], log);
    } catch (error) {
      this.#say(name, error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #take<Name extends JobName>(
    name: Name,
    job: Job,
    token: string | undefined,
    handle: Handle<JobData[Name]>,
  ): Promise<void> {
    if (this.#stopping) return giveBack(job, token);
    const { log } = this.#parts;
    const data = JOBS[name].schema.safeParse(job.data);
    if (!data.success || job.name !== name) {
      log.warn({ queue: name, job: job.id }, 'dropped a job that cannot be read');
      return;
    }
    const stop = new AbortController();
    this.#running.add(stop);
    this.#change();
    try {
      await handle(data.data, stop.signal);
    } catch (error) {
      const issue = formatIssue(JOBS[name].issue(data.data));
      log.error({ queue: name, issue, error: error instanceof Error ? error.stack : String(error) }, 'job failed');
    } finally {
      this.#running.delete(stop);
      this.#change();
    }
    if (stop.signal.aborted && JOBS[name].onStop === 'return') await giveBack(job, token);
  }

  async #noneRunning(): Promise<void> {
    while (this.#running.size > 0) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  #change(): void {
    this.#changes += 1;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }

  /** BullMQ repeats itself: for every lock it cannot renew after FLUSHALL, and for every try to reconnect. */
  #say(queue: JobName, error: Error): void {
    const { asking, clock, log } = this.#parts;
    const kind = error.message.replaceAll(JOB_ID, '…');
    const last = this.#said.get(kind);
    if (asking.status !== 'ready' || this.#stopping || (last !== undefined && clock.now() - last < QUIET_MS)) return;
    if (this.#said.size >= MOST_SAID) this.#said.clear();
    this.#said.set(kind, clock.now());
    log.warn({ queue, error: error.message }, 'queue trouble');
  }
}

async function giveBack(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
