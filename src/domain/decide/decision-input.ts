import type { Action, WaitReason } from '../action/action.js';
import { findReachedBound } from './bounds.js';
import { stateOf } from '../state/evidence.js';
import type { HaltCode } from '../issue/halt-codes.js';
import type { AgentPhase } from '../issue/phase.js';
import type { Policy } from '../limits/policy.js';
import type { ReviewDepth } from '../issue/route.js';
import type { IssueSnapshot } from '../state/snapshot.js';
import type { FixRequest, Halt } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

/* The input of every part of `decide`, and helpers that build actions. */

/** The facts about an issue, the rules and the time. */
export interface DecisionInput {
  readonly snapshot: IssueSnapshot;
  readonly policy: Policy;
  readonly now: Instant;
}

/** A phase run, unless one of its bounds is reached. */
export function runOrHalt(input: DecisionInput, phase: AgentPhase, because: string, depth?: ReviewDepth): Action {
  const { counters } = stateOf(input.snapshot);
  const bound = findReachedBound(input.snapshot, input.policy, phase);
  if (bound !== null) return { kind: 'halt', ...bound };
  return { kind: 'run', phase, attempt: counters.failures + 1, because, ...(depth === undefined ? {} : { depth }) };
}

export const waitAction = (on: WaitReason, because: string): Action => ({ kind: 'wait', on, because });

export const haltAction = (state: Halt['state'], code: HaltCode, because: string): Action => ({
  kind: 'halt',
  state,
  code,
  because,
});

export const fixAction = (fix: FixRequest, because: string): Action => ({
  kind: 'effect',
  effect: { kind: 'request-fix', fix },
  because,
});
