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
  /** How long a timer of another process may go unnoticed. */
  readonly pollMs: number;
  readonly wake: (ref: IssueRef) => Promise<void>;
}

const BATCH = 100;

/** Delayed wakes: a sorted set in Redis, read with our clock, so that they survive a restart and follow a test's clock. */
export class DueSet {
  readonly #parts: DueSetParts;
  #alarm: { readonly at: Instant; readonly cancel: () => void } | null = null;
  #delivering: Promise<void> | null = null;
  /** Set when another delivery was requested, maybe during one. */
  #again = false;
  #started = false;

  constructor(parts: DueSetParts) {
    this.#parts = parts;
  }

  async add(ref: IssueRef, at: Instant): Promise<void> {
    const { redis, key } = this.#parts;
    // LT keeps an earlier time.
    await redis.zadd(key, 'LT', at, formatDue(ref));
    this.#armFor(at);
  }

  /** From now on this process delivers due wakes. */
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

  /** Never rejects. Returns when to check again. */
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
      // The client logs once that Redis is away.
      if (redis.status === 'ready') log.warn({ error: String(error) }, 'timers not read; retrying');
      return clock.now() + pollMs;
    }
  }

  async #deliverOne(member: string): Promise<void> {
    const { redis, key, clock, log, pollMs, wake } = this.#parts;
    // Removing it decides which process delivers it. Removed before the wake, so that a timer set by the woken job stays.
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
