import type { components } from '@octokit/openapi-types';
import type { BranchRules, MergeQueueRule } from '../../world/model.js';

type ModelledType =
  | 'deletion'
  | 'merge_queue'
  | 'non_fast_forward'
  | 'pull_request'
  | 'required_linear_history'
  | 'required_status_checks'
  | 'update';
type ShownRule = Extract<components['schemas']['repository-rule'], { type: ModelledType }>;

export const MERGE_METHODS = ['merge', 'squash', 'rebase'] as const;

/** What Pocket's merge queue does; other values of these would have no effect. */
export const QUEUE_AS_MODELLED = {
  grouping_strategy: 'ALLGREEN',
  max_entries_to_build: 100,
  min_entries_to_merge: 1,
  min_entries_to_merge_wait_minutes: 0,
} as const;

/** Rules as the list GitHub shows. */
export function formatRules(rules: BranchRules): ShownRule[] {
  const list: ShownRule[] = [];
  if (rules.blockDeletions) list.push({ type: 'deletion' });
  if (rules.blockForcePushes) list.push({ type: 'non_fast_forward' });
  if (rules.restrictUpdates) list.push({ type: 'update' });
  if (rules.requireLinearHistory) list.push({ type: 'required_linear_history' });
  if (rules.mergeQueue !== null) list.push(formatMergeQueue(rules.mergeQueue));
  if (rules.requirePullRequest) list.push(formatPullRequest(rules));
  if (rules.requiredChecks.length > 0) list.push(formatStatusChecks(rules));
  return list;
}

function formatPullRequest(rules: BranchRules): ShownRule {
  return {
    type: 'pull_request',
    parameters: {
      allowed_merge_methods: [...MERGE_METHODS],
      dismiss_stale_reviews_on_push: rules.dismissStaleReviews,
      require_code_owner_review: false,
      require_last_push_approval: false,
      required_approving_review_count: rules.requiredApprovals,
      required_review_thread_resolution: rules.requireThreadResolution,
    },
  };
}

function formatStatusChecks({ requiredChecks, strictChecks }: BranchRules): ShownRule {
  return {
    type: 'required_status_checks',
    parameters: {
      do_not_enforce_on_create: false,
      required_status_checks: requiredChecks.map(({ context, appId }) => ({
        context,
        ...(appId === null ? {} : { integration_id: appId }),
      })),
      strict_required_status_checks_policy: strictChecks,
    },
  };
}

function formatMergeQueue({ method, checkTimeoutMs, maxEntriesToMerge }: MergeQueueRule): ShownRule {
  return {
    type: 'merge_queue',
    parameters: {
      ...QUEUE_AS_MODELLED,
      check_response_timeout_minutes: Math.round(checkTimeoutMs / 60_000),
      max_entries_to_merge: maxEntriesToMerge,
      merge_method: method.toUpperCase() as Uppercase<typeof method>,
    },
  };
}
