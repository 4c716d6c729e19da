import { startInstance } from './crash-instance.js';
import { Postman } from './crash-mail.js';
import { type Damage, type Moment, sweep, type Undisturbed, untilRest } from './crash-run.js';
import type { CrashScenario } from './crash-scenario.js';
import type { Tap } from './crash-tap.js';
import type { CrashWorld, EndState } from './crash-world.js';
import { MemoryStore } from './memory-store.js';
import { RecordingLog } from './recording-log.js';

/** Where an instance stands still. */
export interface Stall {
  /** E.g. `before 12 states.swap`. */
  readonly name: string;
  /** What a fresh instance starts from: the last moment before it at which a phase was about to start. */
  readonly from: Moment;
  readonly call: string;
  /** Which call of this kind it is, from there on. */
  readonly nth: number;
}

/** The calls of a run that somebody may be caught before. */
export function stallsOf({ calls, moments }: Undisturbed, caught: (call: string) => boolean): readonly Stall[] {
  return calls.flatMap((call, index) => {
    if (!caught(call)) return [];
    const start = calls.lastIndexOf('queue.startPhase', index);
    const from = start < 0 ? moments[0] : moments.find(({ name }) => name.startsWith(`before ${start + 1} `));
    if (from === undefined) throw new Error(`nothing was kept of call ${start + 1}`);
    const nth = calls.slice(Math.max(start, 0), index + 1).filter((other) => other === call).length;
    return [{ name: `before ${index + 1} ${call}`, from, call, nth }];
  });
}

/** What became of it. */
export interface Overtaken {
  readonly end: EndState;
  /** Whether nothing changed on GitHub when it went on. */
  readonly silent: boolean;
}

/**
 * An instance that is not dead but stands still before a call, as a suspended machine does; another one takes over and ends the
 * work; then the first goes on where it stood.
 */
export async function overtaken(
  { world, scenario }: { readonly world: CrashWorld; readonly scenario: CrashScenario },
  { from, call, nth }: Stall,
  { standsMs, ...damage }: Damage & { readonly standsMs: number },
): Promise<Overtaken> {
  await world.thaw(from.frozen);
  const live = async (tap?: Tap) => {
    const mail = new Postman(world, scenario, from.mail);
    const parts = { scenario, store: new MemoryStore(), log: new RecordingLog(), mail, ...damage };
    const instance = await startInstance(world, { ...parts, ...(tap === undefined ? {} : { tap }) });
    return { instance, work: () => untilRest(world, instance, { scenario, mail }) };
  };
  const still = standStill(call, nth);
  const slow = await live(still.tap);
  const quick = await live();
  try {
    const slowly = slow.work();
    if (!(await Promise.race([still.reached, slowly.then(() => false)])))
      throw new Error(`there was no ${call} number ${nth}`);
    world.clock.advance(standsMs);
    await quick.work();
    const before = await world.freeze();
    still.goOn();
    await slowly;
    const silent = (await world.freeze()).fingerprint === before.fingerprint;
    await sweep(world, quick.instance);
    await quick.instance.queue.idle();
    return { end: await world.end(), silent };
  } finally {
    await slow.instance.end();
    await quick.instance.end();
  }
}

/** An instance whose every call from this one on never settles: whatever else it still does, this is what got out of it. */
export async function outcryOf(
  { world, scenario }: { readonly world: CrashWorld; readonly scenario: CrashScenario },
  { from, call, nth }: Stall,
): Promise<{ readonly requests: number; readonly changed: boolean }> {
  await world.thaw(from.frozen);
  const { tap, reached } = standStill(call, nth);
  const mail = new Postman(world, scenario, from.mail);
  const parts = { scenario, store: new MemoryStore(), log: new RecordingLog(), mail, tap };
  const instance = await startInstance(world, parts);
  const work = untilRest(world, instance, { scenario, mail });
  if (!(await Promise.race([reached, work.then(() => false)]))) throw new Error(`there was no ${call} number ${nth}`);
  const { journal } = world.pocket;
  const [before, seq] = [await world.freeze(), journal.lastSeq()];
  for (let minute = 0; minute < 60; minute += 1) {
    world.clock.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const after = await world.freeze();
  await instance.end();
  return { requests: journal.requests(seq).length, changed: after.fingerprint !== before.fingerprint };
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
