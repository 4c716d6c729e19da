import { stateOf } from '../../domain/state/evidence.js';
import { savedWorkRef, formatIssue } from '../../domain/issue/ids.js';
import type { AgentOutcome } from '../../domain/agent/outcome.js';
import { runSummary } from '../../domain/agent/run-summary.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { IssueState } from '../../domain/state/state.js';
import type { PhaseJob } from '../../ports/queue.js';
import { reconcile, reconcileFrom, isServed, decideNext } from '../reconcile/reconcile.js';
import type { Engine } from '../engine.js';
import { applyManualActions } from '../intent/apply-manual-actions.js';
import { saveWork, noteUnasked } from '../issue/keep-work.js';
import { acquireLease, type HeldLease } from './lease.js';
import { takeRecentSnapshot } from '../issue/recent-snapshots.js';
import { observe } from '../issue/observe.js';
import { performPhase } from './perform-phase.js';
import { concludeRun, sumCost } from './phase-charge.js';
import type { Obstacle, PhaseResult } from './phase-result.js';
import type { RunAction, PhaseRun } from './phase-run.js';
import type { StateChange } from '../issue/swap-state.js';

/** Runs one agent phase if it is still the next step, then reconciles. */
export async function runPhase(engine: Engine, job: PhaseJob, stop: AbortSignal): Promise<void> {
  if (!isServed(engine, job.ref)) return;
  const found = takeRecentSnapshot(engine, job.ref, job.phase) ?? (await observe(engine, job.ref));
  const seen = found === null ? null : await applyManualActions(engine, found);
  if (seen === null) return;
  const action = await decideNext(engine, seen);
  if (action.kind !== 'run' || action.phase !== job.phase) return reconcileFrom(engine, seen);
  const lease = await acquireLease(engine, seen, action.phase, action.because);
  if (lease === null) return;
  try {
    const startedAt = engine.clock.now();
    const started = lease.snapshot();
    const outcomes: AgentOutcome[] = [];
    const run: PhaseRun = {
      engine,
      snapshot: started,
      action,
      phaseRun: lease.phaseRun,
      signal: AbortSignal.any([stop, lease.signal]),
      isLeaseLost: () => lease.endReason() === 'lost',
      outcomes,
      commits: [],
    };
    const result = keepCommits(run, await performPhase(run));
    await conclude(run, lease, { started, action, result, outcomes, ms: engine.clock.now() - startedAt });
  } finally {
    lease.abandon();
  }
}

/** A phase run that has ended. */
interface FinishedRun {
  /** The snapshot it started from. */
  readonly started: IssueSnapshot;
  readonly action: RunAction;
  readonly result: PhaseResult;
  /** How its agents ended, in order. */
  readonly outcomes: readonly AgentOutcome[];
  readonly ms: number;
}

/** The issue was edited while the phase ran, so the result is discarded. Work is kept. */
function discardOutdated({ snapshot, phaseRun }: PhaseRun, { alongside = [], work, held }: PhaseResult): PhaseResult {
  const because = 'the issue was edited meanwhile';
  if (work === undefined) return { kind: 'stopped', because };
  const kept = held === undefined ? { wip: work } : { held };
  const next = (state: IssueState): IssueState => ({ ...state, progress: { ...state.progress, ...kept } });
  const landsOnBase = alongside.some(({ ref }) => ref === `refs/heads/${snapshot.base.ref}`);
  const apart = { ref: savedWorkRef(snapshot.ref.number, phaseRun), expected: null, to: work };
  return { kind: 'stopped', because, next, alongside: landsOnBase ? [apart] : alongside };
}

/** Keeps the commits of a run that failed or was stopped, for the next run. */
function keepCommits({ snapshot, phaseRun, commits }: PhaseRun, result: PhaseResult): PhaseResult {
  const commit = commits.at(-1);
  if (commit === undefined || result.work !== undefined) return result;
  const alone: PhaseResult = { ...result, work: commit };
  const apart = { ref: savedWorkRef(snapshot.ref.number, phaseRun), expected: null, to: commit };
  return { ...alone, alongside: [...(result.alongside ?? []), apart], whenStuck: async () => alone };
}

/** How often branches may block a result before the state is written without them. */
const MOST_OBSTACLES = 8;
/** Pause before the next read when GitHub refused a push for longer than a write may wait. */
const LATER_MS = 60_000;

async function conclude(run: PhaseRun, lease: HeldLease, finished: FinishedRun): Promise<void> {
  const { engine, phaseRun } = run;
  const { started, action, outcomes, ms } = finished;
  const { ref } = lease.snapshot();
  const { phase, attempt } = action;
  const spent = sumCost(outcomes);
  const record = runSummary(outcomes);
  const figures = { ms, costUsd: spent.costUsd, attempt, ...(record === null ? {} : { record }) };
  const text = stateOf(started).run?.authorised.hash;
  let { result } = finished;
  for (let obstacles = 0; ; obstacles += 1) {
    const wanted = result;
    engine.log.info({ issue: formatIssue(ref), phase, result: wanted.kind, because: wanted.because }, 'phase ended');
    const change = (state: IssueState): StateChange => {
      const counted = state.run?.authorised.hash === text ? wanted : discardOutdated(run, wanted);
      return {
        ...concludeRun(state, phase, counted, spent),
        phase,
        because: counted.because,
        kind: counted.kind,
        figures,
      };
    };
    const concluding = lease.conclude(change, { isConfirmed: wanted.isConfirmed === true });
    const swapped = await concluding.catch(async (error: unknown) => {
      await keepLost(run, wanted);
      throw error;
    });
    if (swapped.kind === 'swapped') {
      // The work is on no ref yet: branches blocked it, or its ref was refused. The state is written already, so this may take its time.
      if (wanted.work !== undefined && (wanted.alongside ?? []).length === 0)
        await saveWork(engine, { ref, phaseRun }, wanted.work, []);
      if (obstacles === 0 || wanted.kind !== 'never-ran') return reconcileFrom(engine, swapped.snapshot);
      return engine.queue.wakeAt(ref, engine.clock.now() + LATER_MS);
    }
    engine.log.warn({ issue: formatIssue(ref), phase, why: swapped }, 'phase result not written');
    if (swapped.kind === 'lost') {
      await keepLost(run, wanted);
      return reconcile(engine, ref);
    }
    result = await resolveObstacle(wanted, swapped, obstacles);
  }
}

/** The result to write instead when branches cannot move. In the end the state moves alone. */
async function resolveObstacle(result: PhaseResult, obstacle: Obstacle, obstacles: number): Promise<PhaseResult> {
  if (result.whenStuck !== undefined && obstacles < MOST_OBSTACLES) return result.whenStuck(obstacle);
  const { alongside: _, whenStuck: __, ...alone } = result;
  return alone;
}

/** The lease is lost, or nothing can be written: the work goes to its own ref, and people are asked about it. */
async function keepLost({ engine, snapshot, phaseRun }: PhaseRun, { work, held }: PhaseResult): Promise<void> {
  if (work === undefined) return;
  const isKept = await saveWork(engine, { ref: snapshot.ref, phaseRun }, work);
  if (isKept && held !== undefined) await noteUnasked(engine, snapshot.ref, held);
}
