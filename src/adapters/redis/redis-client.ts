import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { within } from '../../concurrency/within.js';

const LONGEST_PAUSE_MS = 2_000;

/** Reconnects for ever, quickly at first. */
const RECONNECT = {
  lazyConnect: true,
  connectTimeout: 5_000,
  retryStrategy: (times: number) => Math.min(20 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS),
} satisfies RedisOptions;

/**
 * For requests: while Redis is away every command fails at once, and one that hangs fails after `answerMs`. Without a log, another client
 * reports that Redis is away.
 */
export function failFastClient(url: string, log: Log | null, answerMs = 5_000): Redis {
  const redis = new Redis(url, {
    ...RECONNECT,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMs,
  });
  redis.on('error', () => undefined);
  if (log !== null) sayWhenLost(redis, log);
  return redis;
}

/** For workers: while Redis is away their commands wait, as BullMQ requires. */
export function blockingClient(url: string): Redis {
  const redis = new Redis(url, {
    ...RECONNECT,
    maxRetriesPerRequest: null,
    // Without this a dead connection would hold the worker until TCP gives up.
    socketTimeout: 15_000,
  });
  redis.on('error', () => undefined);
  return redis;
}

/** Fails with a helpful message unless Redis answers in time. */
export async function awaitRedis(url: string, clock: Clock, withinMs: number): Promise<void> {
  const redis = new Redis(url, { ...RECONNECT, retryStrategy: () => 25, maxRetriesPerRequest: null });
  const trouble: { last: string } = { last: `no answer within ${withinMs / 1000} s` };
  redis.on('error', (error: Error) => {
    trouble.last = error.message;
  });
  try {
    const answered = await within(clock, withinMs, redis.ping()).catch((error: unknown) => {
      trouble.last = String(error);
      return false;
    });
    if (!answered) throw new Error(`No Redis answers at ${redisHost(url)} (${trouble.last}).`);
  } finally {
    redis.disconnect();
  }
}

/** Whether Redis answers in time. */
export async function isRedisThere(url: string, clock: Clock, withinMs: number): Promise<boolean> {
  return awaitRedis(url, clock, withinMs).then(
    () => true,
    () => false,
  );
}

/** An address without its password. */
export function redisHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the given address';
}

function sayWhenLost(redis: Redis, log: Log): void {
  const host = `${redis.options.host}:${redis.options.port}`;
  const state = { lost: false };
  redis.on('reconnecting', () => {
    if (!state.lost) log.warn({ place: host }, 'Redis connection lost; reconnecting');
    state.lost = true;
  });
  redis.on('ready', () => {
    if (state.lost) log.info({ place: host }, 'Redis connection restored');
    state.lost = false;
  });
}
