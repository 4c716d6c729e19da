import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';
import type { Oid } from './repository.js';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** The pull request half; title, body, labels and state live in its issue (`issueId`). */
export interface Pull extends Row {
  readonly repositoryId: number;
  readonly issueId: number;
  readonly number: number;
  /** Where the head branch lives: this repository or a fork of it, which may be gone by now. */
  readonly headRepositoryId: number;
  /** Who owned that repository when the pull request was opened: known even when it is gone. */
  readonly headOwnerId: number;
  /** Branch names without `refs/heads/`. */
  readonly headRef: string;
  readonly baseRef: string;
  readonly headOid: Oid;
  /** The tip of base when the pull request was opened, retargeted or last pushed to; it does not follow base. */
  readonly baseOid: Oid;
  readonly draft: boolean;
  readonly mergedAt: Instant | null;
  readonly mergedById: number | null;
  /** The commit on base that holds the work, once merged. */
  readonly mergeCommitOid: Oid | null;
  readonly autoMerge: AutoMerge | null;
  readonly requestedReviewerIds: readonly number[];
  readonly maintainerCanModify: boolean;
  /** What the last trial merge found. */
  readonly trial: TrialMerge;
  /** When `trial` becomes readable; until then clients see `mergeable: null`, as on GitHub. */
  readonly mergeableKnownAt: Instant;
  readonly size: PullSize;
  /** Issues (and pull requests, by their issue half) that the description says it closes, in the order named. */
  readonly closingIssueIds: readonly number[];
}

/** What came of merging a head into its base without touching either. */
export interface TrialMerge {
  readonly mergeable: boolean;
  readonly rebaseable: boolean;
  /** Base has commits that the head lacks. */
  readonly behind: boolean;
  /** The merge commit of `refs/pull/N/merge`; `null` on conflict. */
  readonly mergeOid: Oid | null;
}

/** How much a pull request changes. Stored, because webhooks include it and cannot wait for git. */
export interface PullSize {
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
}

export interface AutoMerge {
  readonly enabledById: number;
  readonly viaAppId: number | null;
  readonly method: MergeMethod;
  readonly commitTitle: string | null;
  readonly commitMessage: string | null;
  readonly enabledAt: Instant;
}

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';

export interface Review extends Row {
  readonly repositoryId: number;
  readonly pullId: number;
  readonly authorId: number;
  readonly viaAppId: number | null;
  readonly state: ReviewState;
  readonly body: string;
  readonly commitOid: Oid;
  readonly submittedAt: Instant | null;
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A conversation on a line of the diff, or on a file of it. */
export interface ReviewThread extends Row {
  readonly repositoryId: number;
  readonly pullId: number;
  readonly path: string;
  /** The line in the current diff; `null` once it is outdated, and for the thread of a whole file. */
  readonly line: number | null;
  readonly startLine: number | null;
  /** Lines below the first hunk header of the file's diff: how older clients place a comment. */
  readonly position: number | null;
  /** Where the thread was opened, in the diff of `commitOid`. */
  readonly originalLine: number | null;
  readonly originalStartLine: number | null;
  readonly originalPosition: number;
  readonly side: 'LEFT' | 'RIGHT';
  readonly subjectType: 'LINE' | 'FILE';
  /** A later push changed what was commented on. */
  readonly outdated: boolean;
  readonly resolvedById: number | null;
  /** The commit that was commented on. */
  readonly commitOid: Oid;
}

export interface ReviewComment extends Row {
  readonly repositoryId: number;
  readonly pullId: number;
  readonly reviewId: number;
  readonly threadId: number;
  readonly inReplyToId: number | null;
  readonly authorId: number;
  readonly body: string;
  readonly diffHunk: string;
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
