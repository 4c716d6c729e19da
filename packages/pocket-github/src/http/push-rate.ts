import type { Instant } from '../clock/clock.js';

const MINUTE_MS = 60_000;

/** How often each repository is pushed to, and whether once more is too often. */
export class PushRate {
  readonly #limit: number | null;
  readonly #pushes = new Map<number, { readonly at: Instant; readonly refused: boolean }[]>();

  /** `limit` is the most pushes a minute that one repository takes; `null` is no limit. */
  constructor(limit: number | null) {
    this.#limit = limit;
  }

  /** Counts a push. A push that is refused because of the rate does not count against later ones. */
  count(repositoryId: number, at: Instant): { readonly inLastMinute: number; readonly tooMany: boolean } {
    const recent = (this.#pushes.get(repositoryId) ?? []).filter((push) => push.at > at - MINUTE_MS);
    const taken = recent.filter((push) => !push.refused).length;
    const tooMany = this.#limit !== null && taken >= this.#limit;
    this.#pushes.set(repositoryId, [...recent, { at, refused: tooMany }]);
    return { inLastMinute: recent.length + 1, tooMany };
  }
}
