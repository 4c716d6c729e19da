import { createExpiringLru } from '../../cache/expiring-lru.js';
import { createLru } from '../../cache/lru.js';
import type { Clock, Instant } from '../../ports/clock.js';
import type { HintStore, RateWindow } from '../../ports/hint-store.js';

/** One entry per issue. An issue whose entry is evicted is read from GitHub alone. */
const MOST_ENTRIES = 20_000;
/** More than there are installations. */
const MOST_COUNTED = 10_000;

/** Hints in one process's memory: used without Redis, and while Redis is away. */
export function createMemoryHintStore(clock: Clock): HintStore {
  const entries = createExpiringLru<string>(clock, MOST_ENTRIES);
  const acts = createLru<readonly Instant[]>(MOST_COUNTED);
  return {
    get: async (key) => entries.get(key) ?? null,
    set: async (key, value, ttlMs) => entries.set(key, value, ttlMs),
    acquire: async (key, owner, ttlMs) => {
      if ((entries.get(key) ?? owner) !== owner) return false;
      entries.set(key, owner, ttlMs);
      return true;
    },
    release: async (key, owner) => {
      if (entries.get(key) === owner) entries.delete(key);
    },
    spend: async (key, count, windows) => {
      const now = clock.now();
      const longest = Math.max(0, ...windows.map(({ ms }) => ms));
      const past = (acts.get(key) ?? []).filter((at) => at > now - longest);
      const until = allowedAt(past, count, windows, now);
      if (until > now) return until;
      acts.set(key, [...past, ...Array.from({ length: count }, () => now)]);
      return null;
    },
  };
}

/** When `count` more acts keep every limit, given the times of past ones, oldest first. A count above a limit is treated as the limit. */
function allowedAt(past: readonly Instant[], count: number, windows: readonly RateWindow[], now: Instant): Instant {
  const moments = windows.map(({ ms, max }) => {
    const within = past.filter((at) => at > now - ms);
    const surplus = within.length + Math.min(count, max) - max;
    return surplus <= 0 ? now : (within[surplus - 1] ?? now) + ms;
  });
  return Math.max(now, ...moments);
}
