import { stateOf } from '../state/evidence.js';
import type { Policy } from '../limits/policy.js';
import type { CheckFacts, IssueSnapshot, PullFacts } from '../state/snapshot.js';
import type { Instant } from '../issue/instant.js';

/** Checks that are over within this time are not worth a word. */
const SHORT_MS = 60_000;

export type ChecksVerdict =
  | { readonly kind: 'green' }
  | { readonly kind: 'red'; readonly failed: readonly CheckFacts[] }
  | {
      readonly kind: 'pending';
      readonly waitingFor: string;
      readonly names: readonly string[];
      readonly until: Instant;
    }
  /** Not finished, and not waited for any longer. */
  | { readonly kind: 'overdue'; readonly waitingFor: string };

/** From when on checks could be there, and when they are looked at. */
export interface ChecksTime {
  readonly since: Instant;
  readonly now: Instant;
}

/** Our own check runs are results of ours, not conditions for us. Anybody can name a check like one of them; only we have our App's id. */
const isOurs = ({ appId }: CheckFacts, { identity }: Policy): boolean => appId !== null && appId === identity.appId;

/** Whether work is done to make a check green: the base branch requires it, or the repository's configuration lists it. */
const isWorkedOn = ({ required, name }: CheckFacts, { expectedChecks }: Policy): boolean =>
  required || (expectedChecks ?? []).includes(name);

const foreignChecks = ({ checks }: PullFacts, policy: Policy): readonly CheckFacts[] =>
  checks.filter((check) => !isOurs(check, policy));

/**
 * Since when checks may be expected on the head, by GitHub's clock and our own records: an agent, or whoever pushed, can write any date
 * into a commit. `null`: somebody else pushed it, and it is not written down yet when it was first seen.
 */
export function headSince(snapshot: IssueSnapshot, { head, createdAt }: PullFacts): Instant | null {
  const { progress, shownHead } = stateOf(snapshot);
  if (progress.pushed?.head === head) return Math.max(createdAt, progress.pushed.at);
  return shownHead?.head === head ? Math.max(createdAt, shownHead.at) : null;
}

/**
 * What the checks on the exact head say. Pending beats red only when nothing has failed: a failure will not go away.
 * Silence is not success: without configuration we wait out the dwell before believing there are no checks.
 * Only checks somebody chose can be red here, because red ones cost money: an agent works on them.
 */
export function judgeChecks(pull: PullFacts, policy: Policy, { since, now }: ChecksTime): ChecksVerdict {
  const checks = foreignChecks(pull, policy);
  const failed = checks.filter((check) => check.outcome === 'red' && isWorkedOn(check, policy));
  if (failed.length > 0) return { kind: 'red', failed };
  const missing = (policy.expectedChecks ?? []).filter((name) => !checks.some((check) => check.name === name));
  const waiting = [...missing, ...checks.filter((check) => check.outcome === 'pending').map((check) => check.name)];
  const dwell = since + policy.checksDwellMs;
  if (waiting.length === 0) {
    const silent = policy.expectedChecks === null && checks.length === 0 && now < dwell;
    return silent ? { kind: 'pending', waitingFor: 'checks to appear', names: [], until: dwell } : { kind: 'green' };
  }
  const deadline = since + policy.checksDeadlineMs;
  const waitingFor = waiting.join(', ');
  return now < deadline
    ? { kind: 'pending', waitingFor, names: waiting, until: deadline }
    : { kind: 'overdue', waitingFor };
}

/** Red checks that nobody chose: any App can add one. They hold the merge, and no agent works on them. */
export function otherRedChecks(pull: PullFacts, policy: Policy): readonly CheckFacts[] {
  return foreignChecks(pull, policy).filter((check) => check.outcome === 'red' && !isWorkedOn(check, policy));
}

/**
 * From when on people are told that checks are waited for. Before, one text serves for checks and the review after them, so that quick
 * checks cost no edit of the comment.
 */
export function announceChecksFrom(snapshot: IssueSnapshot, pull: PullFacts, policy: Policy): Instant {
  const since = headSince(snapshot, pull) ?? snapshot.readAt;
  const isSilent = policy.expectedChecks === null && foreignChecks(pull, policy).length === 0;
  return since + SHORT_MS + (isSilent ? policy.checksDwellMs : 0);
}
