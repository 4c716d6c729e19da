import { handleEvent } from '../../../../src/usecases/commands/handle-event.js';
import {
  type EngineInstance,
  type EngineInstanceOptions,
  startEngineInstance,
} from '../../../support/service/engine-instance.js';
import { type FeedProgress, WebhookFeed } from './webhook-feed.js';
import type { CrashScenario } from './crash-scenario.js';
import { RestorableHints, type HintContents, createSweeper } from './crash-sweep.js';
import type { PortInterceptor } from '../../../support/service/port-interceptor.js';
import type { CrashWorld, Frozen } from './crash-world.js';
import { MemoryAccountStore } from '../../../support/memory/memory-model-account.js';
import type { EndState } from './single-issue-fixture.js';
import { MemoryQueueStore, type QueueContents } from '../../../support/memory/memory-queue-store.js';
import { RecordingLog } from '../../../support/recording-log.js';

/**
 * A moment at which the service may die. Whatever is alive elsewhere, in it there is only what outlives a process: GitHub, Redis, and
 * the deliveries GitHub has not seen answered. Going on from it is going on after a kill that let nothing more out.
 */
export interface Moment {
  /** E.g. `before 12 states.swap`. */
  readonly name: string;
  readonly frozen: Frozen;
  readonly queue: QueueContents;
  readonly hints: HintContents;
  readonly accountStore: MemoryAccountStore;
  readonly feed: FeedProgress;
  /** How many agents have been started. */
  readonly runs: number;
}

export type Damage = Pick<EngineInstanceOptions, 'breakEngine' | 'breakHandlers'>;

export interface UndisturbedRun {
  readonly moments: readonly Moment[];
  readonly calls: readonly string[];
  readonly runs: number;
  readonly end: EndState;
}

export interface RecoveredRun {
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
export async function recordUndisturbedRun(world: CrashWorld, scenario: CrashScenario): Promise<UndisturbedRun> {
  const store = new MemoryQueueStore();
  const moments: Moment[] = [];
  const calls: string[] = [];
  const feed = new WebhookFeed(world, scenario);
  const accountStore = new MemoryAccountStore();
  const hints = new RestorableHints(world.clock);
  const life: { instance: EngineInstance | null } = { instance: null };
  const note = async (name: string): Promise<void> => {
    const frozen = await world.freeze();
    const redis = { queue: store.contents(), hints: hints.contents(), accountStore: accountStore.copy() };
    moments.push({ name, frozen, ...redis, feed: feed.progress(), runs: life.instance?.runs() ?? 0 });
  };
  const turn = inTurn();
  const interceptor: PortInterceptor = {
    aroundCall: async (call, task) => {
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
    beforeRequest: () => note(`within ${calls.length} ${calls.at(-1)}`),
  };
  const instance = await startEngineInstance(world, {
    agent: scenario.agent,
    onRun: feed.deliverMeanwhile,
    store,
    accountStore,
    log: new RecordingLog(),
    interceptor,
  });
  life.instance = instance;
  const beforeRound = (): Promise<void> => note(`at rest after ${calls.length}`);
  const sweep = createSweeper(world, instance, { hints, interceptor });
  const look = scenario.isSweptOnly === true ? sweep : (): Promise<void> => touch(world, instance);
  await untilRest(world, instance, { scenario, feed, look, stepMs: scenario.stepMs ?? 1000, beforeRound });
  await instance.end();
  return { moments, calls, runs: instance.runs(), end: await world.end() };
}

/** Goes on from a moment with a new instance, and says what came of it. */
export async function recover(
  world: CrashWorld,
  scenario: CrashScenario,
  moment: Moment,
  { queue, ...damage }: Damage & { readonly queue: 'kept' | 'emptied' },
): Promise<RecoveredRun> {
  await world.thaw(moment.frozen);
  const log = new RecordingLog();
  const isKept = queue === 'kept';
  const store = isKept ? MemoryQueueStore.of(moment.queue) : new MemoryQueueStore();
  const hints = await RestorableHints.of(world.clock, isKept ? moment.hints : []);
  const feed = new WebhookFeed(world, scenario, isKept ? moment.feed : forgetDeliveries(moment.feed));
  const instance = await startEngineInstance(world, {
    agent: scenario.agent,
    onRun: feed.deliverMeanwhile,
    store,
    log,
    ...(isKept ? { accountStore: moment.accountStore.copy() } : {}),
    ...damage,
  });
  try {
    const look = createSweeper(world, instance, { hints });
    const lookFrom = isKept && scenario.isSweptOnly !== true ? ROUNDS_WITHOUT_SWEEP : 0;
    await untilRest(world, instance, { scenario, feed, look, lookFrom });
    const lost = await world.lostSince(moment.frozen);
    return { end: await world.end(), lost, runs: moment.runs + instance.runs(), log };
  } finally {
    await instance.end();
  }
}

interface Rounds {
  readonly scenario: CrashScenario;
  readonly feed: WebhookFeed;
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
  instance: EngineInstance,
  { scenario, feed, look, lookFrom = 0, stepMs = ROUND_MS, beforeRound }: Rounds,
): Promise<void> {
  const rests = (): boolean => scenario.rests?.(world) ?? world.atRest();
  let restful = 0;
  for (let round = 0; round < MANY_ROUNDS; round += 1) {
    await feed.deliver(instance.engine);
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
export async function touch(world: CrashWorld, { engine }: EngineInstance): Promise<void> {
  await handleEvent(engine, { kind: 'touched', ref: world.ref });
}

/** With Redis gone, what GitHub has delivered is gone too, and it does not deliver by itself again. */
export const forgetDeliveries = ({ events }: FeedProgress): FeedProgress => ({ events, delivered: events.length });

/** One at a time: what is kept of a moment is of one moment. */
function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
