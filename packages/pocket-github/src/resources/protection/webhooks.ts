import { type PayloadBuilders, webhook } from '../../webhooks/payload.js';
import type { BranchProtection } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { requiresChecks } from './protection-json.js';

type Level = 'off' | 'non_admins' | 'everyone';

/** Whom a rule binds. */
const level = ({ enforceAdmins }: BranchProtection, on: boolean): Level =>
  on ? (enforceAdmins ? 'everyone' : 'non_admins') : 'off';

/** Permissions are given to everyone or to nobody. */
const allowed = (on: boolean): Level => (on ? 'everyone' : 'off');

function ruleJson(protection: BranchProtection) {
  const { rules } = protection;
  return {
    id: protection.id,
    repository_id: protection.repositoryId,
    name: protection.pattern,
    created_at: isoTime(protection.createdAt),
    updated_at: isoTime(protection.updatedAt),
    pull_request_reviews_enforcement_level: level(protection, rules.requirePullRequest),
    required_approving_review_count: rules.requiredApprovals,
    dismiss_stale_reviews_on_push: rules.dismissStaleReviews,
    require_code_owner_review: false,
    authorized_dismissal_actors_only: false,
    ignore_approvals_from_contributors: false,
    required_status_checks: rules.requiredChecks.map(({ context }) => context),
    required_status_checks_enforcement_level: level(protection, requiresChecks(rules)),
    strict_required_status_checks_policy: rules.strictChecks,
    signature_requirement_enforcement_level: level(protection, false),
    linear_history_requirement_enforcement_level: level(protection, rules.requireLinearHistory),
    lock_branch_enforcement_level: level(protection, false),
    admin_enforced: protection.enforceAdmins,
    allow_force_pushes_enforcement_level: allowed(!rules.blockForcePushes),
    allow_deletions_enforcement_level: allowed(!rules.blockDeletions),
    merge_queue_enforcement_level: level(protection, rules.mergeQueue !== null),
    required_deployments_enforcement_level: level(protection, false),
    required_conversation_resolution_level: level(protection, rules.requireThreadResolution),
    authorized_actors_only: rules.restrictUpdates,
    authorized_actor_names: [],
  };
}

/** The members whose changes GitHub reports. */
const REPORTED = [
  'admin_enforced',
  'authorized_actors_only',
  'linear_history_requirement_enforcement_level',
  'pull_request_reviews_enforcement_level',
  'required_status_checks',
  'required_status_checks_enforcement_level',
] as const;

function changesFrom(before: BranchProtection, after: BranchProtection) {
  const [old, now] = [ruleJson(before), ruleJson(after)];
  const changed = REPORTED.filter((member) => JSON.stringify(old[member]) !== JSON.stringify(now[member]));
  return Object.fromEntries(changed.map((member) => [member, { from: old[member] }]));
}

export const protectionPayloads: PayloadBuilders = {
  'branch protection created': ({ db }, { data }) =>
    webhook('branch_protection_rule', 'webhook-branch-protection-rule-created', {
      action: 'created',
      rule: ruleJson(db.protections.must(data.protectionId)),
    }),
  'branch protection edited': ({ db }, { data }) => {
    const protection = db.protections.must(data.protectionId);
    return webhook('branch_protection_rule', 'webhook-branch-protection-rule-edited', {
      action: 'edited',
      rule: ruleJson(protection),
      changes: changesFrom(data.before, protection),
    });
  },
  'branch protection deleted': (_, { data }) =>
    webhook('branch_protection_rule', 'webhook-branch-protection-rule-deleted', {
      action: 'deleted',
      rule: ruleJson(data.protection),
    }),
};
