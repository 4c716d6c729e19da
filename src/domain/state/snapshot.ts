import type { IssueRef, Oid } from '../issue/ids.js';
import type { Size } from '../issue/size.js';
import type { IssueState } from './state.js';
import type { Instant } from '../issue/instant.js';

export interface Actor {
  readonly id: number;
  readonly login: string;
  readonly kind: 'human' | 'bot';
}

/** One thing that happened to the issue, as GitHub's timeline tells it. */
export interface IssueEvent {
  readonly id: string;
  readonly kind: 'labeled' | 'unlabeled' | 'closed' | 'reopened' | 'renamed';
  /** For labels. */
  readonly label: string | null;
  readonly actor: Actor | null;
  readonly at: Instant;
}

export interface CommentFacts {
  readonly id: string;
  readonly databaseId: number;
  readonly author: Actor | null;
  readonly body: string;
  readonly at: Instant;
  readonly edited: boolean;
}

/** The state of one check on a commit: a check run or a status context. */
export interface CheckFacts {
  readonly name: string;
  readonly outcome: 'pending' | 'green' | 'red';
  readonly required: boolean;
  /** The App behind a check run. */
  readonly appId: number | null;
  readonly summary: string;
}

/** What somebody who may push says about a pull request: their newest approval or request for changes that stands. */
export interface ReviewFacts {
  readonly id: string;
  readonly author: Actor;
  readonly state: 'approved' | 'changes-requested';
  readonly body: string;
  /** What they said about single lines; a bounded number of them. */
  readonly comments: readonly { readonly path: string; readonly line: number | null; readonly body: string }[];
  /** The commit they looked at. */
  readonly commit: Oid | null;
  readonly at: Instant;
}

/** GitHub's own count of reviews against the rules of the base branch. */
export type ReviewDecision =
  | 'approved'
  | 'changes-requested'
  /** The rules want approvals that are not there yet. */
  | 'required';

export type PullState = 'open' | 'closed' | 'merged';

/**
 * The pull request of the issue: the one our state names. Until it names one, the newest that we opened ourselves from the work branch
 * of this very repository; anybody can open one from a fork's branch of that name.
 */
export interface PullFacts {
  readonly id: string;
  readonly number: number;
  readonly state: PullState;
  readonly draft: boolean;
  readonly head: Oid;
  readonly baseRef: string;
  readonly createdAt: Instant;
  /** When it was closed or merged; `null` while it is open. */
  readonly closedAt: Instant | null;
  /** Who opened it again last; `null` when nobody has. */
  readonly reopenedBy: Actor | null;
  /** GitHub computes it in the background; `unknown` is a reason to look again, never a verdict. */
  readonly mergeable: 'yes' | 'conflict' | 'unknown';
  /** Whether GitHub would let the merge through now. */
  readonly mergeState: string;
  readonly checks: readonly CheckFacts[];
  /** Submitted reviews of people who may push. Those of machines and outsiders are not among them. */
  readonly reviews: readonly ReviewFacts[];
  /** `null` where the base branch requires no review. */
  readonly reviewDecision: ReviewDecision | null;
  /** Who was asked for a review and has not given one: people, and teams as `org/team`. */
  readonly reviewers: readonly string[];
  /** GitHub sent neither checks nor reviews of it: what is missing here proves nothing. */
  readonly isCut: boolean;
  readonly mergeCommit: Oid | null;
  readonly mergedAt: Instant | null;
}

/** The newest state of an issue that was written or believed: what came before it is over. */
export interface KnownState {
  readonly epoch: number;
  readonly oid: Oid;
  /** Whether the issue was done with it: its ref may be deleted from then on. */
  readonly isDone: boolean;
  /** Until when somebody may be at work under its lease; 0 when nobody is. */
  readonly leasedUntil: Instant;
}

/** What the state ref says, or why it cannot be trusted. */
export type StateReading =
  | { readonly kind: 'none'; readonly known?: KnownState }
  | { readonly kind: 'valid'; readonly state: IssueState; readonly oid: Oid }
  /** What is there is not ours, or not the newest of ours, or was taken away (`oid` is `null` then): shown, never continued. */
  | { readonly kind: 'unverifiable'; readonly oid: Oid | null; readonly why: string; readonly known?: KnownState };

/** All facts about one issue, read in one request. */
export interface IssueSnapshot {
  readonly ref: IssueRef;
  /** GitHub's clock when this was read. */
  readonly readAt: Instant;
  /** Our own steady clock before this was asked for, or before its state was swapped in: nothing here is older. */
  readonly knownAt: Instant;
  readonly repositoryId: string;
  /** Numeric id: part of what the state ref's signature covers. */
  readonly repositoryDatabaseId: number;
  readonly issueId: string;
  readonly title: string;
  readonly body: string;
  readonly author: Actor | null;
  /** Who changed the body last; `null` when nobody has. */
  readonly editor: Actor | null;
  /** When that was. */
  readonly editedAt: Instant | null;
  readonly state: 'open' | 'closed';
  readonly labels: readonly string[];
  /** Size of the Projects v2 field. GitHub does not say who set it. */
  readonly projectSize: Size | null;
  /** When that field was changed last. */
  readonly projectSizeAt: Instant | null;
  readonly events: readonly IssueEvent[];
  /** Newest comments, oldest first. */
  readonly comments: readonly CommentFacts[];
  readonly base: BaseFacts;
  readonly pull: PullFacts | null;
  /** GitHub has more pull requests from branches of that name than were looked at: that ours is not among them proves nothing. */
  readonly pullsCut: boolean;
  /** An open pull request from the work branch to base that somebody else opened: GitHub lets us open no other one. */
  readonly foreignPull: number | null;
  /** Tip of the work branch on GitHub. */
  readonly workHead: Oid | null;
  /** How the repository lets pull requests be merged, the way we like best first. */
  readonly mergeMethod: MergeMethod;
  /** Open pull requests from work branches of ours in the whole repository, among the newest hundred. */
  readonly openPulls: number;
  readonly reading: StateReading;
  /** Node ids of the labels the repository has. */
  readonly labelIds: Readonly<Record<string, string>>;
}

export type MergeMethod = 'squash' | 'merge' | 'rebase';

export interface BaseFacts {
  readonly ref: string;
  readonly head: Oid;
  /** Direct pushes are refused: a pull request is the only way in. */
  readonly protected: boolean;
  /** What the checks of its tip say, all together. */
  readonly checks: 'green' | 'red' | 'pending' | 'none';
  /** Tip of the default branch, where this is another one. */
  readonly defaultHead: Oid | null;
  /** Whether the commit our state says has landed is on this branch. `null` when nothing has landed yet. */
  readonly holdsLanded: boolean | null;
}
