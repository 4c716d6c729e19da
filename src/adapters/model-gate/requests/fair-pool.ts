/** The limits of a pool. */
export interface PoolLimits {
  readonly total: number;
  /** What one run may hold. */
  readonly perRun: number;
  /** Half of the total is reserved for runs that hold no more than this, so that a few greedy ones cannot block the rest. */
  readonly share: number;
}

/** One run's gate, as the owner of what it holds. */
export type Owner = object;

interface Waiter {
  readonly owner: Owner;
  readonly amount: number;
  readonly resolve: (isTaken: boolean) => void;
}

/** A resource shared by all runs: connections, or bytes in memory. */
export class FairPool {
  readonly #limits: PoolLimits;
  readonly #held = new Map<Owner, number>();
  #waiters: Waiter[] = [];
  #total = 0;
  #peak = 0;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** Takes the amount if it is available. */
  tryTake(owner: Owner, amount: number): boolean {
    const held = (this.#held.get(owner) ?? 0) + amount;
    const total = this.#total + amount;
    const { perRun, share, total: most } = this.#limits;
    if (held > perRun || total > (held > share ? most / 2 : most)) return false;
    this.#held.set(owner, held);
    this.#total = total;
    this.#peak = Math.max(this.#peak, total);
    return true;
  }

  /**
   * Takes the amount when it is available; `false` when the signal came first. A small request does not wait for a large one that cannot be
   * served yet.
   */
  async take(owner: Owner, amount: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.tryTake(owner, amount)) return true;
    return new Promise((resolve) => {
      const waiter = { owner, amount, resolve };
      this.#waiters.push(waiter);
      signal.addEventListener(
        'abort',
        () => {
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          resolve(false);
        },
        { once: true },
      );
    });
  }

  give(owner: Owner, amount: number): void {
    const held = (this.#held.get(owner) ?? 0) - amount;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    this.#total -= amount;
    this.#waiters = this.#waiters.filter((waiter) => {
      const isTaken = this.tryTake(waiter.owner, waiter.amount);
      if (isTaken) waiter.resolve(true);
      return !isTaken;
    });
  }

  /** The amount held now, and the peak. */
  level(): { readonly now: number; readonly peak: number } {
    return { now: this.#total, peak: this.#peak };
  }
}
