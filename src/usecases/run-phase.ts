import { stateOf } from '../domain/completion.js';
import { formatIssue } from '../domain/ids.js';
import type { AgentOutcome } from '../domain/outcome.js';
import { runSummary } from '../domain/run-record.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { IssueState } from '../domain/state.js';
import type { PhaseJob } from '../ports/queue.js';
import { drive, driveFrom, isServed, next } from './drive.js';
import type { Engine } from './engine.js';
import { hear } from './hear.js';
import { acquire, type HeldLease } from './lease.js';
import { observe } from './observe.js';
import { performPhase } from './perform-phase.js';
import { concluded, spentBy } from './phase-charge.js';
import type { PhaseResult } from './phase-result.js';
import { workPush } from './phase-runs/unfinished.js';
import type { RunAction } from './phase-runs/workbench.js';

/** Runs one agent phase, if it is still what comes next, and goes on from its result. */
export async function runPhase(engine: Engine, job: PhaseJob, stop: AbortSignal): Promise<void> {
  if (!isServed(engine, job.ref)) return;
  const found = await observe(engine, job.ref);
  const seen = found === null ? null : await hear(engine, found);
  if (seen === null) return;
  const action = await next(engine, seen);
  if (action.kind !== 'run' || action.phase !== job.phase) return driveFrom(engine, seen);
  const lease = await acquire(engine, seen, action.phase, action.because);
  if (lease === null) return;
  try {
    const startedAt = engine.clock.now();
    const started = lease.snapshot();
    const outcomes: AgentOutcome[] = [];
    const bench = {
      engine,
      snapshot: started,
      action,
      phaseRun: lease.phaseRun,
      signal: AbortSignal.any([stop, lease.signal]),
      isLeaseLost: () => lease.ended() === 'lost',
      outcomes,
    };
    const result = await performPhase(bench);
    await conclude(engine, lease, { started, action, result, outcomes, ms: engine.clock.now() - startedAt });
  } finally {
    lease.abandon();
  }
}

/** One phase run, over now. */
interface PhaseRun {
  /** What it was about. */
  readonly started: IssueSnapshot;
  readonly action: RunAction;
  readonly result: PhaseResult;
  /** How its agents ended, one after the other. */
  readonly outcomes: readonly AgentOutcome[];
  readonly ms: number;
}

/** The issue was edited while the phase ran: what came of it answers a question nobody asks any more. Work is kept. */
function outdated(snapshot: IssueSnapshot, result: PhaseResult): PhaseResult {
  const { alongside } = result;
  const commit = alongside?.[0]?.to ?? null;
  const because = 'the issue was edited meanwhile';
  if (commit === null) return { kind: 'stopped', because };
  const next = (state: IssueState): IssueState => ({ ...state, progress: { ...state.progress, wip: commit } });
  return { kind: 'stopped', because, next, alongside: [workPush(snapshot, commit)] };
}

async function conclude(engine: Engine, lease: HeldLease, run: PhaseRun): Promise<void> {
  const { started, action, result, outcomes, ms } = run;
  const { ref } = lease.snapshot();
  const { phase, attempt } = action;
  const { because } = result;
  engine.log.info({ issue: formatIssue(ref), phase, result: result.kind, because }, 'phase ended');
  const spent = spentBy(outcomes);
  const record = runSummary(outcomes);
  const figures = { ms, costUsd: spent.costUsd, attempt, ...(record === null ? {} : { record }) };
  const text = stateOf(started).run?.authorised.hash;
  const swapped = await lease.conclude((state) => {
    const counted = state.run?.authorised.hash === text ? result : outdated(lease.snapshot(), result);
    return { ...concluded(state, phase, counted, spent), phase, because: counted.because, what: counted.kind, figures };
  });
  if (swapped.kind === 'swapped') return driveFrom(engine, swapped.snapshot);
  engine.log.warn({ issue: formatIssue(ref), phase, why: swapped.kind }, 'phase result not taken');
  return drive(engine, ref);
}
