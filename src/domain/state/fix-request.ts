import { currentPull, landedWorkHead, stateOf } from './evidence.js';
import type { IssueSnapshot } from './snapshot.js';
import type { FixRequest, IssueState } from './state.js';

/** Code has to be worked on again; what the failed work proved no longer counts. */
export function withFixRequest(snapshot: IssueSnapshot, fix: FixRequest): IssueState {
  const state = stateOf(snapshot);
  const { counters, progress } = state;
  switch (fix.source) {
    case 'review':
      return {
        ...state,
        progress: { ...progress, fix },
        counters: { ...counters, reviewRounds: counters.reviewRounds + 1 },
      };
    case 'people':
      return {
        ...state,
        progress: { ...progress, fix, handledReviews: withHandledReviews(progress.handledReviews, fix) },
        counters: { ...counters, peopleRounds: counters.peopleRounds + 1 },
      };
    case 'conflict':
      return {
        ...state,
        progress: { ...progress, fix },
        counters: { ...counters, conflictFixes: counters.conflictFixes + 1 },
      };
    case 'checks':
    case 'tests':
      return {
        ...state,
        progress: { ...progress, fix },
        counters: { ...counters, checkFixes: counters.checkFixes + 1 },
      };
    case 'verify':
      return {
        ...state,
        counters: {
          ...counters,
          verifyIterations: counters.verifyIterations + 1,
          reviewRounds: 0,
          peopleRounds: 0,
          checkFixes: 0,
          conflictFixes: 0,
          mergeTries: 0,
        },
        progress: {
          ...progress,
          fix,
          pushed: null,
          landed: null,
          review: null,
          ready: null,
          // A branch that has landed whole and that a rule keeps from being deleted is nothing to go on from.
          startsOver: landedWorkHead(snapshot) !== null,
          supersededPr: currentPull(snapshot)?.number ?? progress.supersededPr,
        },
      };
  }
}

/** More reviews than one pull request gets in a bounded number of rounds. */
const KEPT_REVIEWS = 100;

const withHandledReviews = (before: readonly string[], { reviews = [] }: FixRequest): readonly string[] =>
  [...before.filter((id) => !reviews.includes(id)), ...reviews].slice(-KEPT_REVIEWS);
