import type { Redis } from 'ioredis';
import type { RunActivity } from '../../domain/run-event.js';
import { runActivitySchema, readBack } from './event-schema.js';

/** What passes faster than somebody listens is forgotten, oldest first. */
const MOST_WAITING = 100;

/** One who follows: woken when there is something new, with the activities that passed meanwhile. */
export class Ear {
  #waiting: RunActivity[] = [];
  #rung = false;
  #closed = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  pass(activity: RunActivity): void {
    this.#waiting = [...this.#waiting, activity].slice(-MOST_WAITING);
    this.ring();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  take(): readonly RunActivity[] {
    return this.#waiting.splice(0);
  }

  /** Resolves when something is new since the last time; `false` when there will be nothing more. */
  async heard(): Promise<boolean> {
    while (!this.#rung && !this.#closed) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#rung = false;
    return !this.#closed;
  }
}

/** Everybody in this process who follows the log, on one connection to Redis. */
export class Ears {
  readonly #redis: Redis;
  readonly #channels: { readonly bell: string; readonly activity: string };
  readonly #ears = new Set<Ear>();
  #listening: Promise<unknown> | null = null;

  constructor(redis: Redis, channels: { readonly bell: string; readonly activity: string }) {
    this.#channels = channels;
    this.#redis = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null, lazyConnect: true });
    this.#redis.on('error', () => undefined);
    this.#redis.on('message', (channel: string, message: string) => this.#heard(channel, message));
    // What was said while the connection was away has not been heard.
    this.#redis.on('ready', () => this.#ringAll());
  }

  /** From here on nothing is missed. */
  async open(signal: AbortSignal): Promise<Ear> {
    this.#listening ??= this.#redis.subscribe(this.#channels.bell, this.#channels.activity);
    await this.#listening.catch((error: unknown) => {
      this.#listening = null;
      throw error;
    });
    const ear = new Ear();
    this.#ears.add(ear);
    if (signal.aborted) ear.close();
    signal.addEventListener('abort', () => ear.close(), { once: true });
    return ear;
  }

  forget(ear: Ear): void {
    this.#ears.delete(ear);
  }

  close(): void {
    for (const ear of this.#ears) ear.close();
    this.#redis.disconnect();
  }

  #heard(channel: string, message: string): void {
    if (channel === this.#channels.bell) return this.#ringAll();
    const activity = readBack(runActivitySchema, message);
    if (activity !== null) for (const ear of this.#ears) ear.pass(activity);
  }

  #ringAll(): void {
    for (const ear of this.#ears) ear.ring();
  }
}
