import type { Instant } from '../../../ports/clock.js';
import type { Row } from './table.js';

/*
 * The records Pocket GitHub keeps. References are ids, never objects; every record is replaced as a whole when it changes.
 * Names follow GitHub's words so that serialisers read like the documentation they implement.
 */

export type Oid = string;

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';
export const ROLES_BY_RANK: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** A person, an organisation, or the `[bot]` account of an App. */
export interface User extends Row {
  readonly login: string;
  readonly name: string | null;
  readonly email: string;
  readonly type: 'User' | 'Bot' | 'Organization';
  readonly siteAdmin: boolean;
  /** Organisations the user is a member of: `MEMBER`, and at least read in their private repositories. */
  readonly organizationIds?: readonly number[];
  readonly createdAt: Instant;
}

export type AppPermissionName =
  | 'actions'
  | 'administration'
  | 'checks'
  | 'contents'
  | 'issues'
  | 'members'
  | 'merge_queues'
  | 'metadata'
  | 'organization_projects'
  | 'pull_requests'
  | 'repository_projects'
  | 'statuses'
  | 'workflows';
export type AppPermissionLevel = 'read' | 'write';
export type AppPermissions = Readonly<Partial<Record<AppPermissionName, AppPermissionLevel>>>;

export interface App extends Row {
  readonly slug: string;
  readonly name: string;
  readonly ownerId: number;
  /** The `[bot]` account the App acts as. */
  readonly botId: number;
  readonly clientId: string;
  /** PEM, RSA: what the App signs its JWTs with. The world keeps both halves; it is a loopback toy's key. */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly hook: HookConfig | null;
  readonly createdAt: Instant;
}

export interface HookConfig {
  readonly url: string;
  readonly secret: string | null;
}

export interface Installation extends Row {
  readonly appId: number;
  readonly accountId: number;
  readonly repositoryIds: readonly number[] | 'all';
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly suspendedAt: Instant | null;
  readonly createdAt: Instant;
}

/** A credential. Its text is the key clients present. */
export interface Token extends Row {
  readonly text: string;
  readonly kind: 'installation' | 'personal';
  /** The user acted as: the App's bot for an installation token. */
  readonly userId: number;
  readonly installationId: number | null;
  /** Narrowed permissions of an installation token; `null` for a personal token, which has its owner's role. */
  readonly permissions: AppPermissions | null;
  readonly repositoryIds: readonly number[] | 'all';
  /** Classic scopes of a personal token, e.g. `repo`, `workflow`. */
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
}

