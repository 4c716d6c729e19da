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
 * The next step for an issue. Pure: the same facts give the same answer to every caller, such as a webhook, the sweep, a finished job
 * or `sluice explain`.
 */
export function decide(snapshot: IssueSnapshot, policy: Policy, now: Instant): Action {
  const input: DecisionInput = { snapshot, policy, now };
  return untrustedState(input) ?? notDriven(input) ?? decideRun(input);
}

/** The same for an issue with a run. The step and the drift are computed only once. */
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
 * The same for a phase run that is about to land its work, which it may do while this returns `run code`. Its own lease is no
 * reason to wait, and the projection can be updated afterwards.
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
  // Bounds were checked before the phase began. Finished work is not discarded because of them.
  return { kind: 'run', phase: 'code', attempt: counters.failures, because: 'the work has not landed yet' };
}
