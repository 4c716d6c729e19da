import { AsyncResource } from 'node:async_hooks';
import type { Clock, Instant } from '../clock/clock.js';

/** Tasks that GitHub starts by itself at a certain time, without a request. */
export class Alarms {
  readonly #clock: Clock;
  // What runs later must not inherit what the request that set the alarm was holding.
  readonly #scope = new AsyncResource('PocketAlarms');
  readonly #cancels = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #defects: unknown[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(time: Instant, task: () => Promise<void>): void {
    const cancel = this.#clock.at(time, () => {
      this.#cancels.delete(cancel);
      const run: Promise<void> = this.#scope
        .runInAsyncScope(task)
        .catch((error: unknown) => void this.#defects.push(error))
        .finally(() => this.#running.delete(run));
      this.#running.add(run);
    });
    this.#cancels.add(cancel);
  }

  isIdle(): boolean {
    return this.#running.size === 0 && this.#defects.length === 0;
  }

  /** Resolves when all started tasks are done. Rejects if a task failed, because that is a defect of Pocket. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#defects.length > 0) throw new AggregateError(this.#defects.splice(0), 'alarms had defects');
  }

  /** Cancels all tasks that have not started yet. */
  clear(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
