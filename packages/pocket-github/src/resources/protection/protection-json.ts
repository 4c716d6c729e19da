import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { BranchProtection, BranchRules, Repository } from '../../world/model.js';

export function protectionUrl({ db, urls }: Scope, repository: Repository, branch: string): string {
  return `${urls.api}/repos/${fullName(db, repository)}/branches/${encodeURIComponent(branch)}/protection`;
}

/** Checks are required when there are any, or when branches must be up to date. */
export function requiresChecks({ requiredChecks, strictChecks }: BranchRules): boolean {
  return requiredChecks.length > 0 || strictChecks;
}

/** A branch's protection as administrators see it. What GitHub leaves out when it is off is left out. */
export function protectionJson(
  scope: Scope,
  repository: Repository,
  branch: string,
  { rules, enforceAdmins }: BranchProtection,
) {
  const url = protectionUrl(scope, repository, branch);
  return {
    url,
    ...(requiresChecks(rules) ? { required_status_checks: requiredChecksJson(url, rules) } : {}),
    ...(rules.requirePullRequest ? { required_pull_request_reviews: reviewsJson(url, rules) } : {}),
    ...(rules.restrictUpdates ? { restrictions: restrictionsJson(url) } : {}),
    required_signatures: { url: `${url}/required_signatures`, enabled: false },
    enforce_admins: enforceAdminsJson(url, enforceAdmins),
    required_linear_history: { enabled: rules.requireLinearHistory },
    allow_force_pushes: { enabled: !rules.blockForcePushes },
    allow_deletions: { enabled: !rules.blockDeletions },
    block_creations: { enabled: false },
    required_conversation_resolution: { enabled: rules.requireThreadResolution },
    lock_branch: { enabled: false },
    allow_fork_syncing: { enabled: false },
  } satisfies components['schemas']['branch-protection'];
}

export function requiredChecksJson(protection: string, { requiredChecks, strictChecks }: BranchRules) {
  const url = `${protection}/required_status_checks`;
  return {
    url,
    strict: strictChecks,
    contexts: requiredChecks.map(({ context }) => context),
    contexts_url: `${url}/contexts`,
    checks: requiredChecks.map(({ context, appId }) => ({ context, app_id: appId })),
  } satisfies components['schemas']['status-check-policy'];
}

export function enforceAdminsJson(protection: string, enabled: boolean) {
  return {
    url: `${protection}/enforce_admins`,
    enabled,
  } satisfies components['schemas']['protected-branch-admin-enforced'];
}

function reviewsJson(protection: string, { dismissStaleReviews, requiredApprovals }: BranchRules) {
  return {
    url: `${protection}/required_pull_request_reviews`,
    dismiss_stale_reviews: dismissStaleReviews,
    require_code_owner_reviews: false,
    require_last_push_approval: false,
    required_approving_review_count: requiredApprovals,
  } satisfies components['schemas']['protected-branch-pull-request-review'];
}

/** Pushes are restricted to nobody: allowances are not modelled. */
function restrictionsJson(protection: string) {
  const url = `${protection}/restrictions`;
  return {
    url,
    users_url: `${url}/users`,
    teams_url: `${url}/teams`,
    apps_url: `${url}/apps`,
    users: [],
    teams: [],
    apps: [],
  } satisfies components['schemas']['branch-restriction-policy'];
}
