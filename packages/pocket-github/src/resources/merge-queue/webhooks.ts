import type { components } from '@octokit/openapi-webhooks-types';
import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { DequeueReason, MergeGroupFacts } from '../../world/events.js';
import { isoTime } from '../../world/time.js';
import { pullJson } from '../pulls/pull-json.js';

type WebhookReason = components['schemas']['webhook-pull-request-dequeued']['reason'];

const REASONS: { readonly [R in DequeueReason]: WebhookReason } = {
  manual: 'MANUAL',
  merged: 'MERGE',
  merge_conflict: 'MERGE_CONFLICT',
  failed_checks: 'CI_FAILURE',
  checks_timed_out: 'CI_TIMEOUT',
  branch_protections: 'BRANCH_PROTECTIONS',
  queue_cleared: 'QUEUE_CLEARED',
  pull_request_changed: 'UNKNOWN_REMOVAL_REASON',
};

function about(context: PayloadContext, { subjectId }: { readonly subjectId: number | null }) {
  const [pull] = context.db.pulls.by('issueId', subjectId ?? 0);
  if (pull === undefined) throw new Error(`merge queue event about ${subjectId}, which is no pull request`);
  return { number: pull.number, pull_request: pullJson(context, pull) };
}

async function mergeGroup({ world }: PayloadContext, repositoryId: number | null, facts: MergeGroupFacts) {
  const commit = await world.git(repositoryId ?? 0).commit(facts.headOid);
  if (commit === null) throw new Error(`merge group ${facts.ref} is on ${facts.headOid}, which is not a commit`);
  const { author, committer } = commit;
  return {
    head_sha: facts.headOid,
    head_ref: facts.ref,
    base_sha: facts.baseOid,
    base_ref: facts.baseRef,
    head_commit: {
      id: commit.oid,
      tree_id: commit.tree,
      message: commit.message.trimEnd(),
      timestamp: isoTime(committer.at),
      author: { name: author.name, email: author.email },
      committer: { name: committer.name, email: committer.email },
    },
  };
}

export const mergeQueuePayloads: PayloadBuilders = {
  enqueued: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-enqueued', { action: 'enqueued', ...about(context, event) }),
  dequeued: (context, event) =>
    webhook('pull_request', 'webhook-pull-request-dequeued', {
      action: 'dequeued',
      reason: REASONS[event.data.reason],
      ...about(context, event),
    }),
  'merge group requested': async (context, event) =>
    webhook('merge_group', 'webhook-merge-group-checks-requested', {
      action: 'checks_requested',
      merge_group: await mergeGroup(context, event.repositoryId, event.data),
    }),
  'merge group destroyed': async (context, event) =>
    webhook('merge_group', 'webhook-merge-group-destroyed', {
      action: 'destroyed',
      reason: event.data.reason,
      merge_group: await mergeGroup(context, event.repositoryId, event.data),
    }),
};
