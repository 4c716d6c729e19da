/** Runs tasks in the order they came, a few at a time. */
export class JobQueue {
  readonly #limit: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(task: () => Promise<void>): void {
    this.#waiting.push(task);
    this.#startNext();
  }

  /** Forgets what has not started. */
  clear(): void {
    this.#waiting.length = 0;
  }

  isIdle(): boolean {
    return this.#running.size === 0;
  }

  async idle(): Promise<void> {
    while (!this.isIdle()) await Promise.all(this.#running);
  }

  #startNext(): void {
    const task = this.#running.size < this.#limit ? this.#waiting.shift() : undefined;
    if (task === undefined) return;
    const run: Promise<void> = task().finally(() => {
      this.#running.delete(run);
      this.#startNext();
    });
    this.#running.add(run);
  }
}
