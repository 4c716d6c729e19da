import { nowAndEvery } from '../../concurrency/every.js';
import { isAtRest } from '../../domain/events/run-entry.js';
import type { Hold } from '../../domain/limits/policy.js';
import type { Engine } from '../engine.js';

export interface HeldRunWaker {
  /** Checks once, and wakes the runs that need not wait any more. */
  check(): Promise<void>;
  start(): void;
  stop(): void;
}

/** How soon held runs notice that their hold was lifted. */
const CHECK_MS = 5_000;
/** More than one service has under way; the sweep wakes the rest. */
const MOST_WOKEN = 200;

/**
 * Wakes held runs when a person lifts their hold: the kill switch, or a pause of the account. It does not matter who lifted it or in which
 * process. A pause that ends at a set time needs no wake: each run has its own timer for that.
 */
export function createHeldRunWaker({
  modelAccount,
  events,
  queue,
  clock,
  log,
}: Pick<Engine, 'modelAccount' | 'events' | 'queue' | 'clock' | 'log'>): HeldRunWaker {
  const timer = { stop: (): void => undefined };
  const known: { holds: readonly Hold[] } = { holds: [] };

  const check = async (): Promise<void> => {
    const { holds } = await modelAccount.report();
    const lifted = known.holds.filter((before) => isLifted(before, holds, clock.now()));
    known.holds = holds;
    if (lifted.length === 0) return;
    const waiting = (await events.runs()).filter((run) => !isAtRest(run)).slice(0, MOST_WOKEN);
    log.info({ lifted: lifted.map(({ on }) => on), woken: waiting.length }, 'a hold was lifted');
    for (const { issue } of waiting) await queue.wake(issue);
  };

  const tick = (): Promise<void> =>
    check().catch((error: unknown) => log.warn({ error: String(error) }, 'holds could not be checked'));

  return {
    check,
    start: () => void (timer.stop = nowAndEvery(clock, CHECK_MS, tick).stop),
    stop: () => timer.stop(),
  };
}

const isLifted = (before: Hold, now: readonly Hold[], at: number): boolean =>
  !now.some(({ on }) => on === before.on) && (before.until === null || before.until > at);
