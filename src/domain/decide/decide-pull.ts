import { shortOid } from '../issue/ids.js';
import type { Action } from '../action/action.js';
import { judgeChecks, headSince, announceChecksFrom } from './checks-verdict.js';
import { isReviewed, reviewOf, stateOf } from '../state/evidence.js';
import { formatFinding, mustFindings } from '../issue/finding.js';
import { findLandingWait } from './landing-wait.js';
import { haltAction, type DecisionInput, fixAction, runOrHalt } from './decision-input.js';
import { objectionFix, openObjections, joinNames } from './objections.js';
import type { ReviewDepth } from '../issue/route.js';
import type { PullFacts } from '../state/snapshot.js';
import { waitForGitHub } from './github-silence.js';

/** How often to check whether a person acted. Usually an event or the sweep reports it earlier. */
const PERSON_MS = 60 * 60_000;

/** Conflicts first, then people's reviews, checks, our review, merge. Each result is useless if an earlier one changes the head. */
export function decidePull(input: DecisionInput, pull: PullFacts, depth: ReviewDepth): Action {
  const { snapshot } = input;
  // Right after a push the pull request may still show the old head, whose checks and reviews no longer matter.
  if (snapshot.workHead !== null && snapshot.workHead !== pull.head)
    return waitForGitHub(input, 'head', snapshot.workHead);
  if (pull.isCut) return waitForGitHub(input, 'mergeability', pull.head);
  if (pull.baseRef !== snapshot.base.ref) {
    const where = pull.state === 'merged' ? 'was merged into' : 'goes to';
    const because = `#${pull.number} ${where} ${pull.baseRef}, and this run works on ${snapshot.base.ref}`;
    return haltAction('needs-human', 'retargeted', because);
  }
  if (pull.mergeable === 'conflict') {
    const { conflictFixes } = stateOf(snapshot).counters;
    if (conflictFixes >= input.policy.maxConflictFixes)
      return haltAction('needs-human', 'conflict-unresolved', `it conflicts again after ${conflictFixes} rounds`);
    return fixAction(
      { source: 'conflict', head: pull.head, items: [`conflicts with ${pull.baseRef}`] },
      'the branch conflicts with its base',
    );
  }
  return (
    answerObjections(input, pull) ??
    waitForChecks(input, pull) ??
    reviewHead(input, pull, depth) ??
    mergeHead(input, pull)
  );
}

/** Requested changes are worked on at once, but each review only once. The reviewer then judges the result. */
function answerObjections({ snapshot, policy }: DecisionInput, pull: PullFacts): Action | null {
  const fix = objectionFix(snapshot, pull);
  if (fix === null) return null;
  const who = joinNames(openObjections(pull).map(({ author }) => author.login));
  const { peopleRounds } = stateOf(snapshot).counters;
  if (peopleRounds >= policy.maxReviewRounds)
    return haltAction(
      'needs-human',
      'objections-unresolved',
      `${who} asked for changes again after ${peopleRounds} rounds`,
    );
  return fixAction(fix, `${who} asked for changes on #${pull.number}`);
}

function waitForChecks({ snapshot, policy, now }: DecisionInput, pull: PullFacts): Action | null {
  const { counters } = stateOf(snapshot);
  const since = headSince(snapshot, pull);
  const checks = judgeChecks(pull, policy, { since: since ?? now, now });
  switch (checks.kind) {
    case 'green':
      return null;
    case 'red': {
      const because = `red on ${shortOid(pull.head)}: ${checks.failed.map(({ name }) => name).join(', ')}`;
      if (counters.checkFixes >= policy.maxCheckFixes) return haltAction('failed', 'checks-red', because);
      const items = checks.failed.map((check) => `${check.name}: ${check.summary}`);
      return fixAction({ source: 'checks', head: pull.head, items }, because);
    }
    case 'overdue':
      return haltAction('needs-human', 'checks-missing', `still waiting for ${checks.waitingFor}`);
    case 'pending': {
      if (since === null) {
        const because = `${shortOid(pull.head)}, which somebody pushed, has no finished checks yet`;
        return { kind: 'effect', effect: { kind: 'note-head', shown: { head: pull.head, at: now } }, because };
      }
      // Wake up in time to announce the wait, if it lasts that long.
      const announcedAt = announceChecksFrom(snapshot, pull, policy);
      const until = now < announcedAt ? Math.min(announcedAt, checks.until) : checks.until;
      return { kind: 'wait', on: 'checks', until, because: `waiting for ${checks.waitingFor}` };
    }
  }
}

function reviewHead(input: DecisionInput, pull: PullFacts, depth: ReviewDepth): Action | null {
  const { snapshot, policy } = input;
  const { counters } = stateOf(snapshot);
  const review = reviewOf(snapshot, pull.head);
  if (review === null) return runOrHalt(input, 'review', `${shortOid(pull.head)} has not been reviewed`, depth);
  if (isReviewed(snapshot, pull.head)) return null;
  const musts = mustFindings(review.findings);
  if (counters.reviewRounds >= policy.maxReviewRounds) {
    const because = `${musts.length} MUST findings after ${counters.reviewRounds} rounds`;
    return haltAction('needs-human', 'review-unresolved', because);
  }
  return fixAction(
    { source: 'review', head: pull.head, items: musts.map(formatFinding) },
    `the review found ${musts.length} MUST`,
  );
}

function mergeHead(input: DecisionInput, pull: PullFacts): Action {
  const { snapshot, policy, now } = input;
  if (snapshot.state === 'closed')
    return haltAction('paused', 'stopped', 'the issue was closed before the work was merged');
  const waits = findLandingWait(snapshot, policy, pull);
  if (waits !== null) return { kind: 'wait', ...waits, until: now + PERSON_MS };
  if (pull.mergeable === 'unknown') return waitForGitHub(input, 'mergeability', pull.head);
  return (
    pauseAfterRefusal(input, pull) ?? {
      kind: 'effect',
      effect: { kind: 'merge', pullId: pull.id, head: pull.head },
      because: `${shortOid(pull.head)} is reviewed and its checks are green`,
    }
  );
}

/** After a refused merge: a pause before the next try, or a halt with GitHub's own words. */
function pauseAfterRefusal({ snapshot, policy, now }: DecisionInput, pull: PullFacts): Action | null {
  const { counters, refusal } = stateOf(snapshot);
  const last = refusal?.head === pull.head ? refusal : null;
  if (counters.mergeTries >= policy.maxMergeTries || (last?.moved ?? 0) >= policy.maxMovedMerges) {
    const why = last?.why ?? pull.mergeState;
    return haltAction(
      'needs-human',
      'merge-refused',
      `GitHub refused to merge ${shortOid(pull.head)} of #${pull.number}: ${why}`,
    );
  }
  if (last === null || last.notBefore <= now) return null;
  const because = `GitHub refused the merge a moment ago (${last.why}), and it is tried again after a pause`;
  return { kind: 'wait', on: 'merge', until: last.notBefore, because };
}
