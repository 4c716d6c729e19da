import { LruMap } from 'toad-cache';

/** Keeps the most recently used entries, up to a number. Dropped entries have to be computed again. */
export interface Lru<Value> {
  /** Reading an entry counts as using it. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Entries never expire: toad-cache's own expiry follows the machine's clock. See `createExpiringLru`. */
export const createLru = <Value>(max: number): Lru<Value> => new LruMap<Value>(max);
