import type { Action } from '../action/action.js';
import { untrustedStateChanges } from '../render/projection/untrusted-projection.js';
import { applyOptionGates } from './option-gates.js';
import { isDone, isPullUnread, currentPhase, stateOf } from '../state/evidence.js';
import { haltAction, type DecisionInput, waitAction } from './decision-input.js';
import { type Policy, stoppingHold } from '../limits/policy.js';
import { projectionChanges } from '../render/projection/projection.js';
import type { IssueSnapshot } from '../state/snapshot.js';
import type { Instant } from '../state/state.js';
import { onHold, leaseHeld, step, recordFirst, pendingRequest } from './next-step.js';

/**
 * The next step for an issue. Pure: the same facts give the same answer, whoever asks: a webhook, the sweep, a finished job
 * or `sluice explain`.
 */
export function decide(snapshot: IssueSnapshot, policy: Policy, now: Instant): Action {
  const input: DecisionInput = { snapshot, policy, now };
  return (
    atRest(input) ??
    leaseHeld(input) ??
    pendingRequest(input) ??
    recordFirst(input) ??
    projectFirst(input) ??
    onHold(input) ??
    step(input)
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
  const before = atRest(input) ?? foreign ?? pendingRequest(input) ?? applyOptionGates(snapshot, policy, phase);
  if (before === null && stopped !== null) return waitAction('hold', stopped.because);
  if (before !== null || phase !== 'code' || isPullUnread(snapshot)) return before ?? step(input);
  // Its bounds were looked at before it began; work that is done is not thrown away for them.
  return { kind: 'run', phase: 'code', attempt: counters.failures, because: 'the work has not landed yet' };
}

/** Reasons to leave the issue alone. */
function atRest({ snapshot, policy }: DecisionInput): Action | null {
  const { reading } = snapshot;
  if (reading.kind === 'unverifiable') {
    const because = `the state ref cannot be trusted (${reading.why}); a permitted person's /auto starts afresh`;
    const changes = untrustedStateChanges(snapshot, reading, policy);
    return changes.length > 0
      ? { kind: 'effect', effect: { kind: 'project', changes }, because }
      : waitAction('rest', because);
  }
  const { run, halt } = stateOf(snapshot);
  if (run === null) return waitAction('not-driven', 'nobody asked Sluice to drive this issue');
  // An end that people cannot see yet is not the end.
  if (projectionChanges(snapshot, policy).length > 0) return null;
  if (isDone(snapshot)) return waitAction('rest', 'landed and verified');
  return halt === null ? null : waitAction('rest', `stopped (${halt.state}): ${halt.because}`);
}

/** Before a model runs or anything is merged, GitHub has to show what has been done. */
function projectFirst({ snapshot, policy }: DecisionInput): Action | null {
  const changes = projectionChanges(snapshot, policy);
  if (changes.length === 0) return null;
  const what = [...new Set(changes.map((change) => change.kind))].join(', ');
  return {
    kind: 'effect',
    effect: { kind: 'project', changes },
    because: `GitHub does not show the state yet: ${what}`,
  };
}
