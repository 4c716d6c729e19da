import type { Redis } from 'ioredis';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import { entryAfter, entryOfActivity, isNews, type RunEntry } from '../../domain/events/run-entry.js';
import {
  type RunActivity,
  KEPT_ACTIVITIES,
  type LiveRun,
  liveRunOf,
  type RunEvent,
} from '../../domain/events/run-event.js';
import type { Clock } from '../../ports/clock.js';
import {
  type EventId,
  type EventLog,
  FIRST,
  type Gap,
  type LoggedEvent,
  type PassingActivity,
} from '../../ports/event-log.js';
import type { Log } from '../../ports/log.js';
import { createKeyedMutex, type KeyedMutex } from '../../concurrency/keyed-mutex.js';
import { Subscribers } from './subscribers.js';
import { EventFile } from './event-file.js';
import { runActivitySchema, readBack, runEntrySchema, runEventSchema } from './event-schema.js';
import { redactTexts } from './redact-texts.js';

export interface RedisEventLogOptions {
  /** A client that fails at once while Redis is away, because nobody should wait for a hint. */
  readonly redis: Redis;
  readonly clock: Clock;
  readonly log: Log;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** Where events are also kept as JSON lines; `null` for nowhere. */
  readonly folder: string | null;
  /** Begins every key: several services may share a Redis. */
  readonly prefix?: string;
  /** About how many events Redis keeps. */
  readonly maxEvents?: number;
}

const DAY_MS = 24 * 60 * 60_000;
const KEEP = { maxEvents: 10_000, eventsMs: 7 * DAY_MS, runs: 2_000, runMs: 30 * DAY_MS };
/** An agent without activity for this long counts as ended. */
const LIVE_MS = 15 * 60_000;
/** More than this waiting to be written means that Redis hangs. */
const MOST_PENDING = 1_000;
const PAGE = 100;
/** The form of a Redis stream id: milliseconds and a sequence number. */
const EVENT_ID = /^\d{1,15}-\d{1,15}$/;

interface Row {
  readonly id: EventId;
  /** `null` when another version wrote it. */
  readonly event: RunEvent | null;
}

