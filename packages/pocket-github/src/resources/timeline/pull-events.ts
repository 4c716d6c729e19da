import { accountNode, commitNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { findRef } from '../../world/lookup.js';
import type { Ref } from '../../world/model.js';
import { eventAddress, eventFields, type EventNode, pullOf, userOnly } from './event-fields.js';

type ReviewRequestEvent = EventNode<'review requested' | 'review request removed'>;
type QueueEvent = EventNode<'enqueued' | 'dequeued'>;
type HeadDeleted = EventNode<'head deleted'>;
type HeadMoved = EventNode<'head force-pushed'>;
type BaseChanged = EventNode<'base changed'>;
type Merged = EventNode<'merged'>;
type Dismissed = EventNode<'review dismissed'>;

/** A branch of the repository the pull request comes from. */
const branchOf = (context: Context, event: EventNode, branch: string): Ref | null =>
  findRef(context.db, pullOf(event, null, context).headRepositoryId, `refs/heads/${branch}`) ?? null;

const onPull = { ...eventFields, pullRequest: pullOf };
const reviewRequest = {
  ...onPull,
  requestedReviewer: (event: ReviewRequestEvent, _: unknown, context: Context) =>
    accountNode(context, event.data.userId),
};

/** Who put it into the queue: for a removal that is somebody else than its actor. */
function enqueuerOf(event: QueueEvent, _: unknown, context: Context) {
  const entered = context.db.events
    .by('subjectId', event.subjectId)
    .findLast((other) => other.name === 'enqueued' && other.data.entryId === event.data.entryId);
  return userOnly(context, entered?.actorId ?? event.actorId);
}

/** What happens to pull requests only. */
export const pullEventResolvers: ResolverMap = {
  ConvertToDraftEvent: { ...onPull, ...eventAddress },
  ReadyForReviewEvent: { ...onPull, ...eventAddress },
  HeadRefForcePushedEvent: {
    ...onPull,
    beforeCommit: (event: HeadMoved) => commitNode(event.repositoryId ?? 0, event.data.before),
    afterCommit: (event: HeadMoved) => commitNode(event.repositoryId ?? 0, event.data.after),
    ref: (event: HeadMoved, _: unknown, context: Context) =>
      branchOf(context, event, pullOf(event, _, context).headRef),
  },
  HeadRefDeletedEvent: {
    ...onPull,
    headRef: (event: HeadDeleted, _: unknown, context: Context) => branchOf(context, event, event.data.ref),
    headRefName: (event: HeadDeleted) => event.data.ref,
  },
  HeadRefRestoredEvent: onPull,
  BaseRefChangedEvent: {
    ...onPull,
    databaseId: (event: BaseChanged) => event.id,
    currentRefName: (event: BaseChanged) => event.data.to,
    previousRefName: (event: BaseChanged) => event.data.from,
  },
  MergedEvent: {
    ...onPull,
    ...eventAddress,
    commit: (event: Merged) => commitNode(event.repositoryId ?? 0, event.data.commit),
    mergeRef: (event: Merged, _: unknown, context: Context) => branchOf(context, event, event.data.baseRef),
    mergeRefName: (event: Merged) => event.data.baseRef,
  },
  ReviewRequestedEvent: reviewRequest,
  ReviewRequestRemovedEvent: reviewRequest,
  ReviewDismissedEvent: {
    ...onPull,
    ...eventAddress,
    databaseId: (event: Dismissed) => event.id,
    dismissalMessage: (event: Dismissed) => event.data.message,
    previousReviewState: (event: Dismissed) => event.data.formerState,
    review: (event: Dismissed, _: unknown, { db }: Context) => db.reviews.get(event.data.reviewId) ?? null,
  },
  AddedToMergeQueueEvent: { ...onPull, enqueuer: enqueuerOf },
  RemovedFromMergeQueueEvent: {
    ...onPull,
    enqueuer: enqueuerOf,
    reason: (event: EventNode<'dequeued'>) => event.data.reason,
    beforeCommit: ({ data, repositoryId }: EventNode<'dequeued'>) =>
      data.groupOid === null ? null : commitNode(repositoryId ?? 0, data.groupOid),
  },
  AutoMergeEnabledEvent: {
    ...onPull,
    enabler: (event: EventNode, _: unknown, context: Context) => userOnly(context, event.actorId),
  },
  AutoMergeDisabledEvent: {
    ...onPull,
    disabler: (event: EventNode, _: unknown, context: Context) => userOnly(context, event.actorId),
    reason: (event: EventNode<'auto-merge disabled'>) => event.data.reason,
  },
};
