import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import type { Delivery, Inbox } from '../../ports/inbox.js';
import type { Log } from '../../ports/log.js';
import { BullmqWorkers, jobProcessor } from './bullmq-workers.js';
import { JOBS } from './jobs.js';
import { openJobQueue } from './open-job-queue.js';
import { failFastClient, awaitRedis, redisHost, blockingClient } from '../redis/redis-client.js';
import { untilIdle } from './until-idle.js';

export interface InboxOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Begins every key: several services may share a Redis. */
  readonly prefix?: string;
  /** Deliveries handled at once in this process. */
  readonly atOnce?: number;
  /** How long a webhook waits for a Redis that hangs. */
  readonly answerMs?: number;
  /** Pause before the first retry; doubles each time. */
  readonly pauseMs?: number;
  /** How long closing waits for deliveries in progress. */
  readonly graceMs?: number;
  /** After how long the delivery of a dead process goes to another one. */
  readonly lockMs?: number;
  readonly connectMs?: number;
}

const DEFAULTS = {
  prefix: 'sluice',
  atOnce: 8,
  answerMs: 900,
  graceMs: 2_000,
  lockMs: 15_000,
  connectMs: 5_000,
};

/** An inbox on Redis. Fails when no Redis answers. */
export async function openBullmqInbox(options: InboxOptions): Promise<Inbox> {
  const settings = { ...DEFAULTS, ...options };
  const { url, clock, connectMs, answerMs, prefix } = settings;
  await awaitRedis(url, clock, connectMs);
  // The queue logs that Redis is away.
  const failFast = failFastClient(url, null, answerMs);
  await failFast.connect();
  const queue = openJobQueue('event', failFast, prefix);
  await queue.waitUntilReady();
  return new BullmqInbox(settings, failFast, queue);
}

class BullmqInbox implements Inbox {
  readonly #settings: typeof DEFAULTS & InboxOptions;
  readonly #failFast: Redis;
  readonly #queue: Queue;
  #active: { readonly redis: Redis; readonly workers: BullmqWorkers } | null = null;
  #closing: Promise<void> | null = null;

  constructor(settings: typeof DEFAULTS & InboxOptions, failFast: Redis, queue: Queue) {
    this.#settings = settings;
    this.#failFast = failFast;
    this.#queue = queue;
  }

  async enqueue(delivery: Delivery): Promise<'queued' | 'duplicate'> {
    this.#mustBeOpen();
    const { pauseMs } = this.#settings;
    const options = JOBS.event.options(delivery);
    const backoff = pauseMs === undefined ? {} : { backoff: { type: 'exponential', delay: pauseMs } };
    const job = await this.#queue.add('event', delivery, { ...options, ...backoff });
    return job.id === options.jobId ? 'queued' : 'duplicate';
  }

  async work(deal: (delivery: Delivery) => Promise<void>): Promise<void> {
    this.#mustBeOpen();
    if (this.#active !== null) throw new Error('This inbox is being worked on already.');
    const { url, prefix, clock, log, lockMs, atOnce } = this.#settings;
    const redis = blockingClient(url);
    const workers = new BullmqWorkers({ failFast: this.#failFast, blocking: redis, prefix, clock, log, lockMs }, [
      jobProcessor('event', { queue: this.#queue, concurrency: atOnce }, deal),
    ]);
    this.#active = { redis, workers };
    await workers.ready();
  }

  async idle(): Promise<void> {
    await untilIdle(
      () => this.#queue.getJobCountByTypes('wait', 'active'),
      () => this.#active?.workers,
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#active?.workers.close(this.#settings.graceMs);
    this.#active?.redis.disconnect();
    this.#failFast.disconnect();
  }

  #mustBeOpen(): void {
    if (this.#closing !== null) throw new Error('The inbox is closed.');
    if (this.#failFast.status !== 'ready') throw new Error(`Redis at ${redisHost(this.#settings.url)} is away.`);
  }
}
