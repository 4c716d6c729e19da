import type { AnyWorldEvent, EventName } from '../../world/events.js';

/** How timelines name an event. */
export interface Kind {
  /** GraphQL type; `null` when the schema has none for it. */
  readonly type: string | null;
  /** The REST `event`. */
  readonly rest: string;
  /** REST shows it in the list of issue events but not in the timeline. */
  readonly notInTimeline?: true;
}

const kind = (type: string | null, rest: string): Kind => ({ type, rest });

/** Events of which every side sees the same. Not listed: what no timeline shows, and what is shown as a record of its own. */
const KINDS: Partial<Readonly<Record<EventName, Kind>>> = {
  renamed: kind('RenamedTitleEvent', 'renamed'),
  closed: kind('ClosedEvent', 'closed'),
  reopened: kind('ReopenedEvent', 'reopened'),
  labeled: kind('LabeledEvent', 'labeled'),
  unlabeled: kind('UnlabeledEvent', 'unlabeled'),
  assigned: kind('AssignedEvent', 'assigned'),
  unassigned: kind('UnassignedEvent', 'unassigned'),
  milestoned: kind('MilestonedEvent', 'milestoned'),
  demilestoned: kind('DemilestonedEvent', 'demilestoned'),
  locked: kind('LockedEvent', 'locked'),
  unlocked: kind('UnlockedEvent', 'unlocked'),
  pinned: kind('PinnedEvent', 'pinned'),
  typed: kind(null, 'issue_type_added'),
  untyped: kind(null, 'issue_type_removed'),
  'comment deleted': kind('CommentDeletedEvent', 'comment_deleted'),
  referenced: kind('ReferencedEvent', 'referenced'),
  'head force-pushed': kind('HeadRefForcePushedEvent', 'head_ref_force_pushed'),
  'head deleted': kind('HeadRefDeletedEvent', 'head_ref_deleted'),
  'head restored': kind('HeadRefRestoredEvent', 'head_ref_restored'),
  'base changed': { ...kind('BaseRefChangedEvent', 'base_ref_changed'), notInTimeline: true },
  merged: kind('MergedEvent', 'merged'),
  'converted to draft': kind('ConvertToDraftEvent', 'convert_to_draft'),
  'ready for review': kind('ReadyForReviewEvent', 'ready_for_review'),
  'review requested': kind('ReviewRequestedEvent', 'review_requested'),
  'review request removed': kind('ReviewRequestRemovedEvent', 'review_request_removed'),
  'review dismissed': kind('ReviewDismissedEvent', 'review_dismissed'),
  'auto-merge enabled': kind('AutoMergeEnabledEvent', 'auto_merge_enabled'),
  'auto-merge disabled': kind('AutoMergeDisabledEvent', 'auto_merge_disabled'),
  enqueued: kind('AddedToMergeQueueEvent', 'added_to_merge_queue'),
  dequeued: kind('RemovedFromMergeQueueEvent', 'removed_from_merge_queue'),
};

/** Events between two issues: what the first side (parent, blocked issue) sees, and what the other sees. */
const RELATION_KINDS = {
  'sub-issue added': [
    kind('SubIssueAddedEvent', 'sub_issue_added'),
    kind('ParentIssueAddedEvent', 'parent_issue_added'),
  ],
  'sub-issue removed': [
    kind('SubIssueRemovedEvent', 'sub_issue_removed'),
    kind('ParentIssueRemovedEvent', 'parent_issue_removed'),
  ],
  'dependency added': [kind('BlockedByAddedEvent', 'blocked_by_added'), kind('BlockingAddedEvent', 'blocking_added')],
  'dependency removed': [
    kind('BlockedByRemovedEvent', 'blocked_by_removed'),
    kind('BlockingRemovedEvent', 'blocking_removed'),
  ],
} as const;

const TRANSFERRED = kind('TransferredEvent', 'transferred');

/** Every GraphQL type a timeline here can hold; a client that asks for another one must hear that it is not modelled. */
export const TIMELINE_TYPES: ReadonlySet<string> = new Set([
  ...[...Object.values(KINDS), ...Object.values(RELATION_KINDS).flat(), TRANSFERRED].flatMap(({ type }) => type ?? []),
  'CrossReferencedEvent',
  'IssueComment',
  'PullRequestCommit',
  'PullRequestReview',
]);

/** What the event is in its subject's timeline; `null` when it is not shown, or as a record (a comment, a review). */
export function kindOf(event: AnyWorldEvent): Kind | null {
  if (event.name === 'opened') return event.data.transferredFromId === undefined ? null : TRANSFERRED;
  if (event.name === 'sub-issue added' || event.name === 'sub-issue removed') {
    return RELATION_KINDS[event.name][event.subjectId === event.data.parentId ? 0 : 1];
  }
  if (event.name === 'dependency added' || event.name === 'dependency removed') {
    return RELATION_KINDS[event.name][event.subjectId === event.data.blockedId ? 0 : 1];
  }
  return KINDS[event.name] ?? null;
}
