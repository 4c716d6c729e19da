import { shortOid } from '../issue/ids.js';
import { formatCheckNames } from '../render/phrases/check-names.js';
import { otherRedChecks } from './checks-verdict.js';
import { stateOf } from '../state/evidence.js';
import { openObjections, joinNames } from './objections.js';
import type { Policy } from '../limits/policy.js';
import type { IssueSnapshot, PullFacts } from '../state/snapshot.js';

/** Why a reviewed pull request waits for a person. */
export interface LandingWait {
  readonly on: 'objection' | 'approval' | 'person';
  /** Continues “Waiting for”. */
  readonly what: string;
  readonly because: string;
}

/** What a person must do before a reviewed pull request may be merged; `null` when nothing. */
export function findLandingWait(snapshot: IssueSnapshot, policy: Policy, pull: PullFacts): LandingWait | null {
  return (
    objectionWait(snapshot, pull) ??
    draftWait(pull) ??
    redChecksWait(policy, pull) ??
    manualMergeWait(policy, pull) ??
    approvalWait(policy, pull)
  );
}

function objectionWait(snapshot: IssueSnapshot, pull: PullFacts): LandingWait | null {
  const objections = openObjections(pull);
  if (objections.length === 0) return null;
  const who = joinNames(objections.map(({ author }) => author.login));
  const { handledReviews } = stateOf(snapshot).progress;
  const treated = objections.every(({ id }) => handledReviews.includes(id));
  const done = treated ? ', which has been worked on since' : '';
  return {
    on: 'objection',
    what: `${who} to look at #${pull.number} again`,
    because: `${who} asked for changes on #${pull.number}${done}; a new review by ${who}, or dismissing the old one, releases it`,
  };
}

function draftWait({ draft, number }: PullFacts): LandingWait | null {
  if (!draft) return null;
  const what = `somebody to mark #${number} as ready for review`;
  return { on: 'person', what, because: `#${number} was made a draft, and GitHub merges no drafts` };
}

/** No money is spent on checks that nobody required or configured, but nothing is merged while one is red. */
function redChecksWait(policy: Policy, pull: PullFacts): LandingWait | null {
  const red = otherRedChecks(pull, policy);
  if (red.length === 0) return null;
  const { number, baseRef, head } = pull;
  const [names, verb] = [formatCheckNames(red), red.length === 1 ? 'is' : 'are'];
  return {
    on: 'person',
    what: `somebody to see to ${names} on #${number}`,
    because: `${names} ${verb} red on ${shortOid(head)}, and Sluice works only on checks that ${baseRef} requires or that \`checks\` in \`.github/sluice.yml\` lists; it merges once nothing is red, and somebody can merge #${number} by hand`,
  };
}

function manualMergeWait({ merge }: Policy, { number }: PullFacts): LandingWait | null {
  if (merge !== 'never') return null;
  const because = `#${number} is ready, and \`.github/sluice.yml\` says \`merge: never\`: a person merges it`;
  return { on: 'person', what: `somebody to merge #${number}`, because };
}

function approvalWait({ merge }: Policy, pull: PullFacts): LandingWait | null {
  const { number, reviewDecision, reviews, head, baseRef, reviewers } = pull;
  const asked = reviewers.length === 0 ? '' : ` (asked: ${joinNames(reviewers)})`;
  const who = `by somebody with write permission${asked}`;
  const what = `an approval of #${number}`;
  if (reviewDecision === 'required')
    return { on: 'approval', what, because: `${baseRef} wants more approving reviews of #${number} ${who}` };
  if (reviewDecision === 'changes-requested') {
    const because = `GitHub counts a review of #${number} that asks for changes; a new review by its author, or dismissing it, releases it`;
    return { on: 'approval', what, because };
  }
  if (merge !== 'approved' || reviews.some(({ state, commit }) => state === 'approved' && commit === head)) return null;
  const because = `\`.github/sluice.yml\` says \`merge: approved\`, and ${shortOid(head)} has no approving review ${who}`;
  return { on: 'approval', what, because };
}
