import type { Delivery } from '../../src/ports/inbox.js';

/** Somebody who deals with deliveries and writes them down. */
export class Hearer {
  readonly heard: Delivery[] = [];
  done = 0;
  readonly #watchers = new Set<() => void>();
  #failures: number;
  #held: boolean;

  /** `failures`: so often it fails before it succeeds. `hold`: it stands still until released. */
  constructor({ failures = 0, hold = false }: { readonly failures?: number; readonly hold?: boolean } = {}) {
    this.#failures = failures;
    this.#held = hold;
  }

  readonly deal = async (delivery: Delivery): Promise<void> => {
    this.heard.push(delivery);
    this.#tell();
    await this.#until(() => !this.#held);
    if (this.#failures > 0) {
      this.#failures -= 1;
      throw new Error('boom');
    }
    this.done += 1;
    this.#tell();
  };

  release(): void {
    this.#held = false;
    this.#tell();
  }

  async untilHeard(count: number): Promise<void> {
    await this.#until(() => this.heard.length >= count);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.add(resolve));
  }

  #tell(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const resolve of watchers) resolve();
  }
}
