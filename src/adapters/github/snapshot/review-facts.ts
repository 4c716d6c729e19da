import type { PullFacts, ReviewDecision, ReviewFacts } from '../../../domain/state/snapshot.js';
import { visibleText } from '../../../domain/sanitise/neutralise.js';
import { toActor } from './actor.js';
import type { PullRequestFacts } from './facts.js';

const STATES: Readonly<Record<string, ReviewFacts['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
};

const DECISIONS: Readonly<Record<string, ReviewDecision>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
  REVIEW_REQUIRED: 'required',
};

/** Reviews of a pull request, and the requested reviewers. */
export function reviewsOf(pull: PullRequestFacts): Pick<PullFacts, 'reviews' | 'reviewDecision' | 'reviewers'> {
  const requests = (pull.reviewRequests ?? []).map(({ requestedReviewer }) => requestedReviewer);
  return {
    reviews: (pull.opinions ?? []).flatMap((opinion) => reviewOf(opinion, pull)),
    reviewDecision: DECISIONS[pull.reviewDecision ?? ''] ?? null,
    reviewers: requests.flatMap((asked) => asked?.login ?? asked?.combinedSlug ?? []),
  };
}

type Opinion = NonNullable<PullRequestFacts['opinions']>[number];

/** Counts a review only if a person who may push now submitted it. A dismissed one does not count. */
function reviewOf(opinion: Opinion, { objections }: PullRequestFacts): readonly ReviewFacts[] {
  const { id, body, submittedAt, commit } = opinion;
  const author = toActor(opinion.author);
  const state = STATES[opinion.state];
  if (author?.kind !== 'human' || !opinion.authorCanPushToRepository || state === undefined || submittedAt === null)
    return [];
  const comments = (objections ?? []).find((one) => one.id === id)?.comments ?? [];
  const inline = comments.map(({ path, line, originalLine, body: said }) => ({
    path,
    line: line ?? originalLine,
    body: visibleText(said),
  }));
  return [
    { id, author, state, body: visibleText(body), comments: inline, commit: commit?.oid ?? null, at: submittedAt },
  ];
}
