import { type Oid, workBranch } from '../../domain/ids.js';
import type { IssueState } from '../../domain/state.js';
import type { RefPush } from '../../ports/git-host.js';
import type { Clone } from '../../ports/workspace.js';
import type { PhaseResult } from '../phase-result.js';
import type { Workbench } from './workbench.js';

/** How long saving what is there may take once a run was told to end. */
const RESCUE_MS = 20_000;

/** The work branch moves to this commit. */
export const workPush = (snapshot: Workbench['snapshot'], to: Oid): RefPush => ({
  ref: `refs/heads/${workBranch(snapshot.ref.number)}`,
  expected: snapshot.workHead,
  to,
});

/** Takes what an agent left out of its clone, whatever ended it: with a deadline of its own, since its run is over. */
export async function rescue({ engine, snapshot }: Workbench, clone: Clone): Promise<Oid | null> {
  const { clock, log } = engine;
  const ending = new AbortController();
  const cancel = clock.at(clock.now() + RESCUE_MS, () => ending.abort(new Error('saving the work took too long')));
  try {
    return await clone.collect(`Unfinished work on #${snapshot.ref.number}`, ending.signal);
  } catch (error) {
    log.warn({ issue: snapshot.ref, error: String(error) }, 'unfinished work could not be saved');
    return null;
  } finally {
    cancel();
  }
}

/**
 * Unfinished work is kept. Under the lease it goes to the work branch and the next run goes on from it; without, the work branch
 * is somebody else's, and it goes to a ref of its own.
 */
export async function withWork(bench: Workbench, result: PhaseResult, commit: Oid | null): Promise<PhaseResult> {
  const { engine, snapshot, phaseRun } = bench;
  if (commit === null) return result;
  if (bench.isLeaseLost()) {
    const ref = `refs/sluice/wip/${snapshot.ref.number}/${phaseRun}`;
    const pushed = await engine.gitHost.push(snapshot.ref, [{ ref, expected: null, to: commit }]);
    engine.log.warn({ ref, commit, pushed: pushed.kind }, 'the lease was lost; unfinished work is kept apart');
    return result;
  }
  const next = (state: IssueState): IssueState => {
    const before = result.next?.(state) ?? state;
    return { ...before, progress: { ...before.progress, wip: commit } };
  };
  return { ...result, next, alongside: [workPush(snapshot, commit)] };
}
