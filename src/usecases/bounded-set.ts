/** Remembers the newest entries; what falls out is found out again. */
export class BoundedSet {
  readonly #entries = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  has(entry: string): boolean {
    return this.#entries.has(entry);
  }

  add(entry: string): void {
    this.#entries.delete(entry);
    this.#entries.add(entry);
    const [oldest] = this.#entries;
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
