import { stateOf } from '../domain/completion.js';
import { formatIssue } from '../domain/ids.js';
import type { IssueState } from '../domain/state.js';
import type { RefPush } from '../ports/git-host.js';
import type { PhaseJob } from '../ports/queue.js';
import { drive, driveFrom, next } from './drive.js';
import type { Engine } from './engine.js';
import { acquire, type HeldLease } from './lease.js';
import { observe } from './observe.js';
import { performPhase } from './perform-phase.js';
import type { PhaseResult } from './phase-result.js';
import type { RunAction } from './phase-runs/workbench.js';

/** Runs one agent phase, if it is still what comes next, and goes on from its result. */
export async function runPhase(engine: Engine, job: PhaseJob, stop: AbortSignal): Promise<void> {
  const seen = await observe(engine, job.ref);
  if (seen === null) return;
  const action = next(engine, seen);
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
  engine.log.info(
    { issue: formatIssue(ref), phase: action.phase, result: result.kind, because: result.because },
    'phase ended',
  );
  const figures = { ms, costUsd: result.costUsd, attempt: action.attempt };
  const swapped = await lease.conclude({
    ...changeOf(stateOf(lease.snapshot()), result),
    phase: action.phase,
    because: result.because,
    figures,
  });
  if (swapped.kind === 'swapped') return driveFrom(engine, swapped.snapshot);
  engine.log.warn({ issue: formatIssue(ref), phase: action.phase, why: swapped.kind }, 'phase result not taken');
  return drive(engine, ref);
}

/** The state after a phase, and the branches that move with it. */
function changeOf(
  before: IssueState,
  result: PhaseResult,
): { readonly next: IssueState; readonly alongside?: readonly RefPush[] } {
  const state = { ...before, spentUsd: before.spentUsd + result.costUsd };
  const { counters } = state;
  switch (result.kind) {
    case 'done': {
      const next = result.next(state);
      return { next: { ...next, feedback: [], counters: { ...next.counters, failures: 0 } }, ...alongsideOf(result) };
    }
    case 'failed':
      return { next: { ...(result.next?.(state) ?? state), feedback: result.feedback }, ...alongsideOf(result) };
    case 'needs-human':
      return { next: { ...state, halt: { state: 'needs-human', code: 'questions-open', because: result.because } } };
    case 'never-ran':
      return {
        next: {
          ...state,
          counters: { ...counters, failures: counters.failures - 1, agentRuns: counters.agentRuns - 1 },
        },
      };
  }
}

const alongsideOf = ({ alongside }: { readonly alongside?: readonly RefPush[] }) =>
  alongside === undefined ? {} : { alongside };
