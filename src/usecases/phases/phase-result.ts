import type { HaltCode } from '../../domain/issue/halt-codes.js';
import type { Oid } from '../../domain/issue/ids.js';
import type { Handoff } from '../../domain/agent/handoff.js';
import type { IssueState, Progress } from '../../domain/state/state.js';
import type { HeldWork } from '../../domain/state/kept-work.js';
import type { RefPush } from '../../ports/git-host.js';
import type { SwapResult } from '../../ports/state-store.js';

/** Why the branches of a result could not move, while the state is still ours. */
export type Obstacle = Extract<SwapResult, { kind: 'blocked' | 'refused' }>;

/** What every phase run leaves behind, whatever it came to. */
interface PhaseResultBase {
  readonly because: string;
  /** The state as this run changes it, besides the counters. */
  readonly next?: (state: IssueState) => IssueState;
  /** Branches that move with the state. */
  readonly alongside?: readonly RefPush[];
  /** It was decided by a last look at everything: when the state has changed since, it is looked again before anything moves. */
  readonly isConfirmed?: true;
  /** The commit with the work: kept, whatever becomes of the branches. */
  readonly work?: Oid;
  /** Work a person has to be asked about, where this result would ask: whatever is written in its place has to see to that. */
  readonly held?: HeldWork;
  /** What to do when the branches cannot move. Without, the state moves alone and the work is kept on a ref of its own. */
  readonly whenStuck?: (obstacle: Obstacle) => Promise<PhaseResult>;
}

/** What a phase came to. */
export type PhaseResult = PhaseResultBase &
  (
    | {
        /** The evidence is there; the state says so from the next swap on. */
        readonly kind: 'done';
        readonly next: (state: IssueState) => IssueState;
      }
    /** It did not work out; the attempt stays charged, and the next one is told why. Work that was done is kept. */
    | { readonly kind: 'failed'; readonly feedback: readonly string[] }
    /** A share of the work is done and there were no turns left: not a failure, the next run goes on. */
    | { readonly kind: 'partial' }
    /** Only a person can go on. */
    | { readonly kind: 'needs-human'; readonly code: HaltCode }
    /** It never had a chance (quota, provider): the attempt is given back. */
    | { readonly kind: 'never-ran' }
    /** It was told to end: by a person, or because this instance is going down. */
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