/** The log in Redis: one stream, one entry per run, the last activities of every agent. Also written to disk as JSON lines. */
export class RedisEventLog implements EventLog {
  readonly #options: RedisEventLogOptions;
  readonly #keys: {
    readonly stream: string;
    readonly runs: string;
    readonly wakeChannel: string;
    readonly activity: string;
  };
  readonly #prefix: string;
  readonly #subscribers: Subscribers;
  readonly #file: EventFile | null;
  readonly #mutex: KeyedMutex = createKeyedMutex();
  #pending = 0;

  constructor(options: RedisEventLogOptions) {
    const { redis, clock, log, folder, prefix = 'sluice' } = options;
    this.#options = options;
    this.#prefix = prefix;
    const name = (last: string): string => `${prefix}:events:${last}`;
    this.#keys = { stream: name('stream'), runs: name('runs'), wakeChannel: name('wake'), activity: name('activity') };
    this.#subscribers = new Subscribers(redis, this.#keys);
    this.#file = folder === null ? null : new EventFile({ folder, clock, log });
  }

  append(event: RunEvent): Promise<void> {
    return this.#writeInOrder(async () => {
      const clean = redactTexts(event, this.#options.redact);
      const kept = await this.#store(clean).catch((error: unknown) => this.#complain(error));
      if (kept === 'old') return;
      await this.#file?.write({ time: new Date(event.at).toISOString(), id: kept?.id ?? null, ...clean });
    });
  }

  note(activity: RunActivity): Promise<void> {
    return this.#writeInOrder(async () => {
      const { redis, redact } = this.#options;
      const clean = redactTexts(activity, redact);
      const json = JSON.stringify(clean);
      const issue = formatIssue(activity.issue);
      const key = this.#liveKey(activity.issue);
      await execPipeline(
        redis
          .pipeline()
          .rpush(key, json)
          .ltrim(key, -KEPT_ACTIVITIES, -1)
          .pexpire(key, LIVE_MS)
          // After Redis lost its data this may be the first sign of a run in progress.
          .set(this.#runKey(issue), JSON.stringify(entryOfActivity(clean)), 'PX', KEEP.runMs, 'NX')
          .zadd(this.#keys.runs, 'NX', activity.at, issue)
          .publish(this.#keys.activity, json),
      ).catch((error: unknown) => this.#complain(error));
    });
  }

  async since(id: EventId, limit: number): Promise<readonly (LoggedEvent | Gap)[]> {
    const first = await this.#read(id, limit);
    const { gap } = first;
    let { rows } = first;
    // Skips pages with no readable event, so that a reader does not ask for the same page for ever.
    for (let last = rows.at(-1); last !== undefined && rows.every(({ event }) => event === null); last = rows.at(-1))
      ({ rows } = await this.#read(last.id, limit));
    return [...(gap ? [{ kind: 'gap' } as const] : []), ...rows.flatMap(toLoggedEvents)];
  }

  async *follow(id: EventId | null, signal: AbortSignal): AsyncGenerator<LoggedEvent | Gap | PassingActivity> {
    const subscriber = await this.#subscribers.subscribe(signal);
    try {
      let last = id ?? (await this.#newest());
      do {
        for (let more = true; more && !signal.aborted; ) {
          const { gap, rows } = await this.#read(last, PAGE);
          if (gap) yield { kind: 'gap' };
          yield* rows.flatMap(toLoggedEvents);
          last = rows.at(-1)?.id ?? (gap ? FIRST : last);
          more = rows.length === PAGE;
        }
        yield* subscriber.take().map((activity) => ({ kind: 'activity', activity }) as const);
      } while (await subscriber.waitForChange());
    } finally {
      this.#subscribers.unsubscribe(subscriber);
    }
  }

  async live(issue: IssueRef): Promise<LiveRun | null> {
    const { redis, clock } = this.#options;
    const kept = await redis.lrange(this.#liveKey(issue), 0, -1);
    const run = liveRunOf(kept.flatMap((json) => readBack(runActivitySchema, json) ?? []));
    return run === null || run.at + LIVE_MS < clock.now() ? null : run;
  }

  async runs(): Promise<readonly RunEntry[]> {
    const { redis } = this.#options;
    const issues = await redis.zrevrange(this.#keys.runs, 0, -1);
    const kept = issues.length === 0 ? [] : await redis.mget(issues.map((issue) => this.#runKey(issue)));
    return kept.flatMap((json) => readBack(runEntrySchema, json) ?? []);
  }

  async close(): Promise<void> {
    await this.#mutex('write', async () => undefined);
    this.#subscribers.close();
  }

  /** Writes in order, with a bounded queue. */
  async #writeInOrder(task: () => Promise<void>): Promise<void> {
    if (this.#pending >= MOST_PENDING) return;
    this.#pending += 1;
    try {
      await this.#mutex('write', task);
    } finally {
      this.#pending -= 1;
    }
  }

  /** The new id, or `old` when the event is not new. */
  async #store(event: RunEvent): Promise<{ readonly id: EventId } | 'old'> {
    const { redis, maxEvents = KEEP.maxEvents } = this.#options;
    const { stream, runs, wakeChannel } = this.#keys;
    const issue = formatIssue(event.issue);
    const before = readBack(runEntrySchema, await redis.get(this.#runKey(issue)));
    if (!isNews(before, event)) return 'old';
    const entry = JSON.stringify(entryAfter(before, event));
    const [id] = await execPipeline(
      redis
        .pipeline()
        .xadd(stream, 'MAXLEN', '~', maxEvents, '*', 'event', JSON.stringify(event))
        .pexpire(stream, KEEP.eventsMs)
        .set(this.#runKey(issue), entry, 'PX', KEEP.runMs)
        .zadd(runs, event.at, issue)
        .zremrangebyrank(runs, 0, -(KEEP.runs + 1))
        .publish(wakeChannel, ''),
    );
    return { id: String(id) };
  }

  async #read(id: EventId, limit: number): Promise<{ readonly gap: boolean; readonly rows: readonly Row[] }> {
    const { redis } = this.#options;
    const { stream } = this.#keys;
    const known = id === FIRST || (EVENT_ID.test(id) && (await redis.xrange(stream, id, id)).length > 0);
    const rows = await redis.xrange(stream, known ? `(${id}` : '-', '+', 'COUNT', limit);
    return { gap: !known, rows: rows.map(([name, [, json]]) => ({ id: name, event: readBack(runEventSchema, json) })) };
  }

  async #newest(): Promise<EventId> {
    const [newest] = await this.#options.redis.xrevrange(this.#keys.stream, '+', '-', 'COUNT', 1);
    return newest?.[0] ?? FIRST;
  }

  #runKey(issue: string): string {
    return `${this.#prefix}:run:${issue}`;
  }

  #liveKey(issue: IssueRef): string {
    return `${this.#prefix}:live:${formatIssue(issue)}`;
  }

  /** The client logs once that Redis is away. */
  #complain(error: unknown): null {
    const { redis, log } = this.#options;
    if (redis.status === 'ready') log.warn({ error: String(error) }, 'event not stored in Redis');
    return null;
  }
}

/** The answers of a pipeline; fails with its first failed command. */
async function execPipeline(pipeline: ReturnType<Redis['pipeline']>): Promise<readonly unknown[]> {
  const answers = (await pipeline.exec()) ?? [];
  return answers.map(([error, answer]) => {
    if (error !== null) throw error;
    return answer;
  });
}

function toLoggedEvents({ id, event }: Row): LoggedEvent[] {
  return event === null ? [] : [{ kind: 'event', id, event }];
}
