import type { components } from '@octokit/openapi-types';
import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import type { AnyWorldEvent, EventName, WorldEvent } from '../../world/events.js';
import { fullName } from '../../world/lookup.js';
import type { Oid } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { appJson } from '../apps/app-json.js';
import { issueTypeJson } from '../issue-types/issue-type-json.js';
import { minimalRepositoryJson } from '../repositories/repository-json.js';
import { simpleUserById } from '../users/user-json.js';
import type { Kind } from './kinds.js';

type Schemas = components['schemas'];

/** An event as the REST timeline shows it. */
export function eventJson(context: Context, event: AnyWorldEvent, kind: Kind) {
  const own = OWN_MEMBERS[event.name] as Members<EventName> | undefined;
  return { ...common(context, event, kind), ...own?.(context, event) };
}

/** What the list of issue events adds to the timeline's form. */
export function issueEventJson(context: Context, event: AnyWorldEvent, kind: Kind) {
  const assigns = event.name === 'assigned' || event.name === 'unassigned';
  return {
    ...eventJson(context, event, kind),
    ...(assigns ? { assigner: simpleUserById(context, event.actorId) } : {}),
  } satisfies Schemas['issue-event'];
}

function common(context: Context, event: AnyWorldEvent, kind: Kind) {
  const { db, urls } = context;
  const repository = `${urls.api}/repos/${fullName(db, db.repositories.must(event.repositoryId ?? 0))}`;
  const commit = commitOf(event);
  return {
    id: event.id,
    node_id: formatNodeId('events', event.id),
    url: `${repository}/issues/events/${event.id}`,
    actor: simpleUserById(context, event.actorId),
    event: kind.rest,
    commit_id: commit,
    commit_url: commit === null ? null : `${repository}/commits/${commit}`,
    created_at: isoTime(event.at),
    performed_via_github_app: event.viaAppId === null ? null : appJson(context, db.apps.must(event.viaAppId)),
  } satisfies Schemas['state-change-issue-event'];
}

function commitOf(event: AnyWorldEvent): Oid | null {
  if (event.name === 'closed') return event.data.byCommit;
  if (event.name === 'referenced' || event.name === 'merged') return event.data.commit;
  return event.name === 'head force-pushed' ? event.data.after : null;
}

type Members<N extends EventName> = (context: Context, event: WorldEvent<N>) => Readonly<Record<string, unknown>>;

const label: Members<'labeled' | 'unlabeled'> = (_, { data }) => ({ label: { name: data.name, color: data.color } });
const assignee: Members<'assigned' | 'unassigned'> = (context, { data }) => ({
  assignee: simpleUserById(context, data.userId),
});
const milestone: Members<'milestoned' | 'demilestoned'> = (_, { data }) => ({ milestone: { title: data.title } });
const issueType: Members<'typed' | 'untyped'> = ({ db }, { data }) => ({
  issue_type: issueTypeJson(db.issueTypes.must(data.typeId)),
});
const reviewRequest: Members<'review requested' | 'review request removed'> = (context, { actorId, data }) => ({
  review_requester: simpleUserById(context, actorId),
  requested_reviewer: simpleUserById(context, data.userId),
});

/** Events between two issues name the other one, or `null` when the viewer may not know of it. */
const subIssue: Members<'sub-issue added' | 'sub-issue removed'> = (context, { subjectId, data }) =>
  subjectId === data.parentId
    ? { sub_issue: issueReference(context, data.childId) }
    : { parent_issue: issueReference(context, data.parentId) };
const dependency: Members<'dependency added' | 'dependency removed'> = (context, { subjectId, data }) =>
  subjectId === data.blockedId
    ? { blocked_by: issueReference(context, data.blockingId) }
    : { blocking: issueReference(context, data.blockedId) };

/** The members that only some kinds of event have. */
const OWN_MEMBERS: { readonly [N in EventName]?: Members<N> } = {
  labeled: label,
  unlabeled: label,
  assigned: assignee,
  unassigned: assignee,
  milestoned: milestone,
  demilestoned: milestone,
  renamed: (_, { data }) => ({ rename: { from: data.from, to: data.to } }),
  closed: (_, { data }) => ({ state_reason: data.reason }),
  locked: (_, { data }) => ({ lock_reason: data.reason }),
  typed: issueType,
  untyped: issueType,
  'review requested': reviewRequest,
  'review request removed': reviewRequest,
  'review dismissed': (_, { data }) => ({
    dismissed_review: {
      state: data.formerState.toLowerCase(),
      review_id: data.reviewId,
      dismissal_message: data.message,
    },
  }),
  'sub-issue added': subIssue,
  'sub-issue removed': subIssue,
  'dependency added': dependency,
  'dependency removed': dependency,
};

function issueReference(context: Context, id: number) {
  const { db, viewer } = context;
  const issue = db.issues.get(id);
  const repository = issue === undefined ? undefined : db.repositories.must(issue.repositoryId);
  if (issue === undefined || repository === undefined || !canSee(db, viewer, repository)) return null;
  const type = issue.typeId === null ? null : db.issueTypes.must(issue.typeId);
  return {
    number: issue.number,
    title: issue.title,
    state: issue.state,
    state_reason: issue.stateReason,
    repository: minimalRepositoryJson(context, repository),
    issue_type:
      type === null
        ? null
        : { id: type.id, node_id: formatNodeId('issueTypes', type.id), name: type.name, color: type.color },
  } satisfies Schemas['nullable-issue-reference'];
}
