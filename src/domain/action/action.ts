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
  /** The owner of the lease has stopped answering; others go on in its place when a minute has passed. */
  | 'takeover'
  | 'checks'
  /** GitHub is still computing whether the pull request can be merged. */
  | 'mergeability'
  /** A person asked for changes and has not taken that back. */
  | 'objection'
  /** The base branch or the repository's configuration wants an approval. */
  | 'approval'
  /** A person has to act on the pull request: merge it, or mark it ready. */
  | 'person'
  /** GitHub refused the merge a moment ago; it is tried again after a pause. */
  | 'merge'
  | 'hold';

/** What a `hold` is about. */
export type HoldTopic =
  | HoldReason
  /** Other issues were asked for first. */
  | 'line'
  /** Sluice itself was cut off in this phase, more than once in a row. */
  | 'crashes'
  /** As many pull requests of ours are open in the repository as may be. */
  | 'open-pulls'
  /** The issue before it in its batch has not come to rest. */
  | 'batch';

/** Nothing is done until something has changed. */
export interface WaitAction {
  readonly kind: 'wait';
  readonly on: WaitReason;
  /** What the hold is about, where `on` is one. */
  readonly hold?: HoldTopic;
  /** Absent: until an event says so. */
  readonly until?: Instant;
  readonly because: string;
  /** A person's act that would end it, to be read after “Waiting for”. */
  readonly what?: string;
}

/** A write to GitHub that needs no model. Each converges and may be repeated. */
export type Effect =
  /** Make labels, comments, check runs, boxes and the state say what is true. One document. */
  | { readonly kind: 'project'; readonly changes: readonly Change[] }
  /** Gating, alone. */
  | { readonly kind: 'open-pr'; readonly head: Oid }
  /** Gating, alone, only for this head. */
  | { readonly kind: 'merge'; readonly pullId: string; readonly head: Oid }
  /** Write down that the code has to be worked on again, and why. */
  | { readonly kind: 'request-fix'; readonly fix: FixRequest }
  /** Write down which branch the repository's configuration wants work on. */
  | { readonly kind: 'use-base'; readonly base: string }
  /** Write down that the work goes through a pull request although its size would let it land directly, and why. */
  | { readonly kind: 'use-pull'; readonly why: string }
  /** Write down that work is taken up again at a phase, because a person asked for it. */
  | { readonly kind: 'go-to'; readonly phase: Phase }
  /** Write down since when GitHub has not told something it ought to tell soon. */
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
