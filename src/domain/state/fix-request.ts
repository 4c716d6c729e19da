import { currentPull, landedWorkHead, stateOf } from './evidence.js';
import type { IssueSnapshot } from './snapshot.js';
import type { FixRequest, IssueState } from './state.js';

/** The state after a fix request. Evidence about the failed work no longer counts. */
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
          // A fully landed branch may still exist if a rule prevents its deletion. New work must not start from it.
          startsOver: landedWorkHead(snapshot) !== null,
          supersededPr: currentPull(snapshot)?.number ?? progress.supersededPr,
        },
      };
  }
}

/** More reviews than a pull request can get, because the number of rounds is limited. */
const KEPT_REVIEWS = 100;

const withHandledReviews = (before: readonly string[], { reviews = [] }: FixRequest): readonly string[] =>
  [...before.filter((id) => !reviews.includes(id)), ...reviews].slice(-KEPT_REVIEWS);
