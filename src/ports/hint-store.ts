import type { Instant } from '../domain/issue/instant.js';

/** At most `max` within any stretch of `ms`. */
export interface RateWindow {
  readonly ms: number;
  readonly max: number;
}

/** Small facts the instances of a service share. Each may be lost at any moment: they speed things up and spread them out, nothing else. */
export interface HintStore {
  /** `null` when it was never set, ran out, or was lost. */
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Takes a right for a while, or keeps it for another. `false`: somebody else has it. */
  acquire(key: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Gives the right back, if it is still this owner's. */
  release(key: string, owner: string): Promise<void>;
  /** Counts this many acts, unless that would break a limit: then nothing is counted, and the answer is when it would not. */
  spend(key: string, acts: number, windows: readonly RateWindow[]): Promise<Instant | null>;
}
