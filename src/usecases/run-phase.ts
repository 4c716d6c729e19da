import { formatIssue } from '../domain/ids.js';
import type { PhaseJob } from '../ports/queue.js';
import { drive, driveFrom, next } from './drive.js';
import type { Engine } from './engine.js';
import { hear } from './hear.js';
import { acquire, type HeldLease } from './lease.js';
import { observe } from './observe.js';
import { performPhase } from './perform-phase.js';
import { concluded } from './phase-charge.js';
import type { PhaseResult } from './phase-result.js';
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
    const result = await performPhase(engine, lease, action, AbortSignal.any([stop, lease.signal]));
    await conclude(engine, lease, action, result, engine.clock.now() - startedAt);
  } finally {
    lease.abandon();
  }
}

async function conclude(
  engine: Engine,
  lease: HeldLease,
  action: RunAction,
  result: PhaseResult,
  ms: number,
): Promise<void> {
  const { ref } = lease.snapshot();
  const { phase, attempt } = action;
  const { because, costUsd } = result;
  engine.log.info({ issue: formatIssue(ref), phase, result: result.kind, because }, 'phase ended');
  const figures = { ms, costUsd, attempt };
  const swapped = await lease.conclude((state) => ({
    ...concluded(state, phase, result, ms),
    phase,
    because,
    figures,
  }));
  if (swapped.kind === 'swapped') return driveFrom(engine, swapped.snapshot);
  engine.log.warn({ issue: formatIssue(ref), phase, why: swapped.kind }, 'phase result not taken');
  return drive(engine, ref);
}
