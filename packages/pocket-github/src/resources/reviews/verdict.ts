import { GitHubError, validationFailed } from '../../world/errors.js';
import type { Pull, ReviewState } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor } from '../../world/world.js';

/** What a reviewer says by submitting. */
export const VERDICTS = ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const STATE_OF: { readonly [V in Verdict]: ReviewState } = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};

const WORDS: { readonly [V in Verdict]: string } = {
  APPROVE: 'approve',
  REQUEST_CHANGES: 'request changes',
  COMMENT: 'comment',
};

/** The form in which GitHub refuses most things about reviews. */
export const unprocessableEntity = (reason: string) =>
  new GitHubError(422, 'Unprocessable Entity', { errors: [reason] });

/** GitHub gives this for a review that is submitted already and for one that says nothing; it does not say which. */
export const couldNot = (verdict: Verdict) => validationFailed(`Could not ${WORDS[verdict]} pull request review.`);

/** Refuses to judge one's own work. An App's pull requests are its bot's own. */
export function refuseOwn(db: Tables, actor: Actor, pull: Pull, verdict: Verdict): void {
  if (verdict === 'COMMENT' || db.issues.must(pull.issueId).authorId !== actor.userId) return;
  const on = verdict === 'APPROVE' ? '' : ' on';
  throw unprocessableEntity(`Can not ${WORDS[verdict]}${on} your own pull request`);
}

/** One may only have one review in the making per pull request, and must finish it before saying anything else. */
export function pendingReviewOf(db: Tables, actor: Actor, pull: Pull) {
  return db.reviews
    .by('pullId', pull.id)
    .find((review) => review.state === 'PENDING' && review.authorId === actor.userId);
}
