import type { Queue as BullQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { IssueRef } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { JobHandlers, PhaseJob, Queue } from '../../ports/queue.js';
import { BullmqWorkers, jobProcessor } from './bullmq-workers.js';
import { DueSet } from './due-set.js';
import { JOBS, type JobData } from './jobs.js';
import { openJobQueue } from './open-job-queue.js';
import { failFastClient, awaitRedis, redisHost, blockingClient } from '../redis/redis-client.js';
import { untilIdle } from './until-idle.js';

export interface BullmqOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Begins every key: several services may share a Redis. */
  readonly prefix?: string;
  /** Phases that run at once in this process. */
  readonly phases?: number;
  /** Issues reconciled at once in this process. */
  readonly wakes?: number;
  /** How long closing waits for jobs after they were told to stop. */
  readonly graceMs?: number;
  readonly lockMs?: number;
  readonly pollMs?: number;
  readonly connectMs?: number;
}

const DEFAULTS = {
  prefix: 'sluice',
  phases: 2,
  wakes: 8,
  graceMs: 10_000,
  lockMs: 15_000,
  pollMs: 1_000,
  connectMs: 5_000,
};

/** A queue on Redis. Fails when no Redis answers. */
export async function openBullmqQueue(options: BullmqOptions): Promise<Queue> {
  const settings = { ...DEFAULTS, ...options };
  await awaitRedis(settings.url, settings.clock, settings.connectMs);
  const failFast = failFastClient(settings.url, settings.log);
  await failFast.connect();
  const queue = new BullmqQueue(settings, failFast);
  await queue.ready();
  return queue;
}

type Settings = typeof DEFAULTS & BullmqOptions;
type Kind = 'wake' | 'phase';

class BullmqQueue implements Queue {
  readonly #settings: Settings;
  readonly #failFast: Redis;
  readonly #queues: { readonly [Name in Kind]: BullQueue };
  readonly #timers: DueSet;
  #active: { readonly redis: Redis; readonly workers: BullmqWorkers } | null = null;
  #closing: Promise<void> | null = null;
  #closed = false;

  constructor(settings: Settings, failFast: Redis) {
    const { prefix, clock, log, pollMs } = settings;
    this.#settings = settings;
    this.#failFast = failFast;
    this.#queues = { wake: openJobQueue('wake', failFast, prefix), phase: openJobQueue('phase', failFast, prefix) };
    const key = `${prefix}:due`;
    this.#timers = new DueSet({ redis: failFast, key, clock, log, pollMs, wake: (ref) => this.#add('wake', ref) });
  }

  async ready(): Promise<void> {
    await Promise.all(Object.values(this.#queues).map((queue) => queue.waitUntilReady()));
  }

  async wake(ref: IssueRef): Promise<void> {
    await this.#add('wake', ref);
  }

  async startPhase(job: PhaseJob): Promise<void> {
    await this.#add('phase', job);
  }

  async wakeAt(ref: IssueRef, at: Instant): Promise<void> {
    this.#mustBeOpen();
    await this.#timers.add(ref, at);
  }

  async work(handlers: JobHandlers): Promise<void> {
    this.#mustBeOpen();
    if (this.#active !== null) throw new Error('This queue works already.');
    const { url, prefix, clock, log, phases, wakes, lockMs } = this.#settings;
    const redis = blockingClient(url);
    const { wake, phase } = this.#queues;
    const workers = new BullmqWorkers({ failFast: this.#failFast, blocking: redis, prefix, clock, log, lockMs }, [
      jobProcessor('wake', { queue: wake, concurrency: wakes }, (ref) => handlers.wake(ref)),
      jobProcessor('phase', { queue: phase, concurrency: phases }, (job, signal) => handlers.phase(job, signal)),
    ]);
    this.#active = { redis, workers };
    await workers.ready();
    this.#timers.start();
  }

  async idle(): Promise<void> {
    await untilIdle(
      async () => {
        await this.#timers.settled();
        return this.#countInRedis();
      },
      () => this.#active?.workers,
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#timers.stop();
    await this.#active?.workers.close(this.#settings.graceMs);
    // Closed last, because stopping jobs may still wake issues.
    this.#closed = true;
    this.#active?.redis.disconnect();
    this.#failFast.disconnect();
  }

  async #add<Name extends Kind>(name: Name, data: JobData[Name]): Promise<void> {
    this.#mustBeOpen();
    await this.#queues[name].add(name, data, JOBS[name].options(data));
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new Error('The queue is closed.');
    if (this.#failFast.status !== 'ready') throw new Error(`Redis at ${redisHost(this.#settings.url)} is away.`);
  }

  /** In one transaction, because a job may move between lists. */
  async #countInRedis(): Promise<number> {
    const { wake, phase } = this.#queues;
    const answers = await this.#failFast
      .multi()
      .llen(wake.toKey('wait'))
      .llen(wake.toKey('active'))
      .llen(phase.toKey('wait'))
      .llen(phase.toKey('active'))
      .zcount(`${this.#settings.prefix}:due`, '-inf', this.#settings.clock.now())
      .exec();
    return (answers ?? []).reduce((sum, [, count]) => sum + Number(count), 0);
  }
}
