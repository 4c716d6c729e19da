import type { Clock, Instant } from '../../ports/clock.js';
import type { HintStore, RateWindow } from '../../ports/hint-store.js';

interface Entry {
  readonly value: string;
  readonly until: Instant;
}

/** The hints of one process alone: for one without Redis, and while Redis is away. */
export function createMemoryHintStore(clock: Clock): HintStore {
  const entries = new Map<string, Entry>();
  const acts = new Map<string, readonly Instant[]>();
  const valid = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || clock.now() < entry.until) return entry;
    entries.delete(key);
    return undefined;
  };
  const set = (key: string, value: string, ttlMs: number): void =>
    void entries.set(key, { value, until: clock.now() + ttlMs });
  return {
    get: async (key) => valid(key)?.value ?? null,
    set: async (key, value, ttlMs) => set(key, value, ttlMs),
    acquire: async (key, owner, ttlMs) => {
      if ((valid(key)?.value ?? owner) !== owner) return false;
      set(key, owner, ttlMs);
      return true;
    },
    release: async (key, owner) => {
      if (valid(key)?.value === owner) entries.delete(key);
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

/** When so many more acts keep every limit, given when the past ones were, oldest first. More than a limit allows at all counts as the limit. */
function allowedAt(past: readonly Instant[], count: number, windows: readonly RateWindow[], now: Instant): Instant {
  const moments = windows.map(({ ms, max }) => {
    const within = past.filter((at) => at > now - ms);
    const surplus = within.length + Math.min(count, max) - max;
    return surplus <= 0 ? now : (within[surplus - 1] ?? now) + ms;
  });
  return Math.max(now, ...moments);
}
