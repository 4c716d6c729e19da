import { ManualClock } from '../../src/clock/manual-clock.js';
import type { Clock, Instant } from '../../src/clock/clock.js';

/** Time that can be put back: what waited for the old time is forgotten, as the memory of a killed process is. */
export class RewindableClock implements Clock {
  #time = new ManualClock();

  now(): Instant {
    return this.#time.now();
  }

  steady(): Instant {
    return this.now();
  }

  at(time: Instant, task: () => void): () => void {
    return this.#time.at(time, task);
  }

  advance(ms: number): void {
    this.#time.advance(ms);
  }

  rewindTo(to: Instant): void {
    this.#time = new ManualClock(to);
  }
}
