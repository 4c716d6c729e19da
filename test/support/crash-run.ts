import { handleEvent } from '../../src/usecases/handle-event.js';
import { type Instance, type InstanceOptions, startInstance } from './crash-instance.js';
import { type Mail, Postman } from './crash-mail.js';
import type { CrashScenario } from './crash-scenario.js';
import { CrashHints, type HintContents, sweeper } from './crash-sweep.js';
import type { Tap } from './crash-tap.js';
import type { CrashWorld, Frozen } from './crash-world.js';
import { MemoryBooks } from './memory-account.js';
import type { EndState } from './quay.js';
import { MemoryStore, type StoreContents } from './memory-store.js';
import { RecordingLog } from './recording-log.js';

/**
 * A moment at which the service may die. Whatever is alive elsewhere, in it there is only what outlives a process: GitHub, Redis, and
 * the deliveries GitHub has not seen answered. Going on from it is going on after a kill that let nothing more out.
 */
export interface Moment {
  /** E.g. `before 12 states.swap`. */
  readonly name: string;
  readonly frozen: Frozen;
  readonly queue: StoreContents;
  readonly hints: HintContents;
  readonly books: MemoryBooks;
  readonly mail: Mail;
  /** How many agents have been started. */
  readonly runs: number;
}

export type Damage = Pick<InstanceOptions, 'breakEngine' | 'breakHandlers'>;

export interface Undisturbed {
  readonly moments: readonly Moment[];
  readonly calls: readonly string[];
  readonly runs: number;
  readonly end: EndState;
}

export interface Recovered {
  readonly end: EndState;
  /** Commits that nothing holds any more. */
  readonly lost: readonly string[];
  /** Agents that were started, before and after the crash. */
  readonly runs: number;
  readonly log: RecordingLog;
}

const MANY_ROUNDS = 40;
/** Time between two looks of the sweep. */
const ROUND_MS = 5 * 60_000;
/** Redis that was kept has to be enough for this many rounds; the sweep comes in any case. */
const ROUNDS_WITHOUT_SWEEP = 4;
/** A command whose answer was lost gets it from the sweep, once a webhook has had its chance. */
const LOOKS_AT_REST = 2;

/** Runs the scenario once and keeps the outside world of every moment before and after every call. */
export async function runUndisturbed(world: CrashWorld, scenario: CrashScenario): Promise<Undisturbed> {
  const store = new MemoryStore();
  const moments: Moment[] = [];
  const calls: string[] = [];
  const mail = new Postman(world, scenario);
  const books = new MemoryBooks();
  const hints = new CrashHints(world.clock);
  const life: { instance: Instance | null } = { instance: null };
  const note = async (name: string): Promise<void> => {
    const frozen = await world.freeze();
    const redis = { queue: store.contents(), hints: hints.contents(), books: books.copy() };
    moments.push({ name, frozen, ...redis, mail: mail.mail(), runs: life.instance?.runs() ?? 0 });
  };
  const turn = inTurn();
  const tap: Tap = {
    around: async (call, task) => {
      const k = calls.push(call);
      const [before, after] = [() => note(`before ${k} ${call}`), () => note(`after ${k} ${call}`)];
      // While an agent works others go on, and it calls for things itself.
      if (call === 'agent.run') {
        await turn(before);
        const outcome = await task();
        await turn(after);
        return outcome;
      }
      return turn(async () => {
        await before();
        const result = await task();
        await after();
        return result;
      });
    },
    // One call may send several requests.
    inside: () => note(`within ${calls.length} ${calls.at(-1)}`),
  };
  const instance = await startInstance(world, {
    agent: scenario.agent,
    onRun: mail.deliverMeanwhile,
    store,
    books,
    log: new RecordingLog(),
    tap,
  });
  life.instance = instance;
  const beforeRound = (): Promise<void> => note(`at rest after ${calls.length}`);
  const sweep = sweeper(world, instance, { hints, tap });
  const look = scenario.isSweptOnly === true ? sweep : (): Promise<void> => touch(world, instance);
  await untilRest(world, instance, { scenario, mail, look, stepMs: scenario.stepMs ?? 1000, beforeRound });
  await instance.end();
  return { moments, calls, runs: instance.runs(), end: await world.end() };
}

/** Goes on from a moment with a new instance, and says what came of it. */
export async function recover(
  world: CrashWorld,
  scenario: CrashScenario,
  moment: Moment,
  { queue, ...damage }: Damage & { readonly queue: 'kept' | 'emptied' },
): Promise<Recovered> {
  await world.thaw(moment.frozen);
  const log = new RecordingLog();
  const isKept = queue === 'kept';
  const store = isKept ? MemoryStore.of(moment.queue) : new MemoryStore();
  const hints = await CrashHints.of(world.clock, isKept ? moment.hints : []);
  const mail = new Postman(world, scenario, isKept ? moment.mail : forgotten(moment.mail));
  const instance = await startInstance(world, {
    agent: scenario.agent,
    onRun: mail.deliverMeanwhile,
    store,
    log,
    ...(isKept ? { books: moment.books.copy() } : {}),
    ...damage,
  });
  try {
    const look = sweeper(world, instance, { hints });
    const lookFrom = isKept && scenario.isSweptOnly !== true ? ROUNDS_WITHOUT_SWEEP : 0;
    await untilRest(world, instance, { scenario, mail, look, lookFrom });
    const lost = await world.lostSince(moment.frozen);
    return { end: await world.end(), lost, runs: moment.runs + instance.runs(), log };
  } finally {
    await instance.end();
  }
}

interface Rounds {
  readonly scenario: CrashScenario;
  readonly mail: Postman;
  /** Whoever sees to it that the issue is looked at, each round. */
  readonly look: () => Promise<void>;
  /** The round from which on they do. */
  readonly lookFrom?: number;
  readonly stepMs?: number;
  readonly beforeRound?: () => Promise<void>;
}

/** Lets people speak and time pass until there is nothing more to do. */
export async function untilRest(
  world: CrashWorld,
  instance: Instance,
  { scenario, mail, look, lookFrom = 0, stepMs = ROUND_MS, beforeRound }: Rounds,
): Promise<void> {
  const rests = (): boolean => scenario.rests?.(world) ?? world.atRest();
  let restful = 0;
  for (let round = 0; round < MANY_ROUNDS; round += 1) {
    await mail.deliver(instance.engine);
    await instance.queue.idle();
    await beforeRound?.();
    await world.pocket.settle();
    if (rests() && round > 0) {
      restful += 1;
      if (world.isAnswered() || restful > LOOKS_AT_REST) return;
    }
    if (round > 0) world.clock.advance(stepMs);
    if (round >= lookFrom || rests()) await look();
  }
}

/** What GitHub's webhooks do as long as somebody hears them. */
export async function touch(world: CrashWorld, { engine }: Instance): Promise<void> {
  await handleEvent(engine, { kind: 'touched', ref: world.ref });
}

/** With Redis gone, what GitHub has delivered is gone too, and it does not deliver by itself again. */
export const forgotten = ({ said }: Mail): Mail => ({ said, heard: said.length });

/** One at a time: what is kept of a moment is of one moment. */
function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
