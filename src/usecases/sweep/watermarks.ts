import { formatRepo, type RepoRef } from '../../domain/issue/ids.js';
import type { Instant } from '../../ports/clock.js';
import type { HintStore } from '../../ports/hint-store.js';
import type { Installation } from '../../ports/scanner.js';

/** How far back the first read of a repository goes. */
const LOOK_BACK_MS = 24 * 3_600_000;
/** The longest time to look back after an outage: older commands are outdated. */
const LONGEST_MS = 7 * 24 * 3_600_000;
/** GitHub may show changes with a delay. */
const OVERLAP_MS = 120_000;

interface Stored {
  /** Everything up to here has been read. */
  readonly upTo: Instant;
  /** Repositories that are further behind. */
  readonly behind: Readonly<Record<string, Instant>>;
}

/** Up to when each repository of an installation has been read. Kept in memory, and as a hint for other instances. */
export class Watermarks {
  readonly #hints: HintStore;
  readonly #key: string;
  readonly #upTo = new Map<string, Instant>();
  #stored: Stored | null = null;

  constructor(hints: HintStore, { id }: Installation) {
    this.#hints = hints;
    this.#key = `sweep ${id}`;
  }

  /** Returns whether our hints are still stored. If not, everything else in Redis is gone, too. */
  async load(): Promise<boolean> {
    const text = await this.#hints.get(this.#key);
    this.#stored = text === null ? null : parseStored(text);
    return this.#stored !== null;
  }

  /** From when on to read a repository. The stored value counts, because another instance may have swept since. */
  since(repo: RepoRef, now: Instant): Instant {
    const name = formatRepo(repo);
    const upTo = this.#stored?.behind[name] ?? this.#stored?.upTo ?? this.#upTo.get(name) ?? now - LOOK_BACK_MS;
    this.#upTo.set(name, Math.min(upTo, now));
    return Math.max(Math.min(upTo, now) - OVERLAP_MS, now - LONGEST_MS);
  }

  reached(repo: RepoRef, at: Instant): void {
    this.#upTo.set(formatRepo(repo), at);
  }

  async save(): Promise<void> {
    if (this.#upTo.size === 0) return;
    const upTo = Math.max(...this.#upTo.values());
    const behind = Object.fromEntries([...this.#upTo].filter(([, at]) => at < upTo));
    await this.#hints.set(this.#key, JSON.stringify({ upTo, behind } satisfies Stored), LONGEST_MS);
  }
}

/** Ignores values that another version wrote. */
function parseStored(text: string): Stored | null {
  try {
    const { upTo, behind } = JSON.parse(text) as Partial<Stored>;
    const times = Object.entries(behind ?? {}).filter(([, at]) => typeof at === 'number');
    return typeof upTo === 'number' ? { upTo, behind: Object.fromEntries(times) } : null;
  } catch {
    return null;
  }
}
