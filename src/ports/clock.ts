import type { Instant } from '../domain/issue/instant.js';

export type { Instant };

/** The only source of time for everything that waits, expires or has a timestamp. */
export interface Clock {
  now(): Instant;
  /**
   * The same, but it never goes back, even if the machine's time is set back, and it counts time asleep. For "how long ago", where
   * an error would send a write too late. Not for timestamps or display.
   */
  steady(): Instant;
  /** Calls `task` once when `now()` has reached `time`. The returned function cancels it. */
  at(time: Instant, task: () => void): () => void;
}
