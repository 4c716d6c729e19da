import type { Clock, Instant } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';

/** Lists change seldom, and webhooks tell of most changes anyway. */
const LIST_MS = 10 * 60_000;

/** Reads a list again when it is old; while it cannot be read the old one does. */
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
      this.#log.warn({ error: String(error) }, 'a list could not be read again; going on with the old one');
    }
    return this.#kept.entries;
  }
}
