import { currentPhase, stateOf } from '../../domain/state/evidence.js';
import { withUnaskedWork } from '../../domain/state/unasked-work.js';
import { savedWorkRef, formatIssue, type IssueRef, type Oid } from '../../domain/issue/ids.js';
import type { HeldWork } from '../../domain/state/kept-work.js';
import { shortHash } from '../../domain/render/phrases/held-work.js';
import { GitHostError } from '../../ports/git-host.js';
import type { Engine } from '../engine.js';
import { observe } from './observe.js';
import { swapState } from './swap-state.js';

/* Keeps work that a phase run could not conclude with: it is paid for, so the next run should find it. */

/** Whose work it is. */
interface WorkOf {
  readonly ref: IssueRef;
  readonly phaseRun: string;
}

type Keeper = Pick<Engine, 'gitHost' | 'clock' | 'log'>;

/** Pauses before a push without an answer, or with a temporary refusal, is repeated. */
const PAUSES_MS = [15_000, 30_000, 60_000, 120_000, 240_000, 480_000] as const;

/** Pushes work to the ref of its phase run and returns whether it is on GitHub. What GitHub refuses stays on this host. */
export async function saveWork(
  engine: Keeper,
  of: WorkOf,
  commit: Oid,
  pauses: readonly number[] = PAUSES_MS,
): Promise<boolean> {
  const { clock, log } = engine;
  const name = savedWorkRef(of.ref.number, of.phaseRun);
  const about = { issue: formatIssue(of.ref), ref: name, commit };
  for (const [tries, pause] of [...pauses, null].entries()) {
    const pushed = await sent(engine, of, commit);
    if (pushed === 'pushed') {
      log.warn(about, 'work kept apart');
      return true;
    }
    // Done before any waiting, because this process may end meanwhile.
    if (tries === 0) await keepHere(engine, of, commit);
    if (pushed === 'refused' || pause === null) return false;
    log.warn({ ...about, pause }, 'work not kept apart yet');
    await new Promise<void>((resolve) => void clock.at(clock.now() + pause, resolve));
  }
  return false;
}

async function sent({ gitHost }: Keeper, of: WorkOf, commit: Oid): Promise<'pushed' | 'later' | 'refused'> {
  try {
    const ref = savedWorkRef(of.ref.number, of.phaseRun);
    const pushed = await gitHost.push(of.ref, [{ ref, expected: null, to: commit }]);
    if (pushed.kind === 'pushed') return 'pushed';
    return pushed.kind === 'refused' && pushed.isPassing ? 'later' : 'refused';
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error;
    return error.retry === 'transient' ? 'later' : 'refused';
  }
}

/** Names a commit that GitHub refuses on this host, and logs how people can fetch it. Returns whether that worked. */
export async function keepHere({ gitHost, log }: Keeper, { ref, phaseRun }: WorkOf, commit: Oid): Promise<boolean> {
  const issue = formatIssue(ref);
  try {
    const { mirror, name } = await gitHost.keep(ref, { name: `${ref.number}-${phaseRun}`, commit });
    const how = `git fetch ${mirror} ${name}`;
    log.warn({ issue, commit, mirror, ref: name, how }, 'work refused by GitHub: kept on this host');
    return true;
  } catch (error) {
    log.error({ issue, commit, error: String(error) }, 'work could not be kept on this host');
    return false;
  }
}

const MAX_TRIES = 5;

/**
 * Adds held work that no person was asked about to the state, without changing anything else in it. The next decision asks a person before
 * an agent is paid again.
 */
export async function noteUnasked(engine: Engine, ref: IssueRef, held: HeldWork): Promise<void> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const seen = await observe(engine, ref);
    const next = seen?.reading.kind === 'valid' ? withUnaskedWork(stateOf(seen), held) : null;
    if (seen === null || next === null) return;
    const because = `commit ${shortHash(held.commit)} of a run that lost its lease waits for a person`;
    const swapped = await swapState(engine, seen, { next, phase: currentPhase(seen), because });
    if (swapped.kind !== 'lost') return;
  }
}
