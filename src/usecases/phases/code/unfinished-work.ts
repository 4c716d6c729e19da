import { formatIssue, type Oid } from '../../../domain/issue/ids.js';
import type { IssueState } from '../../../domain/state/state.js';
import { type Clone, OffLimitsError } from '../../../ports/workspace.js';
import type { PhaseResult } from '../phase-result.js';
import { deliverWork } from './work-branch.js';
import type { PhaseRun } from '../phase-run.js';

/** How long saving the work may take once a run has to end. */
const RESCUE_MS = 20_000;

/** Saves the agent's work from its clone, whatever ended the run. It has its own deadline because the run is over. */
export async function saveUnfinishedWork(
  { engine, snapshot, commits }: PhaseRun,
  clone: Clone,
  extent: 'all' | 'essentials',
): Promise<Oid | null> {
  const { clock, log } = engine;
  const ending = new AbortController();
  const cancel = clock.at(clock.now() + RESCUE_MS, () => ending.abort(new Error('saving the work took too long')));
  try {
    return await clone.collect(`Unfinished work on #${snapshot.ref.number}`, ending.signal, extent);
  } catch (error) {
    // No branch may have it, but its own ref keeps it for people to read.
    if (error instanceof OffLimitsError) commits.push(error.commit);
    log.warn({ issue: formatIssue(snapshot.ref), error: String(error) }, 'unfinished work could not be saved');
    return null;
  } finally {
    cancel();
  }
}

/** Keeps unfinished work on the work branch, where the next run continues. */
export async function keepUnfinishedWork(
  run: PhaseRun,
  result: PhaseResult,
  work: { readonly commit: Oid; readonly start: Oid } | null,
): Promise<PhaseResult> {
  if (work === null) return result;
  const remember = (state: IssueState, wip: Oid): IssueState => ({
    ...state,
    progress: { ...state.progress, wip, ready: null, startsOver: false },
  });
  return deliverWork(run, {
    ...work,
    apart: result,
    remember,
    onBranch: (head) => ({
      ...result,
      next: (state: IssueState): IssueState => remember(result.next?.(state) ?? state, head),
    }),
  });
}
