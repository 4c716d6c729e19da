import type { Redis } from 'ioredis';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { formatDue, parseDue } from './jobs.js';

export interface DueSetParts {
  readonly redis: Redis;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a time set by another process may go unnoticed. */
  readonly pollMs: number;
  readonly wake: (ref: IssueRef) => Promise<void>;
}

const BATCH = 100;

/** Wakes that are due later: a sorted set in Redis, read with our clock, so it outlives a restart and obeys a test's time. */
export class DueSet {
  readonly #parts: DueSetParts;
  #alarm: { readonly at: Instant; readonly cancel: () => void } | null = null;
  #delivering: Promise<void> | null = null;
  /** Asked to deliver, maybe while delivering. */
  #again = false;
  #started = false;

  constructor(parts: DueSetParts) {
    this.#parts = parts;
  }

  async add(ref: IssueRef, at: Instant): Promise<void> {
    const { redis, key } = this.#parts;
    // LT: an earlier time stays.
    await redis.zadd(key, 'LT', at, formatDue(ref));
    this.#armFor(at);
  }

  /** From now on what falls due is delivered here. */
  start(): void {
    this.#started = true;
    this.#deliver();
  }

  async stop(): Promise<void> {
    this.#started = false;
    this.#disarm();
    await this.settled();
  }

  /** Resolves when nothing is being delivered. */
  async settled(): Promise<void> {
    await this.#delivering;
  }

  #armFor(at: Instant): void {
    if (!this.#started || (this.#alarm !== null && this.#alarm.at <= at)) return;
    this.#disarm();
    const cancel = this.#parts.clock.at(at, () => {
      this.#alarm = null;
      this.#deliver();
    });
    this.#alarm = { at, cancel };
  }

  #disarm(): void {
    this.#alarm?.cancel();
    this.#alarm = null;
  }

  #deliver(): void {
    this.#again = true;
    this.#delivering ??= this.#deliverWhileAsked();
  }

  async #deliverWhileAsked(): Promise<void> {
    let next = Infinity;
    while (this.#again) {
      this.#again = false;
      next = await this.#deliverDue();
    }
    this.#delivering = null;
    this.#armFor(next);
  }

  /** Never rejects; answers when to look again. */
  async #deliverDue(): Promise<Instant> {
    const { redis, key, clock, log, pollMs } = this.#parts;
    try {
      for (let full = true; full && this.#started; ) {
        const due = await redis.zrangebyscore(key, '-inf', clock.now(), 'LIMIT', 0, BATCH);
        for (const member of due) await this.#deliverOne(member);
        full = due.length === BATCH;
      }
      const [, earliest] = await redis.zrange(key, 0, '0', 'WITHSCORES');
      return Math.min(clock.now() + pollMs, earliest === undefined ? Infinity : Number(earliest));
    } catch (error) {
      // That Redis is away is said elsewhere, once.
      if (redis.status === 'ready') log.warn({ error: String(error) }, 'timers not read; retrying');
      return clock.now() + pollMs;
    }
  }

  async #deliverOne(member: string): Promise<void> {
    const { redis, key, clock, log, pollMs, wake } = this.#parts;
    // Taking it out decides which of several processes delivers it. Out before in: a time set by the woken job must stay.
    if ((await redis.zrem(key, member)) === 0) return;
    const ref = parseDue(member);
    if (ref === null) {
      log.warn({ member: member.slice(0, 200) }, 'dropped unreadable timer');
      return;
    }
    try {
      await wake(ref);
    } catch (error) {
      log.warn({ issue: formatIssue(ref), error: String(error) }, 'timer not delivered; requeued');
      await redis.zadd(key, 'LT', clock.now() + pollMs, member);
    }
  }
}
