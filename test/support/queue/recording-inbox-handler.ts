import type { Delivery } from '../../../src/ports/inbox.js';

/** A handler that records deliveries. */
export class RecordingInboxHandler {
  readonly received: Delivery[] = [];
  done = 0;
  readonly #watchers = new Set<() => void>();
  #failures: number;
  #held: boolean;

  /** `failures`: how often it fails first. `hold`: it waits until released. */
  constructor({ failures = 0, hold = false }: { readonly failures?: number; readonly hold?: boolean } = {}) {
    this.#failures = failures;
    this.#held = hold;
  }

  readonly handle = async (delivery: Delivery): Promise<void> => {
    this.received.push(delivery);
    this.#notify();
    await this.#until(() => !this.#held);
    if (this.#failures > 0) {
      this.#failures -= 1;
      throw new Error('boom');
    }
    this.done += 1;
    this.#notify();
  };

  release(): void {
    this.#held = false;
    this.#notify();
  }

  async untilReceived(count: number): Promise<void> {
    await this.#until(() => this.received.length >= count);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.add(resolve));
  }

  #notify(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const resolve of watchers) resolve();
  }
}
