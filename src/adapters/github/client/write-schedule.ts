import type { Instant } from '../../../ports/clock.js';

/** GitHub asks for a second between writes when there are many. */
const SPACING_MS = 1_000;
/** A slot that is not used by then is dropped. */
const KEPT_MS = 60_000;
const MOST_SLOTS = 10_000;

/**
 * Slots for issues with writes while there is no room. Each issue gets a time. Repositories take turns: an issue waits only for those of
 * its own repository, not for all of another one.
 */
export class WriteSchedule {
  readonly #slots = new Map<string, Instant>();
  /** By repository: the last slot, and its number of writes. */
  readonly #last = new Map<string, { readonly at: Instant; readonly writes: number }>();
  readonly #writesTogether: number;

  /** This many writes share a slot, because they are sent in one document. */
  constructor(writesTogether = 1) {
    this.#writesTogether = writesTogether;
  }

  /** The time of an issue's slot; `anytime` when nobody waits. Takes a slot if one is needed. */
  slotFor(
    issue: string,
    { now, isCrowded, earliest }: { readonly now: Instant; readonly isCrowded: boolean; readonly earliest: Instant },
  ): Instant | 'anytime' {
    const has = this.#slots.get(issue);
    if (has !== undefined) return has;
    return isCrowded || this.#isWaitedIn(now) ? this.take(issue, now, earliest) : 'anytime';
  }

  /** Takes the next free slot. */
  take(issue: string, now: Instant, earliest: Instant, writes = 1): Instant {
    this.#forget(now);
    const repo = issue.slice(0, issue.lastIndexOf('#'));
    const before = this.#last.get(repo);
    if (before !== undefined && before.writes + writes <= this.#writesTogether) {
      this.#last.set(repo, { at: before.at, writes: before.writes + writes });
      return before.at;
    }
    const others = [...this.#last.keys()].filter((one) => one !== repo).length;
    const next = before === undefined ? 0 : before.at + SPACING_MS * (1 + others);
    const slot = Math.max(now + SPACING_MS, earliest, next);
    this.#last.set(repo, { at: slot, writes });
    this.#slots.set(issue, slot);
    const [oldest] = this.#slots.keys();
    if (this.#slots.size > MOST_SLOTS && oldest !== undefined) this.leave(oldest);
    return slot;
  }

  /** The time of the last slot. */
  end(): Instant {
    return Math.max(0, ...[...this.#last.values()].map(({ at }) => at));
  }

  leave(issue: string): void {
    this.#slots.delete(issue);
  }

  #isWaitedIn(now: Instant): boolean {
    for (const { at } of this.#last.values()) if (now < at) return true;
    return false;
  }

  #forget(now: Instant): void {
    for (const [repo, { at }] of this.#last) if (at <= now) this.#last.delete(repo);
    for (const [issue, at] of this.#slots) if (at < now - KEPT_MS) this.#slots.delete(issue);
  }
}
