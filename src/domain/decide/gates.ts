import type { Action } from '../action/action.js';
import type { Change } from '../action/change.js';
import type { Hold } from '../limits/policy.js';
import { untrustedStateChanges } from '../render/projection/untrusted-projection.js';
import { isDone, stateOf } from '../state/evidence.js';
import { UNKNOWN_OWNER } from '../state/lease-owner.js';
import { type DecisionInput, haltAction, waitAction } from './decision-input.js';
import { crashPause, waitForOwner } from './lease-wait.js';

/* Gates before the step itself, in the order in which `decide` calls them. Each returns the action to take instead, or `null`. */

/** A state that is not ours, or not the newest of ours, is shown to people and never continued. */
export function untrustedState({ snapshot, policy }: DecisionInput): Action | null {
  const { reading } = snapshot;
  if (reading.kind !== 'unverifiable') return null;
  const because = `the state ref cannot be trusted (${reading.why}); a permitted person's /auto starts afresh`;
  const changes = untrustedStateChanges(snapshot, reading, policy);
  return changes.length > 0
    ? { kind: 'effect', effect: { kind: 'project', changes }, because }
    : waitAction('rest', because);
}

export function notDriven({ snapshot }: DecisionInput): Action | null {
  return stateOf(snapshot).run === null ? waitAction('not-driven', 'nobody asked Sluice to drive this issue') : null;
}

/** The run has ended, and GitHub shows it. */
export function atRest({ snapshot }: DecisionInput, drift: readonly Change[]): Action | null {
  if (drift.length > 0) return null;
  if (isDone(snapshot)) return waitAction('rest', 'landed and verified');
  const { halt } = stateOf(snapshot);
  return halt === null ? null : waitAction('rest', `stopped (${halt.state}): ${halt.because}`);
}

export function leaseHeld({ snapshot, policy, now }: DecisionInput): Action | null {
  return waitForOwner(stateOf(snapshot).lease, policy.owner ?? UNKNOWN_OWNER, now);
}

/** Carries out what a person asked for during a phase, now that no phase runs. */
export function pendingRequest({ snapshot }: DecisionInput): Action | null {
  const { pendingRequest: request, halt: halted } = stateOf(snapshot);
  if (request === null || halted !== null || isDone(snapshot)) return null;
  switch (request.kind) {
    case 'stop':
      return haltAction('paused', 'stopped', request.because);
    case 'pause':
      return haltAction('paused', 'paused', `${request.by} asked to pause`);
    case 'go-to':
      return {
        kind: 'effect',
        effect: { kind: 'go-to', phase: request.phase },
        because: `${request.by} set phase/${request.phase}`,
      };
  }
}

/**
 * Effects that only write the state, and opening the pull request, run before the projection: a phase boundary then costs one document
 * of mutations instead of two.
 */
export function recordFirst({ snapshot }: DecisionInput, step: Action): Action | null {
  if (stateOf(snapshot).halt !== null || isDone(snapshot)) return null;
  if (step.kind === 'halt') return step;
  return step.kind === 'effect' && step.effect.kind !== 'merge' ? step : null;
}

/** Brings GitHub up to date before an agent runs or anything is merged. */
export function projectFirst(drift: readonly Change[]): Action | null {
  if (drift.length === 0) return null;
  const what = [...new Set(drift.map((change) => change.kind))].join(', ');
  return {
    kind: 'effect',
    effect: { kind: 'project', changes: drift },
    because: `GitHub does not show the state yet: ${what}`,
  };
}

/** How soon to check again for a free place. Usually an event reports it earlier. */
export const CROWDED_MS = 10 * 60_000;

export function onHold({ snapshot, policy, now }: DecisionInput): Action | null {
  const { startsAt = 0, batch = null } = stateOf(snapshot).run ?? {};
  if (batch !== null && batch.after !== null) {
    const because = `#${batch.after} comes before it in its batch`;
    return { kind: 'wait', on: 'hold', hold: 'batch', until: now + CROWDED_MS, because };
  }
  if (startsAt > now) {
    const because = 'other issues were asked for first, and only so many may start in an hour';
    return { kind: 'wait', on: 'hold', hold: 'line', until: startsAt, because };
  }
  const pause = crashPause(stateOf(snapshot), policy.owner ?? UNKNOWN_OWNER, now);
  if (pause !== null) return { kind: 'wait', on: 'hold', hold: 'crashes', ...pause };
  const hold = longestHold(policy.holds);
  if (hold === null) return null;
  const { on, until, because } = hold;
  return { kind: 'wait', on: 'hold', hold: on, ...(until === null ? {} : { until }), because };
}

/** The hold that lasts longest: nothing can start before it ends. */
function longestHold(holds: readonly Hold[]): Hold | null {
  const endOf = ({ until }: Hold): number => until ?? Number.POSITIVE_INFINITY;
  return holds.reduce<Hold | null>((last, hold) => (last === null || endOf(hold) > endOf(last) ? hold : last), null);
}
