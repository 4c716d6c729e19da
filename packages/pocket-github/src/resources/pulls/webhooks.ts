import { type PayloadBuilder, type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { AnyWorldEvent, EventName } from '../../world/events.js';
import type { Pull } from '../../world/model.js';
import { labelJson } from '../labels/label-json.js';
import { milestoneJson } from '../milestones/milestone-json.js';
import { simpleUserById } from '../users/user-json.js';
import { pullJson } from './pull-json.js';

/** What every `pull_request` webhook says. */
function about(context: PayloadContext, event: { readonly subjectId: number | null }) {
  const pull = pullOf(context, event);
  return { number: pull.number, pull_request: pullJson(context, pull) };
}

function pullOf({ db }: PayloadContext, { subjectId }: { readonly subjectId: number | null }): Pull {
  const [pull] = db.pulls.by('issueId', subjectId ?? 0);
  if (pull === undefined) throw new Error(`event about ${subjectId}, which is no pull request`);
  return pull;
}

/** What happens to the issue half of a pull request. */
const subjectPayloads: PayloadBuilders = {
  opened: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-opened', { action: 'opened', ...about(context, event) }),
  edited: (context, event) => {
    const { title, body } = event.data;
    const changes = {
      ...(title === undefined ? {} : { title: { from: title } }),
      ...(body === undefined ? {} : { body: { from: body ?? '' } }),
    };
    return webhook('pull_request', 'webhook-pull-request-edited', {
      action: 'edited',
      changes,
      ...about(context, event),
    });
  },
  closed: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-closed', { action: 'closed', ...about(context, event) }),
  reopened: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-reopened', { action: 'reopened', ...about(context, event) }),
  labeled: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-labeled', {
      action: 'labeled',
      label: labelJson(context, context.db.labels.must(event.data.labelId)),
      ...about(context, event),
    }),
  unlabeled: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-unlabeled', {
      action: 'unlabeled',
      label: labelJson(context, context.db.labels.must(event.data.labelId)),
      ...about(context, event),
    }),
  assigned: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-assigned', {
      action: 'assigned',
      assignee: simpleUserById(context, event.data.userId),
      ...about(context, event),
    }),
  unassigned: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-unassigned', {
      action: 'unassigned',
      assignee: simpleUserById(context, event.data.userId),
      ...about(context, event),
    }),
  milestoned: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-milestoned', {
      action: 'milestoned',
      milestone: milestoneJson(context, context.db.milestones.must(event.data.milestoneId)),
      ...about(context, event),
    }),
  demilestoned: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-demilestoned', {
      action: 'demilestoned',
      milestone: milestoneJson(context, context.db.milestones.must(event.data.milestoneId)),
      ...about(context, event),
    }),
  locked: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-locked', { action: 'locked', ...about(context, event) }),
  unlocked: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-unlocked', { action: 'unlocked', ...about(context, event) }),
};

/**
 * What happened to the issue half of a pull request, told as `pull_request`. Called by the issues' webhooks for every
 * event whose subject is a pull request.
 */
export function pullSubjectWebhook(
  context: PayloadContext,
  event: AnyWorldEvent,
): ReturnType<PayloadBuilder<EventName>> {
  const build = subjectPayloads[event.name] as PayloadBuilder<EventName> | undefined;
  return build?.(context, event) ?? null;
}

/** What happens to pull requests only. */
export const pullPayloads: PayloadBuilders = {
  synchronized: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-synchronize', {
      action: 'synchronize',
      ...event.data,
      ...about(context, event),
    }),
  'base changed': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-edited', {
      action: 'edited',
      changes: { base: { ref: { from: event.data.from }, sha: { from: event.data.fromOid } } },
      ...about(context, event),
    }),
  'converted to draft': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-converted-to-draft', {
      action: 'converted_to_draft',
      ...about(context, event),
    }),
  'ready for review': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-ready-for-review', {
      action: 'ready_for_review',
      ...about(context, event),
    }),
  'review requested': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-review-requested', {
      action: 'review_requested',
      requested_reviewer: simpleUserById(context, event.data.userId),
      ...about(context, event),
    }),
  'review request removed': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-review-request-removed', {
      action: 'review_request_removed',
      requested_reviewer: simpleUserById(context, event.data.userId),
      ...about(context, event),
    }),
  'auto-merge enabled': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-auto-merge-enabled', {
      action: 'auto_merge_enabled',
      ...about(context, event),
    }),
  'auto-merge disabled': (context, event) =>
    webhook('pull_request', 'webhook-pull-request-auto-merge-disabled', {
      action: 'auto_merge_disabled',
      reason: event.data.reason,
      ...about(context, event),
    }),
};