export interface Repository extends Row {
  readonly ownerId: number;
  readonly name: string;
  /** Former names, which redirect. */
  readonly formerNames: readonly string[];
  readonly description: string | null;
  readonly private: boolean;
  readonly archived: boolean;
  readonly defaultBranch: string;
  readonly allowMergeCommit: boolean;
  readonly allowSquashMerge: boolean;
  readonly allowRebaseMerge: boolean;
  readonly allowAutoMerge: boolean;
  readonly deleteBranchOnMerge: boolean;
  /** The next issue or pull request number. */
  readonly nextNumber: number;
  /** How CI answers a pushed head. */
  readonly ci: readonly CiJob[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly pushedAt: Instant;
}

/** A command that runs on every pushed head in a real checkout and reports a check run called `name`. */
export interface CiJob {
  readonly name: string;
  readonly run: string;
  readonly timeoutMs: number;
}

export interface Collaborator extends Row {
  readonly repositoryId: number;
  readonly userId: number;
  readonly role: Role;
}

/** A ref of the bare repository, mirrored here so that reads need no git process. Full name, e.g. `refs/heads/main`. */
export interface Ref extends Row {
  readonly repositoryId: number;
  readonly name: string;
  readonly oid: Oid;
}

export interface Label extends Row {
  readonly repositoryId: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
  readonly default: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Milestone extends Row {
  readonly repositoryId: number;
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly creatorId: number;
  readonly createdAt: Instant;
}

/** Why an issue was closed. */
export type IssueStateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

/** An issue, or the issue half of a pull request (`pullId` set). */
export interface Issue extends Row {
  readonly repositoryId: number;
  readonly number: number;
  readonly pullId: number | null;
  readonly authorId: number;
  /** The App that created it on behalf of `authorId`, if any. */
  readonly viaAppId: number | null;
  readonly title: string;
  readonly body: string | null;
  readonly state: 'open' | 'closed';
  readonly stateReason: IssueStateReason | null;
  readonly labelIds: readonly number[];
  readonly assigneeIds: readonly number[];
  readonly milestoneId: number | null;
  readonly typeId: number | null;
  readonly locked: boolean;
  readonly lockReason: 'off-topic' | 'too heated' | 'resolved' | 'spam' | null;
  readonly parentId: number | null;
  /** Sub-issues in priority order. */
  readonly subIssueIds: readonly number[];
  /** Issues that block this one, in the order the dependency was added. */
  readonly blockedBy: readonly { readonly issueId: number; readonly addedAt: Instant }[];
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly closedAt: Instant | null;
  readonly closedById: number | null;
}

/** An organisation's issue type: Bug, Feature, Task. */
export interface IssueType extends Row {
  readonly ownerId: number;
  readonly name: string;
  readonly description: string | null;
  readonly color: 'gray' | 'blue' | 'green' | 'yellow' | 'orange' | 'red' | 'pink' | 'purple';
  readonly createdAt: Instant;
}

/** A comment on an issue or on a pull request's conversation. */
export interface Comment extends Row {
  readonly repositoryId: number;
  readonly issueId: number;
  readonly authorId: number;
  readonly viaAppId: number | null;
  readonly body: string;
  readonly minimizedReason: string | null;
  readonly lastEditedAt: Instant | null;
  readonly editorId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One earlier or current text of an edited body. */
export interface ContentEdit extends Row {
  /** Id of the issue, comment or review that was edited. */
  readonly subjectId: number;
  readonly editorId: number;
  readonly editedAt: Instant;
  /** The text after this edit. */
  readonly text: string;
}

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;
export type ReactionContent = (typeof REACTIONS)[number];

export interface Reaction extends Row {
  /** Id of the issue, comment, review comment or review it is on. */
  readonly subjectId: number;
  readonly userId: number;
  readonly content: ReactionContent;
  readonly createdAt: Instant;
}

export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** The pull request half; title, body, labels and state live in its issue (`issueId`). */
export interface Pull extends Row {
  readonly repositoryId: number;
  readonly issueId: number;
  readonly number: number;
  /** Branch names without `refs/heads/`. The head lives in the same repository: forks are not modelled. */
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

/** How much a pull request changes: kept because webhooks tell it and cannot wait for git. */
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

export type CheckStatus = 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending';
export type CheckConclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'timed_out'
  | 'action_required'
  | 'stale'
  | 'skipped'
  | 'startup_failure';

/** All check runs of one App on one commit. */
export interface CheckSuite extends Row {
  readonly repositoryId: number;
  readonly appId: number;
  readonly headOid: Oid;
  readonly headBranch: string | null;
  /** Where the branch stood before the push that brought this head. */
  readonly beforeOid: Oid | null;
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly message: string;
  readonly title: string | null;
  readonly rawDetails: string | null;
}

export interface CheckRun extends Row {
  readonly repositoryId: number;
  readonly suiteId: number;
  readonly appId: number;
  readonly headOid: Oid;
  readonly name: string;
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
  readonly externalId: string;
  readonly detailsUrl: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
  readonly annotations: readonly CheckAnnotation[];
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
}

export type StatusState = 'error' | 'failure' | 'pending' | 'success';

/** A commit status. The newest per context counts. */
export interface CommitStatus extends Row {
  readonly repositoryId: number;
  readonly oid: Oid;
  readonly state: StatusState;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creatorId: number;
  readonly createdAt: Instant;
}

/** A check that must be green: by name, optionally only from one App. */
export interface RequiredCheck {
  readonly context: string;
  readonly appId: number | null;
}

/** What a protected branch or a ruleset demands of one branch. Protection and rulesets are both reduced to this. */
export interface BranchRules {
  readonly requirePullRequest: boolean;
  readonly requiredApprovals: number;
  readonly dismissStaleReviews: boolean;
  readonly requireThreadResolution: boolean;
  readonly requiredChecks: readonly RequiredCheck[];
  /** The head must contain the tip of base before it may be merged. */
  readonly strictChecks: boolean;
  readonly blockForcePushes: boolean;
  readonly blockDeletions: boolean;
  readonly requireLinearHistory: boolean;
  /** Not even pushes that satisfy everything else, except by those with bypass. */
  readonly restrictUpdates: boolean;
  readonly mergeQueue: MergeQueueRule | null;
}

export interface MergeQueueRule {
  readonly method: MergeMethod;
  /** How long a group waits for its required checks before it is thrown out. */
  readonly checkTimeoutMs: number;
  readonly maxEntriesToMerge: number;
}

/** Classic protection of the branches matching `pattern`. */
export interface BranchProtection extends Row {
  readonly repositoryId: number;
  readonly pattern: string;
  readonly enforceAdmins: boolean;
  readonly rules: BranchRules;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Ruleset extends Row {
  readonly repositoryId: number;
  readonly name: string;
  readonly target: 'branch' | 'tag' | 'push';
  readonly enforcement: 'active' | 'disabled' | 'evaluate';
  /** Ref patterns; `~DEFAULT_BRANCH` and `~ALL` are understood. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Actors the rules do not bind. */
  readonly bypassAppIds: readonly number[];
  readonly bypassRoles: readonly Role[];
  readonly rules: BranchRules;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A pull request waiting in the merge queue of its base branch. */
export interface MergeQueueEntry extends Row {
  readonly repositoryId: number;
  readonly pullId: number;
  readonly branch: string;
  readonly enqueuedById: number;
  /** Put before all others instead of behind them. */
  readonly jump: boolean;
  readonly state: 'QUEUED' | 'AWAITING_CHECKS' | 'MERGEABLE' | 'UNMERGEABLE' | 'LOCKED';
  /** Trial commit: base, the entries ahead, and this head. `null` until it is built. */
  readonly headOid: Oid | null;
  /** What the trial commit was built on: the tip of base, or the trial commit of the entry ahead. */
  readonly baseOid: Oid;
  readonly enqueuedAt: Instant;
  /** When the required checks of the trial commit must be green. */
  readonly deadline: Instant;
}

export interface Project extends Row {
  readonly ownerId: number;
  readonly number: number;
  readonly title: string;
  readonly closed: boolean;
  readonly repositoryIds: readonly number[];
  readonly createdAt: Instant;
}

export interface ProjectField extends Row {
  readonly projectId: number;
  readonly name: string;
  readonly type: 'SINGLE_SELECT' | 'TEXT' | 'NUMBER' | 'DATE' | 'TITLE';
  readonly options: readonly ProjectOption[];
}

/** A choice of a single-select field. `color` is one of GitHub's eight names, in capitals. */
export interface ProjectOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface ProjectItem extends Row {
  readonly projectId: number;
  /** The issue (or the issue half of a pull request) the card shows. */
  readonly issueId: number;
  readonly archived: boolean;
  /** Field id → option id, text, number or date. */
  readonly values: Readonly<Record<number, string | number>>;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One attempt chain of a webhook: what was sent where, and how it was answered. */
export interface HookDelivery extends Row {
  readonly appId: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly url: string;
  readonly deliveredAt: Instant;
  readonly redelivery: boolean;
  readonly durationSeconds: number;
  readonly status: string;
  readonly statusCode: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly payload: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}
