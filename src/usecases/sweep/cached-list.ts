import type { Clock, Instant } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';

/** Lists change seldom, and webhooks report most changes. */
const LIST_MS = 10 * 60_000;

/** Caches a list. When it is old and cannot be read again, the old one stays in use. */
export class CachedList<Entry> {
  readonly #read: () => Promise<readonly Entry[]>;
  readonly #clock: Clock;
  readonly #log: Log;
  #kept: { readonly entries: readonly Entry[]; readonly at: Instant } | null = null;

  constructor(read: () => Promise<readonly Entry[]>, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#read = read;
    this.#clock = clock;
    this.#log = log;
  }

  async all(): Promise<readonly Entry[]> {
    const now = this.#clock.now();
    if (this.#kept !== null && now < this.#kept.at + LIST_MS) return this.#kept.entries;
    try {
      this.#kept = { entries: await this.#read(), at: now };
    } catch (error) {
      if (this.#kept === null) throw error;
      this.#log.warn({ error: String(error) }, 'list not refreshed: old one stays in use');
    }
    return this.#kept.entries;
  }
}
