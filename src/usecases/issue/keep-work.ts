import { currentPhase, stateOf } from '../../domain/state/evidence.js';
import { withUnaskedWork } from '../../domain/state/unasked-work.js';
import { savedWorkRef, formatIssue, type IssueRef, type Oid } from '../../domain/issue/ids.js';
import type { HeldWork } from '../../domain/state/kept-work.js';
import { shortHash } from '../../domain/render/phrases/held-work.js';
import { GitHostError } from '../../ports/git-host.js';
import type { Engine } from '../engine.js';
import { observe } from './observe.js';
import { swapState } from './swap-state.js';

/* What an agent wrote and its phase run could not conclude with: it is paid for, so it goes where the next run finds it. */

/** Whose work it is. */
interface WorkOf {
  readonly ref: IssueRef;
  readonly phaseRun: string;
}

type Keeper = Pick<Engine, 'gitHost' | 'clock' | 'log'>;

/** Before a push that got no answer, or was refused for a moment, is sent again. */
const PAUSES_MS = [15_000, 30_000, 60_000, 120_000, 240_000, 480_000] as const;

/** Pushes work to the ref of its phase run. What GitHub does not take stays on this host. Whether it is on GitHub. */
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
    // Before any waiting: this process may end in between.
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

/** GitHub does not take a commit: it gets a name on this host, and the log says how people get at it. Whether that worked. */
export async function keepHere({ gitHost, log }: Keeper, { ref, phaseRun }: WorkOf, commit: Oid): Promise<boolean> {
  const issue = formatIssue(ref);
  try {
    const { mirror, name } = await gitHost.keep(ref, { name: `${ref.number}-${phaseRun}`, commit });
    const how = `git fetch ${mirror} ${name}`;
    log.warn({ issue, commit, mirror, ref: name, how }, 'GitHub does not take this work: it is kept on this host');
    return true;
  } catch (error) {
    log.error({ issue, commit, error: String(error) }, 'work could not be kept on this host');
    return false;
  }
}

const MAX_TRIES = 5;

/**
 * Notes held work that nobody has been asked about, beside whatever others do with the issue meanwhile: like a wish, it changes nothing
 * of theirs. Whoever decides next asks a person before an agent is paid again.
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
