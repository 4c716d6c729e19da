import type { OwnerLife } from '../../../src/domain/state/lease-owner.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Instant } from '../../../src/domain/issue/instant.js';
import type { Liveness } from '../../../src/ports/liveness.js';

/** Signs of life in memory, shared by all instances that are given it. */
export class MemoryLiveness implements Liveness {
  readonly #clock: Clock;
  readonly #signs = new Map<string, { readonly word: 'here' | 'left'; readonly at: Instant }>();
  #emptied = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async beat(owner: string): Promise<string> {
    this.#signs.set(owner, { word: 'here', at: this.#clock.now() });
    return this.#store();
  }

  async leave(owner: string): Promise<void> {
    this.#signs.set(owner, { word: 'left', at: this.#clock.now() });
  }

  async lifeOf(owner: string, store: string | null): Promise<OwnerLife> {
    const sign = this.#signs.get(owner);
    if (sign === undefined || store !== this.#store()) return { kind: 'unknown' };
    return sign.word === 'left' ? { kind: 'left' } : { kind: 'seen', agoMs: this.#clock.now() - sign.at };
  }

  /** As FLUSHALL does: signs and the store's id are gone. */
  empty(): void {
    this.#signs.clear();
    this.#emptied += 1;
  }

  #store(): string {
    return `memory-${this.#emptied}`;
  }
}
