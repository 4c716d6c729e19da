import type { Instant } from '../clock/clock.js';
import type { BranchProtection, CheckSuite, Installation, Oid, ProjectItem, Role, Ruleset } from './model.js';
import type { Row } from './table.js';

/*
 * Everything that ever happened, in order. State changes and their event are recorded together, and timelines and webhooks
 * are both derived from this list, so that what a client reads and the webhooks it gets always agree.
 * Data is a copy of what mattered at that moment (a label's name, a title before), because the record may be gone later.
 */

export interface LabelFacts {
  readonly labelId: number;
  readonly name: string;
  readonly color: string;
}

/** Why a pull request leaves the merge queue, in the words of GitHub's timeline as far as they are known. */
export type DequeueReason =
  | 'manual'
  | 'merged'
  | 'merge_conflict'
  | 'failed_checks'
  | 'checks_timed_out'
  /** The rules of the base branch are no longer satisfied. */
  | 'branch_protections'
  /** The base branch has no queue any more. */
  | 'queue_cleared'
  /** New commits, another base, closed, a draft again. */
  | 'pull_request_changed';

/** A pull request's trial commit in the merge queue, while it is being tested on a branch of its own. */
export interface MergeGroupFacts {
  readonly entryId: number;
  readonly ref: string;
  readonly baseRef: string;
  readonly headOid: Oid;
  readonly baseOid: Oid;
}

