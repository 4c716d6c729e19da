import { stateOf } from '../domain/completion.js';
import { formatIssue } from '../domain/ids.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { IssueState } from '../domain/state.js';
import type { PhaseJob } from '../ports/queue.js';
import { drive, driveFrom, next } from './drive.js';
import type { Engine } from './engine.js';
import { hear } from './hear.js';
import { acquire, type HeldLease } from './lease.js';
import { observe } from './observe.js';
import { performPhase } from './perform-phase.js';
import { concluded } from './phase-charge.js';
import type { PhaseResult } from './phase-result.js';
import { workPush } from './phase-runs/unfinished.js';
import type { RunAction } from './phase-runs/workbench.js';

/** Runs one agent phase, if it is still what comes next, and goes on from its result. */
export async function runPhase(engine: Engine, job: PhaseJob, stop: AbortSignal): Promise<void> {
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
    const result = await performPhase(engine, lease, action, AbortSignal.any([stop, lease.signal]));
    await conclude(engine, lease, { started, action, result, ms: engine.clock.now() - startedAt });
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
  readonly ms: number;
}

/** The issue was edited while the phase ran: what came of it answers a question nobody asks any more. Work is kept. */
function outdated(snapshot: IssueSnapshot, result: PhaseResult): PhaseResult {
  const { costUsd, alongside } = result;
  const commit = alongside?.[0]?.to ?? null;
  const because = 'the issue was edited meanwhile';
  if (commit === null) return { kind: 'stopped', because, costUsd };
  const next = (state: IssueState): IssueState => ({ ...state, progress: { ...state.progress, wip: commit } });
  return { kind: 'stopped', because, costUsd, next, alongside: [workPush(snapshot, commit)] };
}

async function conclude(engine: Engine, lease: HeldLease, { started, action, result, ms }: PhaseRun): Promise<void> {
  const { ref } = lease.snapshot();
  const { phase, attempt } = action;
  const { because, costUsd } = result;
  engine.log.info({ issue: formatIssue(ref), phase, result: result.kind, because }, 'phase ended');
  const figures = { ms, costUsd, attempt };
  const text = stateOf(started).run?.authorised.hash;
  const swapped = await lease.conclude((state) => {
    const counted = state.run?.authorised.hash === text ? result : outdated(lease.snapshot(), result);
    return { ...concluded(state, phase, counted, ms), phase, because: counted.because, figures };
  });
  if (swapped.kind === 'swapped') return driveFrom(engine, swapped.snapshot);
  engine.log.warn({ issue: formatIssue(ref), phase, why: swapped.kind }, 'phase result not taken');
  return drive(engine, ref);
}
