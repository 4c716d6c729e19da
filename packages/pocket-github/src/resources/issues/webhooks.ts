import type { components } from '@octokit/openapi-webhooks-types';
import {
  type PayloadBuilder,
  type PayloadBuilders,
  type PayloadContext,
  type Webhook,
  webhook,
} from '../../webhooks/payload.js';
import type { AnyWorldEvent, EventName, WorldEvent } from '../../world/events.js';
import type { Issue } from '../../world/model.js';
import { issueTypeJson } from '../issue-types/issue-type-json.js';
import { labelJson } from '../labels/label-json.js';
import { milestoneJson } from '../milestones/milestone-json.js';
import { pullSubjectWebhook } from '../pulls/webhooks.js';
import { minimalRepositoryJson } from '../repositories/repository-json.js';
import { simpleUserById } from '../users/user-json.js';
import { webhookIssue } from './webhook-issue.js';

type Build<N extends EventName> = (context: PayloadContext, event: WorldEvent<N>, issue: Issue) => Webhook;

/** Changes to the issue part of a pull request are sent as `pull_request`, never as `issues`. */
function onIssue<N extends EventName>(build: Build<N>): PayloadBuilder<N> {
  return (context, event) => {
    const issue = context.db.issues.must(event.subjectId ?? 0);
    if (issue.pullId !== null) return pullSubjectWebhook(context, event as unknown as AnyWorldEvent);
    return build(context, event, issue);
  };
}

type ClosedIssue = components['schemas']['webhook-issues-closed']['issue'];

export const issuePayloads: PayloadBuilders = {
  opened: onIssue((context, event, issue) =>
    webhook('issues', 'webhook-issues-opened', {
      action: 'opened',
      issue: webhookIssue(context, issue),
      ...origin(context, event.data.transferredFromId),
    }),
  ),
  edited: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-edited', {
      action: 'edited',
      issue: webhookIssue(context, issue),
      changes: {
        ...(data.title === undefined ? {} : { title: { from: data.title } }),
        ...(data.body === undefined ? {} : { body: { from: data.body ?? '' } }),
      },
    }),
  ),
  closed: onIssue((context, _, issue) =>
    webhook('issues', 'webhook-issues-closed', {
      action: 'closed',
      // The published schema wants the assignees of a closed issue to be objects without members.
      issue: webhookIssue(context, issue) as unknown as ClosedIssue,
    }),
  ),
  reopened: onIssue((context, _, issue) =>
    webhook('issues', 'webhook-issues-reopened', { action: 'reopened', issue: webhookIssue(context, issue) }),
  ),
  labeled: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-labeled', {
      action: 'labeled',
      issue: webhookIssue(context, issue),
      label: labelJson(context, context.db.labels.must(data.labelId)),
    }),
  ),
  unlabeled: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-unlabeled', {
      action: 'unlabeled',
      issue: webhookIssue(context, issue),
      label: labelJson(context, context.db.labels.must(data.labelId)),
    }),
  ),
  assigned: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-assigned', {
      action: 'assigned',
      issue: webhookIssue(context, issue),
      assignee: simpleUserById(context, data.userId),
    }),
  ),
  unassigned: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-unassigned', {
      action: 'unassigned',
      issue: webhookIssue(context, issue),
      assignee: simpleUserById(context, data.userId),
    }),
  ),
  milestoned: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-milestoned', {
      action: 'milestoned',
      issue: webhookIssue(context, issue),
      milestone: milestoneJson(context, context.db.milestones.must(data.milestoneId)),
    }),
  ),
  demilestoned: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-demilestoned', {
      action: 'demilestoned',
      issue: webhookIssue(context, issue),
      milestone: milestoneJson(context, context.db.milestones.must(data.milestoneId)),
    }),
  ),
  locked: onIssue((context, _, issue) =>
    webhook('issues', 'webhook-issues-locked', {
      action: 'locked',
      issue: { ...webhookIssue(context, issue), locked: true },
    }),
  ),
  unlocked: onIssue((context, _, issue) =>
    webhook('issues', 'webhook-issues-unlocked', {
      action: 'unlocked',
      issue: { ...webhookIssue(context, issue), locked: false },
    }),
  ),
  typed: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-typed', {
      action: 'typed',
      issue: webhookIssue(context, issue),
      type: issueTypeJson(context.db.issueTypes.must(data.typeId)),
    }),
  ),
  untyped: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-untyped', {
      action: 'untyped',
      issue: webhookIssue(context, issue),
      type: issueTypeJson(context.db.issueTypes.must(data.typeId)),
    }),
  ),
  transferred: onIssue((context, { data }, issue) =>
    webhook('issues', 'webhook-issues-transferred', {
      action: 'transferred',
      issue: webhookIssue(context, issue),
      changes: {
        new_issue: webhookIssue(context, context.db.issues.must(data.newIssueId)),
        new_repository: minimalRepositoryJson(context, context.db.repositories.must(data.toRepositoryId)),
      },
    }),
  ),
  deleted: onIssue((context, _, issue) =>
    webhook('issues', 'webhook-issues-deleted', { action: 'deleted', issue: webhookIssue(context, issue) }),
  ),
};

function origin(context: PayloadContext, fromId: number | undefined) {
  if (fromId === undefined) return {};
  const old = context.db.issues.must(fromId);
  return {
    changes: {
      old_issue: webhookIssue(context, old),
      old_repository: minimalRepositoryJson(context, context.db.repositories.must(old.repositoryId)),
    },
  };
}
