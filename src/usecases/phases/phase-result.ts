import type { HaltCode } from '../../domain/issue/halt-codes.js';
import type { Oid } from '../../domain/issue/ids.js';
import type { Handoff } from '../../domain/agent/handoff.js';
import type { IssueState, Progress } from '../../domain/state/state.js';
import type { HeldWork } from '../../domain/state/kept-work.js';
import type { RefPush } from '../../ports/git-host.js';
import type { SwapResult } from '../../ports/state-store.js';

/** Why the branches of a result could not move. The lease is still ours. */
export type Obstacle = Extract<SwapResult, { kind: 'blocked' | 'refused' }>;

/** The part of a result that all kinds share. */
interface PhaseResultBase {
  readonly because: string;
  /** The change of the state, besides the counters. */
  readonly next?: (state: IssueState) => IssueState;
  /** Branches that move with the state. */
  readonly alongside?: readonly RefPush[];
  /** Decided from a final read of everything. If the state has changed since, everything is read again before anything moves. */
  readonly isConfirmed?: true;
  /** The commit with the work. It is kept even if the branches do not move. */
  readonly work?: Oid;
  /** Held work that this result asks a person about. A result written in its place must ask, too. */
  readonly held?: HeldWork;
  /** What to do when the branches cannot move. By default the state moves alone and the work goes to its own ref. */
  readonly whenStuck?: (obstacle: Obstacle) => Promise<PhaseResult>;
}

/** The result of a phase. */
export type PhaseResult = PhaseResultBase &
  (
    | {
        /** The evidence is there; the next swap records it. */
        readonly kind: 'done';
        readonly next: (state: IssueState) => IssueState;
      }
    /** It failed. The attempt stays counted, the next one gets the reasons, and the work is kept. */
    | { readonly kind: 'failed'; readonly feedback: readonly string[] }
    /** Part of the work is done and the turns are used up. Not a failure: the next run continues. */
    | { readonly kind: 'partial' }
    /** Only a person can continue. */
    | { readonly kind: 'needs-human'; readonly code: HaltCode }
    /** It never had a chance (quota, provider): the attempt is given back. */
    | { readonly kind: 'never-ran' }
    /** It had to stop: a person asked, or this instance shuts down. */
    | { readonly kind: 'stopped' }
  );

/** A phase whose evidence is `progress`; the next phase gets the handoff. */
export const doneResult = (
  because: string,
  handoff: Handoff | null,
  progress: Partial<Progress>,
): Extract<PhaseResult, { kind: 'done' }> => ({
  kind: 'done',
  because,
  next: (state) => ({ ...state, handoff, progress: { ...state.progress, ...progress } }),
});

export const failedResult = (
  because: string,
  feedback: readonly string[],
): Extract<PhaseResult, { kind: 'failed' }> => ({
  kind: 'failed',
  because,
  feedback,
});
