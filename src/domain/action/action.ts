import type { HaltCode } from '../issue/halt-codes.js';
import type { Oid } from '../issue/ids.js';
import type { ShownHead, Silence } from '../state/merge-notes.js';
import type { AgentPhase, Phase } from '../issue/phase.js';
import type { Change } from './change.js';
import type { HoldReason } from '../limits/policy.js';
import type { ReviewDepth } from '../issue/route.js';
import type { FixRequest } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

export type WaitReason =
  /** Nobody asked Sluice to drive this issue. */
  | 'not-driven'
  /** Finished, stopped or given up; only a person starts it again. */
  | 'rest'
  /** A phase run holds the lease. */
  | 'lease'
  /** The owner of the lease has stopped answering. After a minute another instance takes over. */
  | 'takeover'
  | 'checks'
  /** GitHub is still computing whether the pull request can be merged. */
  | 'mergeability'
  /** A person asked for changes and has not taken that back. */
  | 'objection'
  /** The base branch or the repository's configuration requires an approval. */
  | 'approval'
  /** A person has to act on the pull request: merge it, or mark it ready. */
  | 'person'
  /** GitHub refused the merge a moment ago; it is tried again after a pause. */
  | 'merge'
  | 'hold';

/** What a `hold` is about. */
export type HoldTopic =
  | HoldReason
  /** Issues that were requested earlier run first. */
  | 'line'
  /** Sluice itself crashed in this phase, more than once in a row. */
  | 'crashes'
  /** The limit of our open pull requests in the repository is reached. */
  | 'open-pulls'
  /** The issue before it in its batch has not ended or stopped yet. */
  | 'batch';

/** Do nothing until something changes. */
export interface WaitAction {
  readonly kind: 'wait';
  readonly on: WaitReason;
  /** The reason of the hold, where `on` is `hold`. */
  readonly hold?: HoldTopic;
  /** Absent: until an event wakes the issue. */
  readonly until?: Instant;
  readonly because: string;
  /** What a person has to do to end the wait. The text continues “Waiting for”. */
  readonly what?: string;
}

/** A write to GitHub that needs no model. Each can be repeated with the same result. */
export type Effect =
  /** Bring labels, comments, check runs, boxes and the state up to date, in one GraphQL document. */
  | { readonly kind: 'project'; readonly changes: readonly Change[] }
  /** Never combined with other effects, because the next step depends on it. */
  | { readonly kind: 'open-pr'; readonly head: Oid }
  /** Never combined with other effects. Only this head is merged. */
  | { readonly kind: 'merge'; readonly pullId: string; readonly head: Oid }
  /** Write down that the code has to be worked on again, and why. */
  | { readonly kind: 'request-fix'; readonly fix: FixRequest }
  /** Write down which base branch the repository's configuration names. */
  | { readonly kind: 'use-base'; readonly base: string }
  /** Write down that the work goes through a pull request although its size would let it land directly, and why. */
  | { readonly kind: 'use-pull'; readonly why: string }
  /** Write down that work continues at a phase, because a person asked for it. */
  | { readonly kind: 'go-to'; readonly phase: Phase }
  /** Write down since when GitHub has not reported something it usually reports within seconds. */
  | { readonly kind: 'note-silence'; readonly silence: Silence }
  /** Write down when GitHub first showed a head that somebody else pushed. */
  | { readonly kind: 'note-head'; readonly shown: ShownHead }
  /** Write down that the run is over. */
  | { readonly kind: 'finish' };

/** The one next step, as data. */
export type Action =
  | WaitAction
  | {
      readonly kind: 'run';
      readonly phase: AgentPhase;
      readonly depth?: ReviewDepth;
      readonly attempt: number;
      readonly because: string;
    }
  | { readonly kind: 'effect'; readonly effect: Effect; readonly because: string }
  | {
      readonly kind: 'halt';
      readonly state: 'needs-human' | 'failed' | 'paused';
      readonly code: HaltCode;
      readonly because: string;
    };
