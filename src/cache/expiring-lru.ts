import type { Clock, Instant } from '../ports/clock.js';
import { createLru } from './lru.js';

/** An `Lru` whose entries also expire, by the injected clock. */
export interface ExpiringLru<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, ttlMs: number): void;
  delete(key: string): void;
}

export function createExpiringLru<Value>(clock: Clock, max: number): ExpiringLru<Value> {
  const entries = createLru<{ readonly value: Value; readonly until: Instant }>(max);
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined || clock.now() < entry.until) return entry?.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, ttlMs) => entries.set(key, { value, until: clock.now() + ttlMs }),
    delete: (key) => entries.delete(key),
  };
}
