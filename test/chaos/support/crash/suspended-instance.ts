import { startEngineInstance } from '../../../support/service/engine-instance.js';
import { type FeedProgress, WebhookFeed } from './webhook-feed.js';
import { type Damage, forgetDeliveries, type Moment, touch, type UndisturbedRun, untilRest } from './crash-run.js';
import type { CrashScenario } from './crash-scenario.js';
import { createSweeper } from './crash-sweep.js';
import type { PortInterceptor } from '../../../support/service/port-interceptor.js';
import type { CrashWorld } from './crash-world.js';
import type { EndState } from './single-issue-fixture.js';
import { MemoryQueueStore } from '../../../support/memory/memory-queue-store.js';
import { RecordingLog } from '../../../support/recording-log.js';

/** Where an instance stands still. */
export interface Suspension {
  /** E.g. `before 12 states.swap`. */
  readonly name: string;
  /** What a fresh instance starts from: the last moment before it at which a phase was about to start. */
  readonly from: Moment;
  readonly call: string;
  /** Which call of this kind it is, from there on. */
  readonly nth: number;
}

/** The calls of a run that somebody may be caught before. */
export function suspensionsOf(
  { calls, moments }: UndisturbedRun,
  caught: (call: string) => boolean,
): readonly Suspension[] {
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
export interface TakeoverOutcome {
  readonly end: EndState;
  /** Whether nothing changed on GitHub when it went on, but for work it kept beside the branch. */
  readonly silent: boolean;
}

/**
 * An instance that is not dead but stands still before a call, as a suspended machine does; another one takes over and ends the
 * work; then the first goes on where it stood.
 */
export async function takeOverAndResume(
  recorded: Scene,
  suspension: Suspension,
  { suspendedMs, ...damage }: Damage & { readonly suspendedMs: number },
): Promise<TakeoverOutcome> {
  const { world } = recorded;
  const still = gateAtCall(suspension);
  await world.thaw(suspension.from.frozen);
  const slow = await startWithOwnRedis(recorded, suspension.from.feed, { ...damage, interceptor: still.interceptor });
  const quick = await startWithOwnRedis(recorded, forgetDeliveries(suspension.from.feed), damage);
  try {
    const slowly = slow.work();
    await still.reached(slowly);
    world.clock.advance(suspendedMs);
    await quick.work();
    const before = await world.freeze();
    still.goOn();
    await slowly;
    const silent = (await world.freeze()).settled === before.settled;
    await touch(world, quick.instance);
    await quick.instance.queue.idle();
    return { end: await world.end(), silent };
  } finally {
    await slow.instance.end();
    await quick.instance.end();
  }
}

/** An instance whose every call from this one on never settles: whatever else it still does, this is what got out of it. */
export async function effectsAfterKill(
  recorded: Scene,
  suspension: Suspension,
): Promise<{ readonly requests: number; readonly changed: boolean }> {
  const { world } = recorded;
  const { journal } = world.pocket;
  const still = gateAtCall(suspension);
  await world.thaw(suspension.from.frozen);
  const { instance, work } = await startWithOwnRedis(recorded, suspension.from.feed, {
    interceptor: still.interceptor,
  });
  await still.reached(work());
  const [before, seq] = [await world.freeze(), journal.lastSeq()];
  for (let minute = 0; minute < 60; minute += 1) {
    world.clock.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const after = await world.freeze();
  await instance.end();
  return { requests: journal.requests(seq).length, changed: after.fingerprint !== before.fingerprint };
}

interface Scene {
  readonly world: CrashWorld;
  readonly scenario: CrashScenario;
}

/** An instance with a Redis of its own. */
async function startWithOwnRedis(
  { world, scenario }: Scene,
  delivered: FeedProgress,
  parts: Damage & { readonly interceptor?: PortInterceptor },
) {
  const feed = new WebhookFeed(world, scenario, delivered);
  const instance = await startEngineInstance(world, {
    agent: scenario.agent,
    onRun: feed.deliverMeanwhile,
    store: new MemoryQueueStore(),
    log: new RecordingLog(),
    ...parts,
  });
  const look = createSweeper(world, instance);
  return { instance, work: () => untilRest(world, instance, { scenario, feed, look }) };
}

interface CallGate {
  readonly interceptor: PortInterceptor;
  /** Resolves when it stands; an error if its work ends before. */
  readonly reached: (work: Promise<void>) => Promise<void>;
  readonly goOn: () => void;
}

/** Lets everything pass up to the n-th call of a kind; from then on nothing, until told. */
function gateAtCall({ call: kind, nth }: Suspension): CallGate {
  let calls = 0;
  let standing = false;
  let goOn: () => void = () => undefined;
  let tell: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const stands = new Promise<void>((resolve) => (tell = resolve));
  const interceptor: PortInterceptor = {
    aroundCall: async (call, task) => {
      if (call === kind) calls += 1;
      if (calls === nth && !standing) {
        standing = true;
        tell();
      }
      if (standing) await gate;
      return task();
    },
  };
  const ended = async (work: Promise<void>): Promise<never> => {
    await work;
    throw new Error(`there was no ${kind} number ${nth}`);
  };
  return { interceptor, reached: (work) => Promise.race([stands, ended(work)]), goOn };
}
