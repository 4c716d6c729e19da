import type { Action } from '../action/action.js';
import type { AgentPhase } from '../issue/phase.js';
import { BEAT_MS, GONE_MS, LEASE_MS, type OwnerLife, RENEW_MS } from '../state/lease-owner.js';
import type { IssueState, Lease } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

/** One missed heartbeat is normal. */
const LATE_MS = 2 * BEAT_MS + 5_000;

/** Crashes in one phase after which a person is asked. */
export const MAX_CRASHES = 5;
/** Pauses after the first, second, … crash in one phase, so that a crashing issue does not loop tightly. */
const PAUSES_MS: readonly number[] = [0, 2 * 60_000, 10 * 60_000, 30 * 60_000];

/** The wait for the lease's owner; `null` when the lease is no longer held. */
export function waitForOwner(lease: Lease | null, owner: OwnerLife, now: Instant): Action | null {
  if (lease === null || lease.until <= now) return null;
  const { phase, until } = lease;
  switch (owner.kind) {
    case 'left':
      return null;
    case 'unknown': {
      const because = `${phase} was begun and has not ended; whether its instance still answers cannot be seen from here`;
      return { kind: 'wait', on: 'lease', until, because };
    }
    case 'seen': {
      if (owner.agoMs >= GONE_MS) return null;
      if (owner.agoMs <= LATE_MS) return { kind: 'wait', on: 'lease', until, because: `${phase} is running` };
      const seconds = Math.round(owner.agoMs / 1000);
      const because = `${phase} was running on an instance that has not answered for ${seconds} s; it is taken over unless it answers`;
      return { kind: 'wait', on: 'takeover', until: Math.min(until, now + GONE_MS - owner.agoMs), because };
    }
  }
}

/** Crashes in a row in this phase: those already counted, plus one if a lease was not given back. */
export function crashesIn({ lease, counters }: IssueState, phase: AgentPhase, owner: OwnerLife): number {
  if (lease === null) return counters.crashes;
  if (lease.phase !== phase) return 0;
  return owner.kind === 'left' ? counters.crashes : counters.crashes + 1;
}

/** The pause after a crash, counted from when the next heartbeat of the dead owner was due. */
export function crashPause(
  state: IssueState,
  owner: OwnerLife,
  now: Instant,
): { readonly until: Instant; readonly because: string } | null {
  const { lease } = state;
  if (lease === null || waitForOwner(lease, owner, now) !== null) return null;
  const crashes = crashesIn(state, lease.phase, owner);
  const until = lease.until - LEASE_MS + RENEW_MS + (PAUSES_MS[crashes - 1] ?? 0);
  if (crashes < 2 || crashes >= MAX_CRASHES || until <= now) return null;
  const because = `Sluice itself was cut off ${crashes} times in a row while ${lease.phase} ran, and pauses before it tries again`;
  return { until, because };
}
