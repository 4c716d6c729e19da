import { type Counters, NO_COUNTERS } from './counters.js';
import type { Criterion, CriterionResult } from '../criteria/criterion.js';
import type { Handoff } from '../agent/handoff.js';
import type { HaltCode } from '../issue/halt-codes.js';
import type { GivenSize } from '../issue/given-size.js';
import type { TransitionKind } from './transition-kind.js';
import type { Instant } from '../issue/instant.js';
import type { Oid } from '../issue/ids.js';
import type { MergeRefusal, ShownHead, Silence } from './merge-notes.js';
import type { RunOptions } from '../issue/options.js';
import type { AgentPhase, Phase } from '../issue/phase.js';
import type { PullId } from '../issue/pull-id.js';
import type { Overruling, ReviewRecord } from './review-record.js';
import type { RunSummary } from '../agent/run-summary.js';
import type { Size } from '../issue/size.js';
import type { HeldWork, ReadyWork } from './kept-work.js';

/** Who is at work on an issue, and until when the others keep away. */
export interface Lease {
  /** A service instance. */
  readonly owner: string;
  readonly phase: AgentPhase;
  /** One phase run: names its clone, its nonce and its WIP ref. */
  readonly phaseRun: string;
  readonly until: Instant;
  /** The store its owner leaves signs of life in, as it was when the lease was taken; `null` when there was none. */
  readonly store: string | null;
}

/** Stands for an account where there is none on GitHub: whoever holds the API's token speaks for the service. */
export const NOBODY = 0;

/** One drive of an issue, from `/auto` to rest. */
export interface RunRecord {
  readonly id: string;
  readonly startedAt: Instant;
  /** When it was asked for; what was said from then on is about this run, even if it was heard before the run began. */
  readonly askedAt: Instant;
  readonly by: { readonly id: number; readonly login: string };
  readonly options: RunOptions;
  /** Title and body as they stood when a permitted person vouched for them. Prompts use these, never later edits. */
  readonly authorised: { readonly title: string; readonly body: string; readonly hash: string };
  /** Its turn in the line of newly requested issues; nothing starts before. */
  readonly startsAt: Instant;
  /** The issues around it in its batch: it begins when the one before it rests, and the one behind it is told when it does. */
  readonly batch: { readonly after: number | null; readonly before: number | null } | null;
  /** What the person who let it go on wants the agent to know. */
  readonly guidance: string | null;
  /** A permitted person's phase label: they vouch for everything before it that needs no proof. */
  readonly waiver: { readonly phase: Phase; readonly by: string; readonly eventId: string } | null;
  /** Whether whoever wrote the text may have commands of theirs run. */
  readonly authorTrusted: boolean;
  /** The criteria whose commands a permitted person has read and allowed. */
  readonly approvedCriteria: string | null;
  /** The size a permitted person gave the issue by their own label. */
  readonly ownSize: GivenSize | null;
  /** The size that stood on the issue when this was asked for, whoever set it. */
  readonly vouchedSize: GivenSize | null;
}

/** What a person wants of a run that is under way: heeded by whoever holds the lease, or at the next look. */
export type PendingRequest = { readonly by: string; readonly at: Instant } & (
  | {
      /** At once. */
      readonly kind: 'stop';
      /** How they said it. */
      readonly because: string;
    }
  /** When the running phase has ended. */
  | { readonly kind: 'pause' }
  /** When the running phase has ended: go on from this phase. */
  | { readonly kind: 'go-to'; readonly phase: Phase; readonly eventId: string }
);

export interface Triage {
  readonly type: 'bug' | 'feature' | 'task';
  readonly size: Size;
  readonly reasons: readonly string[];
  readonly summary: string;
  readonly criteria: readonly Criterion[];
  readonly criteriaHash: string;
}

export interface Spec {
  /** The criteria it was written for; other criteria need another spec. */
  readonly criteriaHash: string;
  readonly approach: string;
  readonly files: readonly string[];
  readonly steps: readonly { readonly text: string; readonly criteria: readonly string[] }[];
  readonly risks: readonly string[];
}

/** Work that was judged good on our side and pushed. */
export interface Pushed {
  readonly head: Oid;
  readonly base: Oid;
  readonly summary: string;
  readonly at: Instant;
}

export interface Landed {
  readonly oid: Oid;
  readonly at: Instant;
  /** Where the work branch stood that it was made of, if there was one. */
  readonly work?: Oid | undefined;
}

export interface VerifyRecord {
  readonly oid: Oid;
  readonly results: readonly CriterionResult[];
}

