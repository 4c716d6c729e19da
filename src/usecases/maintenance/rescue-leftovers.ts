import { nowAndEvery } from '../../concurrency/every.js';
import { within } from '../../concurrency/within.js';
import { stateOf } from '../../domain/state/evidence.js';
import { savedWorkRef, formatIssue } from '../../domain/issue/ids.js';
import { withLateCost } from '../../domain/state/state-changes.js';
import type { Leftover, Leftovers } from '../../ports/leftovers.js';
import type { RunNote } from '../../ports/run-notes.js';
import { WorkspaceError } from '../../ports/workspace.js';
import type { Engine } from '../engine.js';
import { keepHere } from '../issue/keep-work.js';
import { observe } from '../issue/observe.js';
import { swapState } from '../issue/swap-state.js';

/** How often leftovers are searched for. That reads local folders; GitHub is asked only when there are some. */
const EVERY_MS = 60_000;
/** How long a start waits for the first search; after that the search continues in the background. */
const FIRST_MS = 30_000;
/** How long taking the work out of one clone may take. */
const COLLECT_MS = 60_000;

/** Handles what services left on this host when they died. */
export interface LeftoverRescuer {
  /** Searches now, before anything else begins, and then every minute. */
  start(): Promise<void>;
  stop(): void;
}

export function createLeftoverRescuer(engine: Engine, leftovers: Leftovers): LeftoverRescuer {
  const { clock, log } = engine;
  const timer = { stop: (): void => undefined };
  const look = (): Promise<void> =>
    rescueLeftovers(engine, leftovers).catch((error: unknown) =>
      log.warn({ error: String(error) }, 'leftovers could not be searched'),
    );
  return {
    start: async () => {
      const { first, stop } = nowAndEvery(clock, EVERY_MS, look);
      timer.stop = stop;
      await within(clock, FIRST_MS, first);
    },
    stop: () => timer.stop(),
  };
}

/** Keeps the work in clones of dead services, removes the clones, and counts the cost of their runs. */
export async function rescueLeftovers(engine: Engine, leftovers: Leftovers): Promise<void> {
  const { log, runNotes } = engine;
  const noted = await runNotes.leftovers();
  const later = new Set<string>();
  for (const leftover of await leftovers.find()) {
    const phase = noted.find(({ phaseRun }) => phaseRun === leftover.phaseRun)?.phase;
    await rescueClone(engine, leftover, phase === 'code').catch(async (error: unknown) => {
      log.warn({ issue: formatIssue(leftover.ref), error: String(error) }, 'unfinished work could not be saved yet');
      later.add(leftover.phaseRun);
      await leftover.giveBack();
    });
  }
  // The note says what the clone was for, so it stays as long as the clone.
  for (const note of noted.filter(({ phaseRun }) => !later.has(phaseRun))) {
    await countCost(engine, note).catch((error: unknown) =>
      log.warn({ issue: formatIssue(note.ref), error: String(error) }, 'cost of a cut-off run not counted yet'),
    );
  }
}

/** Only a code phase leaves work to keep; other phases and clones for checks do not. */
async function rescueClone(engine: Engine, leftover: Leftover, isCode: boolean): Promise<void> {
  const commit = isCode && leftover.name === 'work' ? await collectWork(engine, leftover) : null;
  if (commit !== null) {
    const ref = savedWorkRef(leftover.ref.number, leftover.phaseRun);
    const pushed = await engine.gitHost.push(leftover.ref, [{ ref, expected: null, to: commit }]);
    // The clone stays until GitHub takes its work, or refuses it for good and the work is kept on this host.
    if (pushed.kind === 'refused' && pushed.isPassing)
      throw new Error(`GitHub does not take ${ref} now: ${pushed.why}`);
    if (pushed.kind === 'pushed')
      engine.log.warn({ issue: formatIssue(leftover.ref), ref, commit }, 'unfinished work was saved');
    else if (!(await keepHere(engine, leftover, commit)))
      throw new Error(`neither GitHub nor this host takes ${commit}`);
  }
  await leftover.dispose();
}

/** `null` when there is no work, or none that may be taken; another try would not change that. */
async function collectWork({ clock, log }: Engine, { clone, ref }: Leftover): Promise<string | null> {
  const ending = new AbortController();
  const cancel = clock.at(clock.now() + COLLECT_MS, () => ending.abort(new Error('saving the work took too long')));
  try {
    return (await clone?.collect(`Unfinished work on #${ref.number}`, ending.signal)) ?? null;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.warn({ issue: formatIssue(ref), why: error.message }, 'unfinished work cannot be kept');
    return null;
  } finally {
    cancel();
  }
}

/** Adds the cost of a run that was cut off to its issue, once. */
async function countCost(engine: Engine, { ref, phase, phaseRun, costUsd }: RunNote): Promise<void> {
  const seen = costUsd === 0 ? null : await observe(engine, ref);
  if (seen !== null) {
    const state = stateOf(seen);
    // Nobody has taken the issue over yet, so this run may still end in good order.
    if (state.lease?.phaseRun === phaseRun) return;
    const next = withLateCost(state, phaseRun, costUsd);
    const because = `${phase} was cut off; what its agent had used by then is counted`;
    if (next !== null) {
      const swapped = await swapState(engine, seen, { next, phase, because });
      if (swapped.kind !== 'swapped') return;
      // Also settles the day's budget, which releases the amount reserved for this run.
      await engine.modelAccount.recordEnd(phaseRun, ref, { kind: 'lost', costUsd });
    }
  }
  await engine.runNotes.end(phaseRun, true);
}
