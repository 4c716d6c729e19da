import type { Redis } from 'ioredis';
import type { RunActivity } from '../../domain/events/run-event.js';
import { runActivitySchema, readBack } from './event-schema.js';

/** Activities that arrive faster than they are read are dropped, oldest first. */
const MOST_WAITING = 100;

/** One follower of the log: woken by news, and given the activities since the last time. */
export class Subscriber {
  #waiting: RunActivity[] = [];
  #isNotified = false;
  #closed = false;
  #wake: () => void = () => undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  deliver(activity: RunActivity): void {
    this.#waiting = [...this.#waiting, activity].slice(-MOST_WAITING);
    this.notify();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  take(): readonly RunActivity[] {
    return this.#waiting.splice(0);
  }

  /** Resolves when there is news; `false` when there will be no more. */
  async waitForChange(): Promise<boolean> {
    while (!this.#isNotified && !this.#closed) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isNotified = false;
    return !this.#closed;
  }
}

/** All followers in this process, on one connection to Redis. */
export class Subscribers {
  readonly #redis: Redis;
  readonly #channels: { readonly wakeChannel: string; readonly activity: string };
  readonly #subscribers = new Set<Subscriber>();
  #listening: Promise<unknown> | null = null;

  constructor(redis: Redis, channels: { readonly wakeChannel: string; readonly activity: string }) {
    this.#channels = channels;
    this.#redis = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null, lazyConnect: true });
    this.#redis.on('error', () => undefined);
    this.#redis.on('message', (channel: string, message: string) => this.#onMessage(channel, message));
    // Messages sent while the connection was down are lost, so everybody reads again.
    this.#redis.on('ready', () => this.#notifyAll());
  }

  /** Once this resolves, nothing is missed. */
  async subscribe(signal: AbortSignal): Promise<Subscriber> {
    this.#listening ??= this.#redis.subscribe(this.#channels.wakeChannel, this.#channels.activity);
    await this.#listening.catch((error: unknown) => {
      this.#listening = null;
      throw error;
    });
    const subscriber = new Subscriber();
    this.#subscribers.add(subscriber);
    if (signal.aborted) subscriber.close();
    signal.addEventListener('abort', () => subscriber.close(), { once: true });
    return subscriber;
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  close(): void {
    for (const subscriber of this.#subscribers) subscriber.close();
    this.#redis.disconnect();
  }

  #onMessage(channel: string, message: string): void {
    if (channel === this.#channels.wakeChannel) return this.#notifyAll();
    const activity = readBack(runActivitySchema, message);
    if (activity !== null) for (const subscriber of this.#subscribers) subscriber.deliver(activity);
  }

  #notifyAll(): void {
    for (const subscriber of this.#subscribers) subscriber.notify();
  }
}
