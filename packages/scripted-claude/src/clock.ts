/** A moment, in milliseconds since the Unix epoch. */
export type Instant = number;

/** The only source of time. Whatever has these two methods will do. */
export interface Clock {
  now(): Instant;
  /** Calls `task` once when `now()` has reached `time`. The returned function cancels it. */
  at(time: Instant, task: () => void): () => void;
}
