import type { Action } from '../action/action.js';
import type { AgentPhase } from '../issue/phase.js';
import { BEAT_MS, GONE_MS, LEASE_MS, type OwnerLife, RENEW_MS } from '../state/lease-owner.js';
import type { IssueState, Lease } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

/** One sign may be late without anybody wondering. */
const LATE_MS = 2 * BEAT_MS + 5_000;

/** Crashes in one phase after which a person is asked. */
export const MAX_CRASHES = 5;
/** How long to wait after the first, second, … crash in one phase, so that what crashes us is not met in a tight loop. */
const PAUSES_MS: readonly number[] = [0, 2 * 60_000, 10 * 60_000, 30 * 60_000];

/** The wait for whoever holds the lease; `null` when nobody does any more. */
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

/** Crashes of ours in this phase, in a row: those that were counted, and the one that a lease nobody gave back tells of. */
export function crashesIn({ lease, counters }: IssueState, phase: AgentPhase, owner: OwnerLife): number {
  if (lease === null) return counters.crashes;
  if (lease.phase !== phase) return 0;
  return owner.kind === 'left' ? counters.crashes : counters.crashes + 1;
}

/** How long to leave the issue alone after a crash. Counted from when the dead owner should have been heard of next. */
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
