import { createExpiringLru, type ExpiringLru } from '../../cache/expiring-lru.js';
import { DelayedError, type Job, type Queue, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import { GitHubError } from '../../ports/github.js';
import type { Log } from '../../ports/log.js';
import { type JobData, type JobName, JOBS } from './jobs.js';
import { dropUnreadable } from './unreadable-jobs.js';
import { within } from '../../concurrency/within.js';

export interface WorkerParts {
  readonly failFast: Redis;
  readonly blocking: Redis;
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a job of a dead process stays locked. Renewed while it runs; never a proof that nobody else runs it. */
  readonly lockMs: number;
}

/** One kind of job and its handler. */
export interface JobProcessor {
  readonly name: JobName;
  readonly queue: Queue;
  readonly concurrency: number;
  /** The task in a job's data; `null` when it cannot be parsed. */
  readonly read: (data: unknown) => { readonly about: object; run(signal: AbortSignal): Promise<void> } | null;
}

/** Creates the processor for one kind of job. */
export function jobProcessor<Name extends JobName>(
  name: Name,
  { queue, concurrency }: Pick<JobProcessor, 'queue' | 'concurrency'>,
  handle: (data: JobData[Name], signal: AbortSignal) => Promise<void>,
): JobProcessor {
  const { schema, about } = JOBS[name];
  return {
    name,
    queue,
    concurrency,
    read: (data) => {
      const read = schema.safeParse(data);
      return read.success ? { about: about(read.data), run: (signal) => handle(read.data, signal) } : null;
    },
  };
}

const JOB_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const QUIET_MS = 60_000;
const MOST_SAID = 100;
/** After this a job counts as failed; the sweep looks back a day, too. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
/** Keeps a time in the past from causing an endless loop. */
const LEAST_WAIT_MS = 100;

/** Takes jobs and runs their handlers. */
export class BullmqWorkers {
  readonly #parts: WorkerParts;
  readonly #workers: readonly Worker[];
  readonly #running = new Set<AbortController>();
  readonly #waiters = new Set<() => void>();
  readonly #said: ExpiringLru<true>;
  #stopping = false;
  #changes = 0;

  constructor(parts: WorkerParts, processors: readonly JobProcessor[]) {
    this.#parts = parts;
    this.#said = createExpiringLru(parts.clock, MOST_SAID);
    this.#workers = processors.map((one) => this.#open(one));
  }

  async ready(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()));
  }

  /** Jobs running in this process, whether or not Redis knows them. */
  get running(): number {
    return this.#running.size;
  }

  /** Grows whenever a job starts or ends here. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes no more jobs, aborts the running ones, and waits for them for `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const { clock, failFast, log } = this.#parts;
    this.#stopping = true;
    await Promise.all(this.#workers.map((worker) => worker.pause(true)));
    for (const stop of this.#running) stop.abort(new Error('the service is stopping'));
    const inTime = await within(clock, graceMs, this.#noneRunning());
    if (!inTime) log.warn({ jobs: this.#running.size }, 'jobs did not stop in time; they will be redelivered');
    // BullMQ's orderly close waits for Redis, however long it is away.
    const force = !inTime || failFast.status !== 'ready';
    await within(clock, graceMs, Promise.all(this.#workers.map((worker) => worker.close(force))));
  }

  #open(processor: JobProcessor): Worker {
    const { blocking, prefix, lockMs } = this.#parts;
    const { name, concurrency } = processor;
    const worker = new Worker(name, (job, token) => this.#take(processor, job, token), {
      connection: blocking,
      prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 3),
      maxStalledCount: JOBS[name].maxStalls,
      runRetryDelay: 1_000,
      // For jobs of others that do not set it themselves.
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on('error', (error) => void this.#recover(processor, error));
    worker.on('failed', (job, error) => this.#failed(processor, job, error));
    return worker;
  }

  async #recover({ name, queue }: JobProcessor, trouble: Error): Promise<void> {
    const { failFast, log } = this.#parts;
    if (trouble.name !== 'SyntaxError') return this.#say(name, trouble);
    try {
      await dropUnreadable(failFast, queue, log);
    } catch (error) {
      this.#say(name, error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #take(processor: JobProcessor, job: Job, token: string | undefined): Promise<void> {
    if (this.#stopping) return giveBack(job, token);
    const { name } = processor;
    const task = job.name === name ? processor.read(job.data) : null;
    if (task === null) {
      this.#parts.log.warn({ queue: name, job: job.id }, 'dropped unreadable job');
      return;
    }
    const stop = new AbortController();
    this.#running.add(stop);
    this.#change();
    try {
      await task.run(stop.signal);
    } catch (error) {
      if (JOBS[name].onFailure === 'retry') {
        await this.#waitForNamedTime(processor, job, error, token);
        throw error;
      }
      this.#parts.log.error({ queue: name, ...task.about, error: detailOf(error) }, 'job failed');
    } finally {
      this.#running.delete(stop);
      this.#change();
    }
    if (stop.signal.aborted && JOBS[name].onStop === 'return') await giveBack(job, token);
  }

  /** Delays a job until the time its error names (GitHub's limit or our share of it). This does not count as a failed try. */
  async #waitForNamedTime({ name }: JobProcessor, job: Job, error: unknown, token: string | undefined): Promise<void> {
    const { clock, log } = this.#parts;
    const until = error instanceof GitHubError ? error.until : null;
    if (until === null || Date.now() - job.timestamp > LONGEST_WAIT_MS) return;
    const waitMs = Math.max(LEAST_WAIT_MS, until - clock.now());
    log.info({ queue: name, job: job.id, until: new Date(until).toISOString() }, 'job delayed');
    await job.moveToDelayed(Date.now() + waitMs, token);
    throw new DelayedError();
  }

  /** Called for jobs with retries; BullMQ counts the tries. */
  #failed(processor: JobProcessor, job: Job | undefined, error: Error): void {
    const about = job === undefined ? {} : (processor.read(job.data)?.about ?? {});
    const tries = job?.attemptsMade ?? 0;
    const fields = { queue: processor.name, ...about, tries, error: detailOf(error) };
    const again = error.name !== 'UnrecoverableError' && tries < (job?.opts.attempts ?? 1);
    if (again) this.#parts.log.warn(fields, 'job failed; retrying');
    else this.#parts.log.error(fields, 'job abandoned');
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

  /** Filters BullMQ's repeated errors: for every lock after FLUSHALL, and for every reconnect. */
  #say(queue: JobName, error: Error): void {
    const { failFast, log } = this.#parts;
    const kind = error.message.replaceAll(JOB_ID, '…');
    if (failFast.status !== 'ready' || this.#stopping || this.#said.get(kind) === true) return;
    this.#said.set(kind, true, QUIET_MS);
    log.warn({ queue, error: error.message }, 'queue error');
  }
}

async function giveBack(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}

const detailOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
