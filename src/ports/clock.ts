import type { Instant } from '../domain/issue/instant.js';

export type { Instant };

/** The only source of time. Everything that waits, expires or is stamped asks this. */
export interface Clock {
  now(): Instant;
  /**
   * The same, but it never goes back: not when the machine's time is set back, and time asleep counts. For "how long ago", where
   * being wrong lets something out too late; for nothing that is stamped or shown.
   */
  steady(): Instant;
  /** Calls `task` once when `now()` has reached `time`. The returned function cancels it. */
  at(time: Instant, task: () => void): () => void;
}
