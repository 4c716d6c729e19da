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

/** Who works on an issue, and until when others must not. */
export interface Lease {
  /** A service instance. */
  readonly owner: string;
  readonly phase: AgentPhase;
  /** One phase run: names its clone, its nonce and its WIP ref. */
  readonly phaseRun: string;
  readonly until: Instant;
  /** The store with its owner's heartbeats when the lease was taken; `null` when there was none. */
  readonly store: string | null;
}

/** The account id for requests without a GitHub account: the API's token speaks for the service. */
export const NOBODY = 0;

/** One run of an issue, from `/auto` to its end. */
export interface RunRecord {
  readonly id: string;
  readonly startedAt: Instant;
  /** When it was requested. Later comments are about this run, even if they were read before the run began. */
  readonly askedAt: Instant;
  readonly by: { readonly id: number; readonly login: string };
  readonly options: RunOptions;
  /** Title and body when a permitted person authorised them. Prompts use these, never later edits. */
  readonly authorised: { readonly title: string; readonly body: string; readonly hash: string };
  /** Its turn among newly requested issues. Nothing starts earlier. */
  readonly startsAt: Instant;
  /** Its neighbours in a batch: it begins when the issue in `after` ends, and its own end wakes the issue in `before`. */
  readonly batch: { readonly after: number | null; readonly before: number | null } | null;
  /** The text for the agent from the person who resumed the run. */
  readonly guidance: string | null;
  /** A permitted person's phase label. It replaces the earlier steps that need no proof. */
  readonly waiver: { readonly phase: Phase; readonly by: string; readonly eventId: string } | null;
  /** Whether commands in the text may run, because its author has permission. */
  readonly authorTrusted: boolean;
  /** The criteria whose commands a permitted person has read and allowed. */
  readonly approvedCriteria: string | null;
  /** The size a permitted person gave the issue by their own label. */
  readonly ownSize: GivenSize | null;
  /** The size label or field on the issue when the run was requested, whoever set it. */
  readonly vouchedSize: GivenSize | null;
}

/** What a person wants of a run in progress. The owner of the lease carries it out, or the next `decide`. */
export type PendingRequest = { readonly by: string; readonly at: Instant } & (
  | {
      /** At once. */
      readonly kind: 'stop';
      /** How they asked for it. */
      readonly because: string;
    }
  /** When the running phase has ended. */
  | { readonly kind: 'pause' }
  /** Continue from this phase when the running phase has ended. */
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

/** Work that we accepted and pushed. */
export interface Pushed {
  readonly head: Oid;
  readonly base: Oid;
  readonly summary: string;
  readonly at: Instant;
}

export interface Landed {
  readonly oid: Oid;
  readonly at: Instant;
  /** The head of the work branch it was made from, if there was one. */
  readonly work?: Oid | undefined;
}

export interface VerifyRecord {
  readonly oid: Oid;
  readonly results: readonly CriterionResult[];
}

/** Why the code has to be worked on again, and what the next attempt gets to read. */
export interface FixRequest {
  readonly source: 'checks' | 'review' | 'verify' | 'conflict' | 'tests' | 'people';
  /** The commit with the problem. Work continues from it (`null`: from base). */
  readonly head: Oid | null;
  readonly items: readonly string[];
  /** The submitted reviews it answers, by id. */
  readonly reviews?: readonly string[];
}

/** What has been achieved so far. Each entry is evidence for its phase, bound to a commit or text. */
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
  /** Unjudged work of an interrupted run. The next run continues from it. */
  readonly wip: Oid | null;
  readonly ready: ReadyWork | null;
  readonly held: HeldWork | null;
  /** The code is rewritten from base, not from the work branch. */
  readonly startsOver: boolean;
  /** Why the work goes through a pull request although its size would let it land directly. */
  readonly pullReason: string | null;
  /** The commit on which every criterion holds: the end of the run. */
  readonly done: Landed | null;
  /** Our pull request, recorded with the first swap after it was seen. */
  readonly pull: PullId | null;
  /** Pull requests up to this number belong to earlier iterations. */
  readonly supersededPr: number;
  /** Reviews of people whose points have been worked on, by id: each is worked on once. */
  readonly handledReviews: readonly string[];
}

/** One entry of the run's history, for the status comment. */
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

/** Our state of one issue: the content of its state ref. */
export interface IssueState {
  readonly schema: 1;
  /** Raised when an instance takes over the issue, so that the old owner's next swap is refused. */
  readonly epoch: number;
  readonly lease: Lease | null;
  readonly run: RunRecord | null;
  readonly progress: Progress;
  readonly counters: Counters;
  readonly handoff: Handoff | null;
  /** Why the last attempt at the current phase was not accepted. The next attempt gets this text. */
  readonly feedback: readonly string[];
  readonly halt: Halt | null;
  readonly pendingRequest: PendingRequest | null;
  readonly refusal: MergeRefusal | null;
  readonly silence: Silence | null;
  readonly shownHead: ShownHead | null;
  /** The newest timeline event that was processed. */
  readonly timelineCursor: { readonly id: string; readonly at: Instant } | null;
  /** An edit of the issue that does not count, because its author has no permission. */
  readonly ignoredEdit: string | null;
  /** Hash of the last phase run's result. The same hash again means no progress. */
  readonly progressFingerprint: string;
  readonly spentUsd: number;
  /** Interrupted phase runs whose cost is not recorded yet. It is added once, when it is found. */
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
