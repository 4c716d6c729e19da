import type { Action } from './action.js';
import { alarmChanges } from './alarm.js';
import { askedFor } from './asked-for.js';
import { isDone, isPullUnread, placeOf, stateOf } from './completion.js';
import { halt, type Look, wait } from './look.js';
import type { Policy } from './policy.js';
import { projectionChanges } from './projection.js';
import type { IssueSnapshot } from './snapshot.js';
import type { Instant } from './state.js';
import { held, leased, next, noted, wished } from './upcoming.js';

/**
 * The next step for an issue. Pure: the same facts give the same answer, whoever asks: a webhook, the sweep, a finished job
 * or `sluice explain`.
 */
export function decide(snapshot: IssueSnapshot, policy: Policy, now: Instant): Action {
  const look: Look = { snapshot, policy, now };
  return atRest(look) ?? leased(look) ?? wished(look) ?? noted(look) ?? shown(look) ?? held(look) ?? next(look);
}

/**
 * The same for whoever is about to land what a phase run of theirs has made, which is done while this says `run code`: their own lease
 * is no reason to wait, and what GitHub shows can be put right afterwards.
 */
export function decideLanding(snapshot: IssueSnapshot, policy: Policy, now: Instant, phaseRun: string): Action {
  const look: Look = { snapshot, policy, now };
  if (snapshot.state === 'closed') return halt('paused', 'stopped', 'the issue was closed before the work landed');
  const { halt: halted, lease, counters } = stateOf(snapshot);
  if (halted !== null) return wait('rest', `stopped (${halted.state}): ${halted.because}`);
  const foreign = lease?.phaseRun === phaseRun ? null : leased(look);
  const place = placeOf(snapshot);
  const stopped = policy.holds.find(({ on }) => on === 'kill-switch');
  const before = atRest(look) ?? foreign ?? wished(look) ?? askedFor(snapshot, policy, place);
  if (before === null && stopped !== undefined) return wait('hold', stopped.because);
  if (before !== null || place !== 'code' || isPullUnread(snapshot)) return before ?? next(look);
  // Its bounds were looked at before it began; work that is done is not thrown away for them.
  return { kind: 'run', phase: 'code', attempt: counters.failures, because: 'the work has not landed yet' };
}

/** Reasons to leave the issue alone. */
function atRest({ snapshot, policy }: Look): Action | null {
  const { reading } = snapshot;
  if (reading.kind === 'unverifiable') {
    const because = `the state ref cannot be trusted (${reading.why}); a permitted person's /auto starts afresh`;
    const changes = alarmChanges(snapshot, reading, policy);
    return changes.length > 0
      ? { kind: 'effect', effect: { kind: 'project', changes }, because }
      : wait('rest', because);
  }
  const { run, halt } = stateOf(snapshot);
  if (run === null) return wait('not-driven', 'nobody asked Sluice to drive this issue');
  // An end that people cannot see yet is not the end.
  if (projectionChanges(snapshot, policy).length > 0) return null;
  if (isDone(snapshot)) return wait('rest', 'landed and verified');
  return halt === null ? null : wait('rest', `stopped (${halt.state}): ${halt.because}`);
}

/** Before a model runs or anything is merged, GitHub has to show what has been done. */
function shown({ snapshot, policy }: Look): Action | null {
  const changes = projectionChanges(snapshot, policy);
  if (changes.length === 0) return null;
  const what = [...new Set(changes.map((change) => change.kind))].join(', ');
  return {
    kind: 'effect',
    effect: { kind: 'project', changes },
    because: `GitHub does not show the state yet: ${what}`,
  };
}
