import { createMemoryHintStore } from '../../../../src/adapters/redis/memory-hint-store.js';
import type { Clock, Instant } from '../../../../src/ports/clock.js';
import type { HintStore } from '../../../../src/ports/hint-store.js';
import { handleEvent } from '../../../../src/usecases/commands/handle-event.js';
import type { EngineInstance } from '../../../support/service/engine-instance.js';
import { type PortInterceptor, interceptPort } from '../../../support/service/port-interceptor.js';
import type { CrashWorld } from './crash-world.js';
import { openSweepHarness } from '../../../support/service/sweep-harness.js';

/** What Redis holds of a sweep, and until when. */
export type HintContents = readonly (readonly [key: string, value: string, until: Instant])[];

/** Hints that a restart finds again. */
export class RestorableHints implements HintStore {
  readonly #clock: Clock;
  readonly #hints: HintStore;
  readonly #kept = new Map<string, readonly [value: string, until: Instant]>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#hints = createMemoryHintStore(clock);
  }

  static async of(clock: Clock, contents: HintContents): Promise<RestorableHints> {
    const hints = new RestorableHints(clock);
    for (const [key, value, until] of contents) await hints.set(key, value, until - clock.now());
    return hints;
  }

  contents(): HintContents {
    return [...this.#kept].map(([key, [value, until]]) => [key, value, until]);
  }

  get(key: string): Promise<string | null> {
    return this.#hints.get(key);
  }

  set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#kept.set(key, [value, this.#clock.now() + ttlMs]);
    return this.#hints.set(key, value, ttlMs);
  }

  async acquire(key: string, owner: string, ttlMs: number): Promise<boolean> {
    const isHeld = await this.#hints.acquire(key, owner, ttlMs);
    if (isHeld) this.#kept.set(key, [owner, this.#clock.now() + ttlMs]);
    return isHeld;
  }

  release(key: string, owner: string): Promise<void> {
    this.#kept.delete(key);
    return this.#hints.release(key, owner);
  }

  spend(...given: Parameters<HintStore['spend']>): Promise<Instant | null> {
    return this.#hints.spend(...given);
  }
}

/** The service's own sweep, which knows nothing but what it finds on GitHub and in its hints. */
export function createSweeper(
  world: CrashWorld,
  { engine }: EngineInstance,
  { hints, interceptor }: { readonly hints?: HintStore; readonly interceptor?: PortInterceptor } = {},
): () => Promise<void> {
  const { sweep } = openSweepHarness(world, {
    ...(interceptor === undefined
      ? {}
      : { scanner: interceptPort(openSweepHarness(world).scanner, 'survey', interceptor) }),
    ...(hints === undefined ? {} : { hints }),
    instance: engine.instance,
    wake: (ref) => engine.queue.wake(ref),
    handleCommand: (command) => handleEvent(engine, command),
  });
  return () => sweep.pass();
}
