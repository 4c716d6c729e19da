import { systemClock } from '../../../../src/adapters/clock/system-clock.js';
import type { Clock, Instant } from '../../../../src/ports/clock.js';

/** The machine's own time, which can be put forward: for a GitHub whose clients are real processes. */
export class OffsetClock implements Clock {
  #offsetMs = 0;

  now(): Instant {
    return systemClock.now() + this.#offsetMs;
  }

  steady(): Instant {
    return this.now();
  }

  at(time: Instant, task: () => void): () => void {
    return systemClock.at(time - this.#offsetMs, task);
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}
