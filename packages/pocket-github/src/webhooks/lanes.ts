interface Lane<T> {
  readonly waiting: T[];
  underWay: number;
}

/** Work in order per lane, at most `width` pieces of one lane at a time. The work itself must not fail. */
export class Lanes<T> {
  readonly #width: number;
  readonly #work: (item: T) => Promise<void>;
  readonly #lanes = new Map<number, Lane<T>>();
  #waiters: (() => void)[] = [];

  constructor(width: number, work: (item: T) => Promise<void>) {
    this.#width = width;
    this.#work = work;
  }

  add(key: number, item: T): void {
    const lane = this.#lanes.get(key) ?? { waiting: [], underWay: 0 };
    this.#lanes.set(key, lane);
    lane.waiting.push(item);
    this.#advance(key, lane);
  }

  isIdle(): boolean {
    return this.#lanes.size === 0;
  }

  idle(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Forgets what has not begun. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
  }

  #advance(key: number, lane: Lane<T>): void {
    while (lane.underWay < this.#width) {
      const item = lane.waiting.shift();
      if (item === undefined) break;
      lane.underWay += 1;
      void this.#work(item).finally(() => {
        lane.underWay -= 1;
        this.#advance(key, lane);
      });
    }
    if (lane.underWay > 0) return;
    this.#lanes.delete(key);
    if (!this.isIdle()) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}
