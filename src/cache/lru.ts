import { LruMap } from 'toad-cache';

/** Remembers the entries that were used last, up to a number. What falls out has to be found out again. */
export interface Lru<Value> {
  /** Reading an entry counts as using it. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Entries never expire: toad-cache's own expiry follows the machine's clock. See `createExpiringLru`. */
export const createLru = <Value>(max: number): Lru<Value> => new LruMap<Value>(max);