export interface EventData {
  /** An issue or a pull request was opened; `transferredFromId` when it came from another repository. */
  opened: { readonly transferredFromId?: number };
  /** Title or body changed; the former texts. */
  edited: { readonly title?: string; readonly body?: string | null };
  renamed: { readonly from: string; readonly to: string };
  closed: { readonly reason: string | null; readonly byPullId: number | null; readonly byCommit: Oid | null };
  reopened: Record<string, never>;
  labeled: LabelFacts;
  unlabeled: LabelFacts;
  assigned: { readonly userId: number };
  unassigned: { readonly userId: number };
  milestoned: { readonly milestoneId: number; readonly title: string };
  demilestoned: { readonly milestoneId: number; readonly title: string };
  locked: { readonly reason: string | null };
  unlocked: Record<string, never>;
  pinned: Record<string, never>;
  typed: { readonly typeId: number };
  untyped: { readonly typeId: number };
  transferred: { readonly number: number; readonly toRepositoryId: number; readonly newIssueId: number };
  deleted: { readonly number: number };
  'cross-referenced': { readonly sourceIssueId: number; readonly willClose: boolean };
  referenced: { readonly commit: Oid };
  'comment created': { readonly commentId: number };
  'comment edited': { readonly commentId: number; readonly before: string };
  'comment deleted': { readonly commentId: number; readonly body: string };
  'label created': { readonly labelId: number };
  'label edited': {
    readonly labelId: number;
    readonly name?: string;
    readonly color?: string;
    readonly description?: string;
  };
  'label deleted': LabelFacts & { readonly description: string | null };
  'sub-issue added': { readonly parentId: number; readonly childId: number };
  'sub-issue removed': { readonly parentId: number; readonly childId: number };
  'dependency added': { readonly blockedId: number; readonly blockingId: number };
  'dependency removed': { readonly blockedId: number; readonly blockingId: number };
  'project item created': { readonly itemId: number };
  'project item edited': { readonly itemId: number; readonly fieldId: number; readonly from: string | number | null };
  'project item deleted': { readonly item: ProjectItem };
  /** A branch or tag moved. `null` means it did not exist before or does not any more. */
  pushed: {
    readonly ref: string;
    readonly before: Oid | null;
    readonly after: Oid | null;
    readonly forced: boolean;
    readonly commits: readonly PushedCommit[];
  };
  'branch created': { readonly ref: string };
  'branch deleted': { readonly ref: string };
  synchronized: { readonly before: Oid; readonly after: Oid };
  'head force-pushed': { readonly before: Oid; readonly after: Oid };
  'head deleted': { readonly ref: string };
  'head restored': { readonly ref: string };
  'base changed': { readonly from: string; readonly to: string; readonly fromOid: Oid };
  merged: { readonly commit: Oid; readonly baseRef: string };
  'converted to draft': Record<string, never>;
  'ready for review': Record<string, never>;
  'review requested': { readonly userId: number };
  'review request removed': { readonly userId: number };
  'auto-merge enabled': Record<string, never>;
  'auto-merge disabled': { readonly reason: string };
  enqueued: { readonly entryId: number };
  /** `groupOid`: the trial commit it was tested as, if there was one. */
  dequeued: { readonly entryId: number; readonly reason: DequeueReason; readonly groupOid: Oid | null };
  'merge group requested': MergeGroupFacts;
  'merge group destroyed': MergeGroupFacts & { readonly reason: 'merged' | 'invalidated' | 'dequeued' };
  'review submitted': { readonly reviewId: number };
  'review edited': { readonly reviewId: number; readonly before: string };
  'review dismissed': { readonly reviewId: number; readonly message: string; readonly formerState: string };
  'review comment created': { readonly reviewCommentId: number };
  'review comment edited': { readonly reviewCommentId: number; readonly before: string };
  'review comment deleted': { readonly reviewCommentId: number; readonly threadId: number };
  'thread resolved': { readonly threadId: number };
  'thread unresolved': { readonly threadId: number };
  'check suite requested': { readonly suiteId: number };
  'check suite rerequested': { readonly suiteId: number };
  'check suite completed': { readonly suiteId: number };
  'check run created': { readonly runId: number };
  'check run completed': { readonly runId: number };
  /** With the conclusion its suite had until then. */
  'check run rerequested': { readonly runId: number; readonly conclusion: CheckSuite['conclusion'] };
  'status created': { readonly statusId: number };
  'branch protection created': { readonly protectionId: number };
  'branch protection edited': { readonly protectionId: number; readonly before: BranchProtection };
  'branch protection deleted': { readonly protection: BranchProtection };
  'ruleset created': { readonly rulesetId: number };
  'ruleset edited': { readonly rulesetId: number; readonly before: Ruleset };
  'ruleset deleted': { readonly ruleset: Ruleset };
  'collaborator added': { readonly userId: number; readonly role: Role };
  'collaborator edited': { readonly userId: number; readonly from: Role; readonly to: Role };
  'collaborator removed': { readonly userId: number };
  'repository renamed': { readonly from: string };
  'repository archived': Record<string, never>;
  'repository unarchived': Record<string, never>;
  /** Description or default branch changed; the former values. */
  'repository edited': { readonly description?: string | null; readonly defaultBranch?: string };
  /** An App's webhook address was set: GitHub says hello to it. */
  'hook pinged': { readonly appId: number };
  /** Somebody asked for a delivery to be sent once more. */
  'delivery requested again': { readonly deliveryId: number };
  'installation created': { readonly installationId: number };
  'installation deleted': { readonly installationId: number; readonly installation: Installation };
  'installation suspended': { readonly installationId: number };
  'installation unsuspended': { readonly installationId: number };
  'installation repositories added': { readonly installationId: number; readonly repositoryIds: readonly number[] };
  'installation repositories removed': { readonly installationId: number; readonly repositoryIds: readonly number[] };
}

export interface PushedCommit {
  readonly oid: Oid;
  readonly message: string;
  /** No branch had it before. */
  readonly distinct: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly modified: readonly string[];
}

export type EventName = keyof EventData;

/** One thing that happened. `subjectId` is the issue it belongs to (for a pull request: its issue half). */
export interface WorldEvent<N extends EventName = EventName> extends Row {
  readonly name: N;
  readonly at: Instant;
  readonly actorId: number;
  readonly viaAppId: number | null;
  readonly repositoryId: number | null;
  readonly subjectId: number | null;
  readonly data: EventData[N];
}

/** A `WorldEvent` whose `name` tells the type of `data`. */
export type AnyWorldEvent = { [N in EventName]: WorldEvent<N> }[EventName];
