import type { AgentPhase } from '../domain/phase.js';
import { progressMark } from '../domain/progress-mark.js';
import type { Counters, IssueState } from '../domain/state.js';
import type { RefPush } from '../ports/git-host.js';
import type { PhaseResult } from './phase-result.js';

/** Charged before anything can go wrong, so that a crash costs an attempt and not nothing. */
export function charged({ counters, ...state }: IssueState): IssueState {
  const { agentRuns, failures } = counters;
  return { ...state, counters: { ...counters, agentRuns: agentRuns + 1, failures: failures + 1 } };
}

/** The state after a phase, and the branches that move with it. */
export function concluded(
  before: IssueState,
  phase: AgentPhase,
  result: PhaseResult,
  ms: number,
): { readonly next: IssueState; readonly alongside?: readonly RefPush[] } {
  const counters = { ...before.counters, activeMs: before.counters.activeMs + ms };
  const paid = { ...before, counters, spentUsd: before.spentUsd + result.costUsd };
  const changed = settled(result.next?.(paid) ?? paid, result);
  return {
    next: marked(changed, phase, result),
    ...(result.alongside === undefined ? {} : { alongside: result.alongside }),
  };
}

function settled(state: IssueState, result: PhaseResult): IssueState {
  const { counters } = state;
  const { agentRuns, failures, slices, neverRan } = counters;
  const after = (changed: Partial<Counters>): IssueState => ({ ...state, counters: { ...counters, ...changed } });
  switch (result.kind) {
    case 'done':
      return { ...after({ failures: 0, neverRan: 0 }), feedback: [] };
    case 'failed':
      return { ...after({ neverRan: 0 }), feedback: result.feedback };
    case 'slice':
      return after({ failures: failures - 1, slices: slices + 1, neverRan: 0 });
    case 'needs-human':
      return { ...state, halt: { state: 'needs-human', code: result.code, because: result.because } };
    case 'never-ran':
      return after({ failures: failures - 1, agentRuns: agentRuns - 1, neverRan: neverRan + 1 });
    case 'stopped':
      // Given back whole only if nothing ran.
      return after({ failures: failures - 1, agentRuns: result.costUsd > 0 ? agentRuns : agentRuns - 1 });
  }
}

/** Counts runs that ended where the one before had ended. Runs that had no chance say nothing about progress. */
function marked(state: IssueState, phase: AgentPhase, { kind }: PhaseResult): IssueState {
  if (kind === 'never-ran' || kind === 'stopped') return state;
  const mark = progressMark(state, phase);
  const noProgress = mark === state.mark ? state.counters.noProgress + 1 : 0;
  return { ...state, mark, counters: { ...state.counters, noProgress } };
}
