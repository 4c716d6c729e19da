import type { IssueRef, Oid } from '../issue/ids.js';
import type { Size } from '../issue/size.js';
import type { IssueState } from './state.js';
import type { Instant } from '../issue/instant.js';

export interface Actor {
  readonly id: number;
  readonly login: string;
  readonly kind: 'human' | 'bot';
}

/** One event of GitHub's timeline of the issue. */
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

/** A review by somebody who may push: their newest approval or request for changes that is still valid. */
export interface ReviewFacts {
  readonly id: string;
  readonly author: Actor;
  readonly state: 'approved' | 'changes-requested';
  readonly body: string;
  /** Their comments on single lines, up to a limit. */
  readonly comments: readonly { readonly path: string; readonly line: number | null; readonly body: string }[];
  /** The commit they reviewed. */
  readonly commit: Oid | null;
  readonly at: Instant;
}

/** GitHub's own count of reviews against the rules of the base branch. */
export type ReviewDecision =
  | 'approved'
  | 'changes-requested'
  /** The rules require approvals that are still missing. */
  | 'required';

export type PullState = 'open' | 'closed' | 'merged';

/**
 * The pull request of the issue: the one our state names. Until it names one, the newest that we opened ourselves from the work branch
 * of this repository; anybody can open one from a fork's branch of that name.
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
  /** GitHub computes it in the background. `unknown` means that it must be read again later. */
  readonly mergeable: 'yes' | 'conflict' | 'unknown';
  /** Whether GitHub would let the merge through now. */
  readonly mergeState: string;
  readonly checks: readonly CheckFacts[];
  /** Submitted reviews of people who may push. Reviews by bots and outsiders are left out. */
  readonly reviews: readonly ReviewFacts[];
  /** `null` where the base branch requires no review. */
  readonly reviewDecision: ReviewDecision | null;
  /** Who was asked for a review and has not given one: people, and teams as `org/team`. */
  readonly reviewers: readonly string[];
  /** GitHub sent neither its checks nor its reviews, so their absence here proves nothing. */
  readonly isCut: boolean;
  readonly mergeCommit: Oid | null;
  readonly mergedAt: Instant | null;
}

/** The newest state of an issue that was written or accepted. Older states are not trusted. */
export interface KnownState {
  readonly epoch: number;
  readonly oid: Oid;
  /** Whether the issue was done in this state. Its ref may be deleted from then on. */
  readonly isDone: boolean;
  /** Until when an instance may work under its lease; 0 when there is no lease. */
  readonly leasedUntil: Instant;
}

/** What the state ref says, or why it cannot be trusted. */
export type StateReading =
  | { readonly kind: 'none'; readonly known?: KnownState }
  | { readonly kind: 'valid'; readonly state: IssueState; readonly oid: Oid }
  /** The state is not ours, not the newest, or was deleted (then `oid` is `null`). It is shown, never continued. */
  | { readonly kind: 'unverifiable'; readonly oid: Oid | null; readonly why: string; readonly known?: KnownState };

/** All facts about one issue, read in one request. */
export interface IssueSnapshot {
  readonly ref: IssueRef;
  /** GitHub's clock when this was read. */
  readonly readAt: Instant;
  /** Our steady clock before this was requested, or before its state was swapped in. No fact here is older. */
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
  /** GitHub has more pull requests from branches of that name than were read, so the absence of ours proves nothing. */
  readonly pullsCut: boolean;
  /** An open pull request from the work branch to base that somebody else opened. GitHub does not let us open a second one. */
  readonly foreignPull: number | null;
  /** Tip of the work branch on GitHub. */
  readonly workHead: Oid | null;
  /** The merge method we prefer among those the repository allows. */
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
  /** Direct pushes are refused, so a pull request is needed. */
  readonly protected: boolean;
  /** The combined result of the checks of its tip. */
  readonly checks: 'green' | 'red' | 'pending' | 'none';
  /** Tip of the default branch, where this is another one. */
  readonly defaultHead: Oid | null;
  /** Whether the commit our state says has landed is on this branch. `null` when nothing has landed yet. */
  readonly holdsLanded: boolean | null;
}
