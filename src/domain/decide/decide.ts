import type { Action } from '../action/action.js';
import type { Instant } from '../issue/instant.js';
import { type Policy, stoppingHold } from '../limits/policy.js';
import { projectionChanges } from '../render/projection/projection.js';
import { isPullUnread, currentPhase, stateOf } from '../state/evidence.js';
import type { IssueSnapshot } from '../state/snapshot.js';
import { statusFacts } from './activity.js';
import { type DecisionInput, haltAction, waitAction } from './decision-input.js';
import {
  atRest,
  leaseHeld,
  notDriven,
  onHold,
  pendingRequest,
  projectFirst,
  recordFirst,
  untrustedState,
} from './gates.js';
import { findStep, nextStep } from './next-step.js';
import { applyOptionGates } from './option-gates.js';

/**
 * The next step for an issue. Pure: the same facts give the same answer, whoever asks: a webhook, the sweep, a finished job
 * or `sluice explain`.
 */
export function decide(snapshot: IssueSnapshot, policy: Policy, now: Instant): Action {
  const input: DecisionInput = { snapshot, policy, now };
  return untrustedState(input) ?? notDriven(input) ?? decideRun(input);
}

/** The same for an issue somebody asked Sluice to drive. The step, and what GitHub does not show yet, are worked out once. */
function decideRun(input: DecisionInput): Action {
  const step = findStep(input);
  const facts = statusFacts(input, nextStep(input, step));
  const drift = projectionChanges(input.snapshot, input.policy, facts);
  return (
    atRest(input, drift) ??
    leaseHeld(input) ??
    pendingRequest(input) ??
    recordFirst(input, step) ??
    projectFirst(drift) ??
    onHold(input) ??
    step
  );
}

/**
 * The same for whoever is about to land what a phase run of theirs has made, which is done while this says `run code`: their own lease
 * is no reason to wait, and what GitHub shows can be put right afterwards.
 */
export function decideLanding(snapshot: IssueSnapshot, policy: Policy, now: Instant, phaseRun: string): Action {
  const input: DecisionInput = { snapshot, policy, now };
  if (snapshot.state === 'closed')
    return haltAction('paused', 'stopped', 'the issue was closed before the work landed');
  const { halt: halted, lease, counters } = stateOf(snapshot);
  if (halted !== null) return waitAction('rest', `stopped (${halted.state}): ${halted.because}`);
  const foreign = lease?.phaseRun === phaseRun ? null : leaseHeld(input);
  const phase = currentPhase(snapshot);
  const stopped = stoppingHold(policy);
  const before =
    untrustedState(input) ??
    notDriven(input) ??
    foreign ??
    pendingRequest(input) ??
    applyOptionGates(snapshot, policy, phase);
  if (before === null && stopped !== null) return waitAction('hold', stopped.because);
  if (before !== null || phase !== 'code' || isPullUnread(snapshot)) return before ?? findStep(input);
  // Its bounds were looked at before it began; work that is done is not thrown away for them.
  return { kind: 'run', phase: 'code', attempt: counters.failures, because: 'the work has not landed yet' };
}
