import { createMemoryHints } from '../../src/adapters/memory-hints.js';
import type { Clock, Instant } from '../../src/ports/clock.js';
import type { HintStore } from '../../src/ports/hint-store.js';
import { handleEvent } from '../../src/usecases/handle-event.js';
import type { Instance } from './crash-instance.js';
import { type Tap, tapPort } from './crash-tap.js';
import type { CrashWorld } from './crash-world.js';
import { openSweepHouse } from './sweep-house.js';

/** What Redis holds of a sweep, and until when. */
export type HintContents = readonly (readonly [key: string, value: string, until: Instant])[];

/** Hints that a restart finds again. */
export class CrashHints implements HintStore {
  readonly #clock: Clock;
  readonly #hints: HintStore;
  readonly #kept = new Map<string, readonly [value: string, until: Instant]>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#hints = createMemoryHints(clock);
  }

  static async of(clock: Clock, contents: HintContents): Promise<CrashHints> {
    const hints = new CrashHints(clock);
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

  async hold(key: string, owner: string, ttlMs: number): Promise<boolean> {
    const isHeld = await this.#hints.hold(key, owner, ttlMs);
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
export function sweeper(
  world: CrashWorld,
  { engine }: Instance,
  { hints, tap }: { readonly hints?: HintStore; readonly tap?: Tap } = {},
): () => Promise<void> {
  const { sweep } = openSweepHouse(world, {
    ...(tap === undefined ? {} : { survey: tapPort(openSweepHouse(world).survey, 'survey', tap) }),
    ...(hints === undefined ? {} : { hints }),
    instance: engine.instance,
    wake: (ref) => engine.queue.wake(ref),
    heard: (command) => handleEvent(engine, command),
  });
  return () => sweep.pass();
}
