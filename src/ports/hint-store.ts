import type { Instant } from '../domain/issue/instant.js';

/** At most `max` within any period of `ms`. */
export interface RateWindow {
  readonly ms: number;
  readonly max: number;
}

/** Small facts that the instances of a service share. Each may be lost at any moment, so nothing but speed may depend on them. */
export interface HintStore {
  /** `null` when it was never set, ran out, or was lost. */
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Takes a lock for some time, or extends it. `false`: another owner has it. */
  acquire(key: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Releases the lock, if this owner still has it. */
  release(key: string, owner: string): Promise<void>;
  /** Counts this many acts. If that would exceed a limit, it counts nothing and returns when there is room. */
  spend(key: string, acts: number, windows: readonly RateWindow[]): Promise<Instant | null>;
}
