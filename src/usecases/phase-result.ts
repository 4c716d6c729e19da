import type { IssueState } from '../domain/state.js';
import type { RefPush } from '../ports/git-host.js';

/** What a phase came to. */
export type PhaseResult =
  | {
      /** The evidence is there; the state says so from the next swap on. */
      readonly kind: 'done';
      readonly next: (state: IssueState) => IssueState;
      readonly because: string;
      readonly costUsd: number;
      readonly alongside?: readonly RefPush[];
    }
  | {
      /** It did not work out; the attempt stays charged, and the next one is told why. Work that was done is kept. */
      readonly kind: 'failed';
      readonly because: string;
      readonly feedback: readonly string[];
      readonly costUsd: number;
      readonly next?: (state: IssueState) => IssueState;
      readonly alongside?: readonly RefPush[];
    }
  /** Only a person can go on. */
  | { readonly kind: 'needs-human'; readonly because: string; readonly costUsd: number }
  /** It never had a chance (quota, provider, stop): the attempt is given back. */
  | { readonly kind: 'never-ran'; readonly because: string; readonly costUsd: number };

export const failed = (
  because: string,
  feedback: readonly string[],
  costUsd = 0,
): Extract<PhaseResult, { kind: 'failed' }> => ({ kind: 'failed', because, feedback, costUsd });
