import { stateOf } from '../state/evidence.js';
import type { Policy } from '../limits/policy.js';
import type { CheckFacts, IssueSnapshot, PullFacts } from '../state/snapshot.js';
import type { Instant } from '../issue/instant.js';

/** Checks that finish within this time are not announced. */
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
  /** Not finished before the deadline. */
  | { readonly kind: 'overdue'; readonly waitingFor: string };

/** Since when checks can be expected, and the current time. */
export interface ChecksTime {
  readonly since: Instant;
  readonly now: Instant;
}

/** Our own check runs are results, not conditions. They are recognised by our App's id, because anybody can copy a check's name. */
const isOurs = ({ appId }: CheckFacts, { identity }: Policy): boolean => appId !== null && appId === identity.appId;

/** Whether an agent fixes this check when it is red: the base branch requires it, or the repository's configuration lists it. */
const isWorkedOn = ({ required, name }: CheckFacts, { expectedChecks }: Policy): boolean =>
  required || (expectedChecks ?? []).includes(name);

const foreignChecks = ({ checks }: PullFacts, policy: Policy): readonly CheckFacts[] =>
  checks.filter((check) => !isOurs(check, policy));

/**
 * Since when checks can be expected on the head, by GitHub's clock and our own records. The dates in a commit are not used, because its
 * author can set them freely. `null`: somebody else pushed the head, and the state does not yet record when it was first seen.
 */
export function headSince(snapshot: IssueSnapshot, { head, createdAt }: PullFacts): Instant | null {
  const { progress, shownHead } = stateOf(snapshot);
  if (progress.pushed?.head === head) return Math.max(createdAt, progress.pushed.at);
  return shownHead?.head === head ? Math.max(createdAt, shownHead.at) : null;
}

/**
 * The verdict of the checks on exactly this head. A failed check counts even while others are pending, because it will not go away.
 * No checks is not success: without configuration we wait `checksDwellMs` before we conclude that there are none.
 * Only required or configured checks can make the verdict red, because an agent then works on them, which costs money.
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

/** Red checks that are neither required nor configured; any App can add one. They block the merge, but no agent works on them. */
export function otherRedChecks(pull: PullFacts, policy: Policy): readonly CheckFacts[] {
  return foreignChecks(pull, policy).filter((check) => check.outcome === 'red' && !isWorkedOn(check, policy));
}

/**
 * From when on the status comment says that checks are awaited. Before, one text covers both checks and the review, so that quick
 * checks cause no edit of the comment.
 */
export function announceChecksFrom(snapshot: IssueSnapshot, pull: PullFacts, policy: Policy): Instant {
  const since = headSince(snapshot, pull) ?? snapshot.readAt;
  const isSilent = policy.expectedChecks === null && foreignChecks(pull, policy).length === 0;
  return since + SHORT_MS + (isSilent ? policy.checksDwellMs : 0);
}
