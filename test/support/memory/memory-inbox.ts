import type { GitHubEvent } from '../../../src/domain/intent/github-event.js';
import type { Clock } from '../../../src/ports/clock.js';
import { GitHubError } from '../../../src/ports/github.js';

const LEAST_WAIT_MS = 100;

/** The inbox without Redis. A delivery whose error names a time is repeated then. */
export class MemoryInbox {
  /** Errors that the real one would retry and finally give up. */
  readonly failures: unknown[] = [];
  /** How often something waited for a named time. */
  waits = 0;
  readonly #queue: GitHubEvent[] = [];
  readonly #clock: Clock;
  readonly #handle: (event: GitHubEvent) => Promise<void>;
  readonly #atOnce: number;
  #running = 0;

  constructor(clock: Clock, handle: (event: GitHubEvent) => Promise<void>, atOnce = 8) {
    this.#clock = clock;
    this.#handle = handle;
    this.#atOnce = atOnce;
  }

  add(event: GitHubEvent): void {
    this.#queue.push(event);
    this.#pump();
  }

  #pump(): void {
    while (this.#running < this.#atOnce) {
      const event = this.#queue.shift();
      if (event === undefined) return;
      this.#running += 1;
      void this.#process(event);
    }
  }

  async #process(event: GitHubEvent): Promise<void> {
    try {
      await this.#handle(event);
    } catch (error) {
      const until = error instanceof GitHubError ? error.until : null;
      if (until === null) this.failures.push(error);
      else {
        this.waits += 1;
        this.#clock.at(Math.max(until, this.#clock.now() + LEAST_WAIT_MS), () => this.add(event));
      }
    }
    this.#running -= 1;
    this.#pump();
  }
}