/** Why code is written again, and what the next attempt is told. */
export interface FixRequest {
  readonly source: 'checks' | 'review' | 'verify' | 'conflict' | 'tests' | 'people';
  /** The commit that was found wanting; work goes on from it (`null`: from base). */
  readonly head: Oid | null;
  readonly items: readonly string[];
  /** The submitted reviews it answers, by id. */
  readonly reviews?: readonly string[];
}

/** What has been achieved so far. Each entry is evidence for its phase, bound to what it is about. */
export interface Progress {
  readonly triage: Triage | null;
  readonly spec: Spec | null;
  readonly pushed: Pushed | null;
  /** Patch route: our commit on base. (A merged pull request is its own evidence.) */
  readonly landed: Landed | null;
  readonly review: ReviewRecord | null;
  readonly overruled: Overruling | null;
  readonly verify: VerifyRecord | null;
  readonly fix: FixRequest | null;
  /** Work nobody has judged, kept on the work branch when a run was cut off; the next one goes on from it. */
  readonly wip: Oid | null;
  readonly ready: ReadyWork | null;
  readonly held: HeldWork | null;
  /** A person asked to write the code anew: from base, not from what is on the work branch. */
  readonly startsOver: boolean;
  /** Why the work goes through a pull request although its size would let it land directly. */
  readonly pullReason: string | null;
  /** The commit every criterion was found to hold on: the end of the run. */
  readonly done: Landed | null;
  /** Our pull request, once it is written down: with the first swap after it was seen. */
  readonly pull: PullId | null;
  /** Pull requests up to this number belong to earlier iterations. */
  readonly supersededPr: number;
  /** Reviews of people whose points have been worked on, by id: each is worked on once. */
  readonly handledReviews: readonly string[];
}

/** One line of the story, for status comments and history. */
export interface Transition {
  readonly at: Instant;
  readonly phase: Phase;
  readonly because: string;
  readonly kind?: TransitionKind;
  /** For a finished agent phase. */
  readonly ms?: number;
  readonly costUsd?: number;
  readonly attempt?: number;
  /** Of its agent's run. */
  readonly record?: RunSummary;
}

export interface Halt {
  readonly state: 'needs-human' | 'failed' | 'paused';
  readonly code: HaltCode;
  readonly because: string;
}

/** Our notebook for one issue: the content of its state ref. */
export interface IssueState {
  readonly schema: 1;
  /** Raised by whoever takes the issue over; a stale owner's next swap is refused. */
  readonly epoch: number;
  readonly lease: Lease | null;
  readonly run: RunRecord | null;
  readonly progress: Progress;
  readonly counters: Counters;
  readonly handoff: Handoff | null;
  /** Why the last attempt at the phase at hand was not accepted: what the next one is told. */
  readonly feedback: readonly string[];
  readonly halt: Halt | null;
  readonly pendingRequest: PendingRequest | null;
  readonly refusal: MergeRefusal | null;
  readonly silence: Silence | null;
  readonly shownHead: ShownHead | null;
  /** The newest thing people did to the issue that has been taken into account. */
  readonly timelineCursor: { readonly id: string; readonly at: Instant } | null;
  /** An edit of the issue that does not count, because of who made it. */
  readonly ignoredEdit: string | null;
  /** What the last phase run left behind, as one word: the same word again means no progress. */
  readonly progressFingerprint: string;
  readonly spentUsd: number;
  /** Phase runs that were cut off before they could write down what they cost: whoever finds that out adds it, once. */
  readonly uncounted: readonly string[];
  readonly transitions: readonly Transition[];
}

export const EMPTY_PROGRESS: Progress = {
  triage: null,
  spec: null,
  pushed: null,
  landed: null,
  review: null,
  overruled: null,
  verify: null,
  fix: null,
  wip: null,
  ready: null,
  held: null,
  startsOver: false,
  pullReason: null,
  done: null,
  pull: null,
  supersededPr: 0,
  handledReviews: [],
};

export const EMPTY_STATE: IssueState = {
  schema: 1,
  epoch: 0,
  lease: null,
  run: null,
  progress: EMPTY_PROGRESS,
  counters: NO_COUNTERS,
  handoff: null,
  feedback: [],
  halt: null,
  pendingRequest: null,
  refusal: null,
  silence: null,
  shownHead: null,
  timelineCursor: null,
  ignoredEdit: null,
  progressFingerprint: '',
  spentUsd: 0,
  uncounted: [],
  transitions: [],
};
