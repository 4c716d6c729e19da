import type { Counters } from '../../domain/state/counters.js';
import { crashesIn } from '../../domain/decide/lease-wait.js';
import type { OwnerLife } from '../../domain/state/lease-owner.js';
import type { AgentOutcome, RunFigures } from '../../domain/agent/outcome.js';
import type { AgentPhase } from '../../domain/issue/phase.js';
import { fingerprintProgress } from '../../domain/state/progress-fingerprint.js';
import type { IssueState } from '../../domain/state/state.js';
import type { RefPush } from '../../ports/git-host.js';
import type { PhaseResult } from './phase-result.js';

/**
 * Counts a run before it begins, so that a crash is not free. Only a run that ended can count as a failure. One whose lease was never
 * released was cut off, and counts as a crash.
 */
export function chargeRun(state: IssueState, phase: AgentPhase, owner: OwnerLife): IssueState {
  const { counters } = state;
  const crashes = crashesIn(state, phase, owner);
  return { ...state, counters: { ...counters, agentRuns: counters.agentRuns + 1, crashes } };
}

/** What the agents of a phase run used, all together. */
export interface RunCost {
  readonly costUsd: number;
  /** Without time spent waiting. */
  readonly activeMs: number;
}

export function sumCost(outcomes: readonly AgentOutcome[]): RunCost {
  const sum = (of: (figures: RunFigures) => number): number =>
    outcomes.reduce((total, { figures }) => total + of(figures), 0);
  return { costUsd: sum(({ costUsd }) => costUsd), activeMs: sum(({ ms, waitedMs }) => Math.max(0, ms - waitedMs)) };
}

/** The state after a phase, and the branches that move with it. */
export function concludeRun(
  before: IssueState,
  phase: AgentPhase,
  result: PhaseResult,
  spent: RunCost,
): { readonly next: IssueState; readonly alongside?: readonly RefPush[] } {
  const counters = { ...before.counters, activeMs: before.counters.activeMs + spent.activeMs };
  const paid = { ...before, counters, spentUsd: before.spentUsd + spent.costUsd };
  const changed = applyResult(result.next?.(paid) ?? paid, result, spent);
  return {
    next: countNoProgress(changed, phase, result),
    ...(result.alongside === undefined ? {} : { alongside: result.alongside }),
  };
}

function applyResult(state: IssueState, result: PhaseResult, { costUsd }: RunCost): IssueState {
  const { counters } = state;
  const { agentRuns, failures, partialRuns, neverRan } = counters;
  const after = (changed: Partial<Counters>): IssueState => ({
    ...state,
    counters: { ...counters, crashes: 0, ...changed },
  });
  switch (result.kind) {
    case 'done':
      return { ...after({ failures: 0, neverRan: 0 }), feedback: [] };
    case 'failed':
      return { ...after({ failures: failures + 1, neverRan: 0 }), feedback: result.feedback };
    case 'partial':
      return after({ partialRuns: partialRuns + 1, neverRan: 0 });
    case 'needs-human':
      return {
        ...after({ neverRan: 0 }),
        halt: { state: 'needs-human', code: result.code, because: result.because },
      };
    case 'never-ran':
      return after({ agentRuns: agentRuns - 1, neverRan: neverRan + 1 });
    case 'stopped':
      // The attempt is given back only if it cost nothing.
      return after({ agentRuns: costUsd > 0 ? agentRuns : agentRuns - 1 });
  }
}

/** Counts runs in a row without progress. Runs that never had a chance do not count. */
function countNoProgress(state: IssueState, phase: AgentPhase, { kind }: PhaseResult): IssueState {
  if (kind === 'never-ran' || kind === 'stopped') return state;
  const progressFingerprint = fingerprintProgress(state, phase);
  const noProgress = progressFingerprint === state.progressFingerprint ? state.counters.noProgress + 1 : 0;
  return { ...state, progressFingerprint, counters: { ...state.counters, noProgress } };
}
