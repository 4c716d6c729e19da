import { handleEvent } from '../../src/usecases/handle-event.js';
import { startInstance } from './crash-instance.js';
import { type Moment, type RecoverOptions, ROUND_MS, untilRest } from './crash-scenario.js';
import type { Tap } from './crash-tap.js';
import type { CrashWorld, EndState } from './crash-world.js';
import { MemoryStore } from './memory-store.js';
import { RecordingLog } from './recording-log.js';

const LEASE_IS_OVER_MS = 16 * 60_000;

/**
 * An instance that is not dead but stands still before its n-th call of a kind, as a suspended machine does; another one takes
 * over and ends the work; then the first goes on where it stood. `null` when it never came to such a call.
 */
export async function overtaken(
  world: CrashWorld,
  moment: Moment,
  { call, nth, ...options }: Omit<RecoverOptions, 'queue'> & { readonly call: string; readonly nth: number },
): Promise<EndState | null> {
  await world.thaw(moment.frozen);
  const log = new RecordingLog();
  const still = standStill(call, nth);
  const slow = await startInstance(world, { ...options, store: new MemoryStore(), log, tap: still.tap });
  const first = moment.heard ? ({ kind: 'touched', ref: world.ref } as const) : world.comment;
  const slowly = (async () => {
    await handleEvent(slow.engine, first);
    await untilRest(world, slow, { stepMs: ROUND_MS, sweepFrom: 0 });
  })();
  const came = await Promise.race([still.reached, slowly.then(() => false)]);
  const quick = await startInstance(world, { ...options, store: new MemoryStore(), log });
  try {
    if (!came) return null;
    world.clock.advance(LEASE_IS_OVER_MS);
    await handleEvent(quick.engine, first);
    await untilRest(world, quick, { stepMs: ROUND_MS, sweepFrom: 0 });
    still.goOn();
    await slowly;
    await handleEvent(quick.engine, { kind: 'touched', ref: world.ref });
    await quick.queue.idle();
    return await world.end();
  } finally {
    await slow.end();
    await quick.end();
  }
}

interface StandStill {
  readonly tap: Tap;
  /** True when it stands. */
  readonly reached: Promise<boolean>;
  goOn(): void;
}

/** Lets everything pass up to the n-th call of a kind; from then on nothing, until told. */
function standStill(kind: string, nth: number): StandStill {
  let calls = 0;
  let standing = false;
  let goOn: () => void = () => undefined;
  let tell: (came: true) => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<boolean>((resolve) => (tell = resolve));
  const tap: Tap = {
    around: async (call, task) => {
      if (call === kind) calls += 1;
      if (calls === nth && !standing) {
        standing = true;
        tell(true);
      }
      if (standing) await gate;
      return task();
    },
  };
  return { tap, reached, goOn };
}
