import type { Size } from '../../src/domain/size.js';
import { handleEvent } from '../../src/usecases/handle-event.js';
import { type Instance, type InstanceOptions, startInstance } from './crash-instance.js';
import type { Tap } from './crash-tap.js';
import type { CrashWorld, EndState, Frozen } from './crash-world.js';
import { MemoryStore, type StoreContents } from './memory-store.js';
import { RecordingLog } from './recording-log.js';

/** A moment at which the service may die. */
export interface Moment {
  /** E.g. `before 12 states.swap`. */
  readonly name: string;
  readonly frozen: Frozen;
  readonly queue: StoreContents;
  /** Whether GitHub got its answer to the comment that started it all; without, it is delivered again. */
  readonly heard: boolean;
}

export type Damage = Pick<InstanceOptions, 'breakEngine' | 'breakHandlers'>;

export interface RecoverOptions extends Damage {
  readonly size: Size;
  readonly queue: 'kept' | 'emptied';
}

export interface Undisturbed {
  readonly moments: readonly Moment[];
  readonly calls: readonly string[];
  readonly end: EndState;
}

const MANY_ROUNDS = 40;
/** Time between two looks of the sweep. */
export const ROUND_MS = 5 * 60_000;

/** Runs the scenario once and keeps the outside world of every moment before and after every call. */
export async function runUndisturbed(world: CrashWorld, size: Size, damage: Damage = {}): Promise<Undisturbed> {
  const store = new MemoryStore();
  const log = new RecordingLog();
  const moments: Moment[] = [];
  const calls: string[] = [];
  const life = { heard: false };
  const note = async (name: string): Promise<void> => {
    moments.push({ name, frozen: await world.freeze(), queue: store.contents(), heard: life.heard });
  };
  const tap = oneAtATime(async (call, task) => {
    const k = calls.push(call);
    await note(`before ${k} ${call}`);
    const result = await task();
    await note(`after ${k} ${call}`);
    return result;
  });
  const instance = await startInstance(world, { size, store, log, tap, ...damage });
  await handleEvent(instance.engine, world.comment);
  life.heard = true;
  await untilRest(world, instance, { stepMs: 1000, sweepFrom: 0, atRest: () => note(`at rest after ${calls.length}`) });
  await instance.end();
  return { moments, calls, end: await world.end() };
}

/** Goes on from a moment with a new instance, and says what came of it. */
export async function recover(
  world: CrashWorld,
  moment: Moment,
  options: RecoverOptions,
): Promise<{ readonly end: EndState; readonly lost: readonly string[]; readonly log: RecordingLog }> {
  const { queue, ...rest } = options;
  await world.thaw(moment.frozen);
  const log = new RecordingLog();
  const store = queue === 'kept' ? MemoryStore.of(moment.queue) : new MemoryStore();
  const instance = await startInstance(world, { ...rest, store, log });
  try {
    if (!moment.heard) await handleEvent(instance.engine, world.comment);
    // Redis that was kept has to be enough for a while; the sweep comes in any case.
    await untilRest(world, instance, { stepMs: ROUND_MS, sweepFrom: queue === 'kept' ? 4 : 0 });
    return { end: await world.end(), lost: await world.lostSince(moment.frozen), log };
  } finally {
    await instance.end();
  }
}

interface Rounds {
  readonly stepMs: number;
  /** The round from which on the sweep looks at the issue. */
  readonly sweepFrom: number;
  readonly atRest?: () => Promise<void>;
}

/** Lets time pass and the sweep look until there is nothing more to do. */
export async function untilRest(world: CrashWorld, { engine, queue }: Instance, rounds: Rounds): Promise<void> {
  for (let round = 0; round < MANY_ROUNDS; round += 1) {
    await queue.idle();
    await rounds.atRest?.();
    await world.pocket.settle();
    if (world.atRest() && round > 0) return;
    if (round > 0) world.clock.advance(rounds.stepMs);
    if (round >= rounds.sweepFrom || world.atRest()) await handleEvent(engine, { kind: 'touched', ref: world.ref });
  }
}

/** One call at a time: what is kept of a moment is of one moment. */
function oneAtATime(around: Tap['around']): Tap {
  let last: Promise<unknown> = Promise.resolve();
  return {
    around: (call, task) => {
      const mine = last.then(() => around(call, task));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
