import type { ServerResponse } from 'node:http';
import type { Clock, Instant } from '../clock.js';

/** One open request and everything it holds: its socket and at most one timer, both let go when the socket closes. */
export class Connection {
  /** Settles when the socket is closed, by whichever side. */
  readonly whenGone: Promise<void>;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #gone = false;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
    this.whenGone = new Promise((resolve) => {
      response.on('close', () => {
        this.#gone = true;
        resolve();
      });
    });
  }

  get gone(): boolean {
    return this.#gone;
  }

  open(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#gone) return;
    this.#response.writeHead(status, headers);
    this.#response.flushHeaders();
  }

  /** Settles when the bytes have left, so that a cut afterwards does not take them back, or when the connection is gone. */
  async send(bytes: Buffer): Promise<void> {
    if (this.#gone || bytes.length === 0) return;
    const sent = new Promise<void>((resolve) => {
      this.#response.write(bytes, () => {
        resolve();
      });
    });
    await Promise.race([sent, this.whenGone]);
  }

  /** The moment so long after now; `null` for no such moment. */
  timeAfter(ms: number | null): Instant | null {
    return ms === null ? null : this.#clock.now() + ms;
  }

  /** Settles when the clock has reached `time`, or when the connection is gone. */
  async holdUntil(time: Instant | null): Promise<void> {
    if (this.#gone) return;
    if (time === null) return this.whenGone;
    const { promise, cancel } = this.#reaching(time);
    await Promise.race([promise, this.whenGone]);
    cancel();
  }

  end(): void {
    this.#response.end();
  }

  /** Closes the socket without finishing the answer. */
  cut(): void {
    this.#response.socket?.destroy();
  }

  /** Closes the socket with a TCP reset. */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }

  #reaching(time: Instant): { promise: Promise<void>; cancel: () => void } {
    const alarm = { cancel: (): void => undefined };
    const promise = new Promise<void>((resolve) => {
      alarm.cancel = this.#clock.at(time, resolve);
    });
    return { promise, cancel: () => alarm.cancel() };
  }
}
