import { accountNode, commitNode, subjectNode } from '../../graphql/nodes.js';
import { type ResolverMap, tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { Label } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { visibleIssues } from '../sub-issues/visible-issues.js';
import { eventAddress, eventFields, type EventNode, subjectField, userOnly } from './event-fields.js';

/** The label as it is now; as it was then, when it has been deleted since. */
function labelOf(event: EventNode<'labeled' | 'unlabeled'>, _: unknown, { db }: Context): Label {
  const { labelId, name, color } = event.data;
  const then = { name, color, description: null, default: false, createdAt: event.at, updatedAt: event.at };
  return db.labels.get(labelId) ?? { id: labelId, repositoryId: event.repositoryId ?? 0, ...then };
}

/** What closed it: a pull request, a commit, or just somebody. */
function closerOf(event: EventNode<'closed'>, _: unknown, { db }: Context) {
  const { byPullId, byCommit } = event.data;
  const pull = byPullId === null ? undefined : db.pulls.get(byPullId);
  if (pull !== undefined) return tagged('PullRequest', pull);
  return byCommit === null ? null : commitNode(event.repositoryId ?? 0, byCommit);
}

/** The issue at the other end of a relation, if the viewer may know of it. */
function otherIssue(context: Context, id: number) {
  const issue = context.db.issues.get(id);
  return issue === undefined ? null : (visibleIssues(context, [issue])[0] ?? null);
}

type SubIssueEvent = EventNode<'sub-issue added' | 'sub-issue removed'>;
type DependencyEvent = EventNode<'dependency added' | 'dependency removed'>;
type AssignmentEvent = EventNode<'assigned' | 'unassigned'>;
type MilestoneEvent = EventNode<'milestoned' | 'demilestoned'>;

const labelEvent = { ...eventFields, label: labelOf, labelable: subjectField };
const assignmentEvent = {
  ...eventFields,
  assignable: subjectField,
  assignee: (event: AssignmentEvent, _: unknown, context: Context) => accountNode(context, event.data.userId),
  user: (event: AssignmentEvent, _: unknown, context: Context) => userOnly(context, event.data.userId),
};
const milestoneEvent = {
  ...eventFields,
  milestoneTitle: (event: MilestoneEvent) => event.data.title,
  subject: subjectField,
};
const subIssueEvent = {
  ...eventFields,
  subIssue: (event: SubIssueEvent, _: unknown, context: Context) => otherIssue(context, event.data.childId),
};
const parentEvent = {
  ...eventFields,
  parent: (event: SubIssueEvent, _: unknown, context: Context) => otherIssue(context, event.data.parentId),
};
const blockedByEvent = {
  ...eventFields,
  blockingIssue: (event: DependencyEvent, _: unknown, context: Context) => otherIssue(context, event.data.blockingId),
};
const blockingEvent = {
  ...eventFields,
  blockedIssue: (event: DependencyEvent, _: unknown, context: Context) => otherIssue(context, event.data.blockedId),
};

const crossReference = {
  ...eventFields,
  ...eventAddress,
  isCrossRepository: (event: EventNode<'cross-referenced'>, _: unknown, { db }: Context) =>
    db.issues.must(event.data.sourceIssueId).repositoryId !== db.issues.must(event.subjectId).repositoryId,
  referencedAt: (event: EventNode<'cross-referenced'>) => isoTime(event.at),
  source: (event: EventNode<'cross-referenced'>, _: unknown, context: Context) =>
    subjectNode(context, event.data.sourceIssueId),
  target: subjectField,
  willCloseTarget: (event: EventNode<'cross-referenced'>) => event.data.willClose,
};

const commitReference = {
  ...eventFields,
  commit: (event: EventNode<'referenced'>) => commitNode(event.repositoryId ?? 0, event.data.commit),
  commitRepository: (event: EventNode<'referenced'>, _: unknown, { db }: Context) =>
    db.repositories.must(event.repositoryId ?? 0),
  isCrossRepository: () => false,
  // Commit comments, the other way a commit can mention an issue, are not modelled.
  isDirectReference: () => true,
  subject: subjectField,
};

/** What happens to issues and pull requests alike. */
export const issueEventResolvers: ResolverMap = {
  LabeledEvent: labelEvent,
  UnlabeledEvent: labelEvent,
  ClosedEvent: {
    ...eventFields,
    ...eventAddress,
    closable: subjectField,
    closer: closerOf,
    stateReason: (event: EventNode<'closed'>) => event.data.reason?.toUpperCase() ?? null,
  },
  ReopenedEvent: {
    ...eventFields,
    closable: subjectField,
    stateReason: (event: EventNode, _: unknown, { db }: Context) =>
      db.issues.must(event.subjectId).pullId === null ? 'REOPENED' : null,
  },
  AssignedEvent: assignmentEvent,
  UnassignedEvent: assignmentEvent,
  MilestonedEvent: milestoneEvent,
  DemilestonedEvent: milestoneEvent,
  RenamedTitleEvent: {
    ...eventFields,
    currentTitle: (event: EventNode<'renamed'>) => event.data.to,
    previousTitle: (event: EventNode<'renamed'>) => event.data.from,
    subject: subjectField,
  },
  LockedEvent: {
    ...eventFields,
    lockReason: (event: EventNode<'locked'>) => event.data.reason?.toUpperCase().replaceAll(/[- ]/g, '_') ?? null,
    lockable: subjectField,
  },
  UnlockedEvent: { ...eventFields, lockable: subjectField },
  PinnedEvent: {
    ...eventFields,
    issue: (event: EventNode, _: unknown, { db }: Context) => db.issues.must(event.subjectId),
  },
  CommentDeletedEvent: { ...eventFields, databaseId: (event: EventNode) => event.id },
  CrossReferencedEvent: crossReference,
  ReferencedEvent: commitReference,
  TransferredEvent: {
    ...eventFields,
    fromRepository: (event: EventNode<'opened'>, _: unknown, { db }: Context) => {
      const gone = db.events
        .by('subjectId', event.data.transferredFromId ?? 0)
        .find(({ name }) => name === 'transferred');
      return db.repositories.get(gone?.repositoryId ?? 0) ?? null;
    },
    issue: (event: EventNode, _: unknown, { db }: Context) => db.issues.must(event.subjectId),
  },
  SubIssueAddedEvent: subIssueEvent,
  SubIssueRemovedEvent: subIssueEvent,
  ParentIssueAddedEvent: parentEvent,
  ParentIssueRemovedEvent: parentEvent,
  BlockedByAddedEvent: blockedByEvent,
  BlockedByRemovedEvent: blockedByEvent,
  BlockingAddedEvent: blockingEvent,
  BlockingRemovedEvent: blockingEvent,
};
