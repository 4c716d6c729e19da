import type { IncomingMessage, ServerResponse } from 'node:http';
import { every } from '../../concurrency/every.js';
import type { Clock } from '../../ports/clock.js';
import type { EventId, EventLog, Gap, LoggedEvent, PassingActivity } from '../../ports/event-log.js';
import type { Log } from '../../ports/log.js';
import { ApiError } from './api-error.js';
import { message } from './event-view.js';

export interface EventStreamsOptions {
  readonly events: EventLog;
  readonly clock: Clock;
  readonly log: Log;
  /** More clients than this are asked to come back later. */
  readonly maxStreams?: number;
  /** How often a silent stream sends a heartbeat. */
  readonly heartbeatMs?: number;
  /** A client that takes longer than this to read is disconnected. */
  readonly patienceMs?: number;
}

const DEFAULTS = { maxStreams: 50, heartbeatMs: 15_000, patienceMs: 10_000 };
/** How soon a disconnected client should reconnect. */
const RETRY_MS = 3_000;

/** Event streams over HTTP. */
export class EventStreams {
  readonly #options: Required<EventStreamsOptions>;
  readonly #stop = new AbortController();
  #open = 0;

  constructor(options: EventStreamsOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Resolves when the client is gone or was disconnected. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    wanted: { readonly since: EventId | null; readonly shows: (one: Followed) => boolean },
  ): Promise<void> {
    const { events, log, maxStreams } = this.#options;
    // A client that left already sends no `close` event, and would hold its place for ever.
    if (response.destroyed) return;
    if (this.#open >= maxStreams) throw tooMany();
    this.#open += 1;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#stop.signal]);
    const quiet = this.#heartbeat(response);
    try {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Turns off buffering in proxies, which would wait for the end of the answer.
        'x-accel-buffering': 'no',
      });
      response.write(`retry: ${RETRY_MS}\n\n`);
      for await (const one of events.follow(wanted.since, signal)) {
        if (wanted.shows(one) && !response.write(message(one)) && !(await this.#drained(response, signal))) break;
      }
    } catch (error) {
      // The client reconnects with the id of its last event.
      log.warn({ error: String(error), from: request.socket.remoteAddress }, 'event stream failed');
    } finally {
      quiet();
      this.#open -= 1;
      if (response.writableNeedDrain) response.destroy();
      else response.end();
    }
  }

  /** Ends all streams and accepts no more. */
  close(): void {
    this.#stop.abort();
  }

  #heartbeat(response: ServerResponse): () => void {
    const { clock, heartbeatMs } = this.#options;
    return every(clock, heartbeatMs, () => {
      if (!response.writableNeedDrain) response.write(': still here\n\n');
    });
  }

  /** Whether the client reads the pending data in time. */
  async #drained(response: ServerResponse, signal: AbortSignal): Promise<boolean> {
    const { clock, patienceMs } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + patienceMs, () => end(false));
      const end = (drained: boolean): void => {
        cancel();
        response.off('drain', read);
        signal.removeEventListener('abort', left);
        resolve(drained);
      };
      const read = (): void => end(true);
      const left = (): void => end(false);
      response.once('drain', read);
      signal.addEventListener('abort', left, { once: true });
      if (signal.aborted) left();
    });
  }
}

type Followed = LoggedEvent | Gap | PassingActivity;

const tooMany = (): ApiError =>
  new ApiError(503, 'too-many-streams', {
    message: 'As many clients as may listen do so already.',
    remedy: 'Close a stream, or ask again after the time in Retry-After.',
    headers: { 'retry-after': '30' },
  });
