import { systemClock } from '../../src/adapters/clock/system-clock.js';
import type { Clock, Instant } from '../../src/ports/clock.js';

/** The machine's own time, which can be put forward: for a GitHub whose clients are real processes. */
export class AheadClock implements Clock {
  #ahead = 0;

  now(): Instant {
    return systemClock.now() + this.#ahead;
  }

  steady(): Instant {
    return this.now();
  }

  at(time: Instant, task: () => void): () => void {
    return systemClock.at(time - this.#ahead, task);
  }

  putForward(ms: number): void {
    this.#ahead += ms;
  }
}
