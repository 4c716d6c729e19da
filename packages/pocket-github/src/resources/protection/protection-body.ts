import { z } from 'zod';
import { UnmodelledError, unprocessable } from '../../world/errors.js';
import type { Repository, RequiredCheck } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { NO_RULES } from './effective-rules.js';
import { type ProtectionSettings, requiredByName } from './rules.js';

const flag = z.boolean().nullish();
const checks = {
  contexts: z.array(z.string()).optional(),
  checks: z.array(z.strictObject({ context: z.string(), app_id: z.number().int().optional() })).optional(),
};

export const requiredChecksBody = z.object({ strict: z.boolean().optional(), ...checks });

const reviews = z.strictObject({
  dismiss_stale_reviews: z.boolean().optional(),
  require_code_owner_reviews: z.boolean().optional(),
  require_last_push_approval: z.boolean().optional(),
  required_approving_review_count: z.number().int().min(0).max(6).optional(),
});

const nobody = z.array(z.string()).optional();

export const protectionBody = z.object({
  required_status_checks: z.strictObject({ strict: z.boolean(), ...checks }).nullable(),
  enforce_admins: z.boolean().nullable(),
  required_pull_request_reviews: reviews.nullable(),
  restrictions: z.strictObject({ users: nobody, teams: nobody, apps: nobody }).nullable(),
  required_linear_history: flag,
  allow_force_pushes: flag,
  allow_deletions: flag,
  required_conversation_resolution: flag,
  block_creations: flag,
  lock_branch: flag,
  allow_fork_syncing: flag,
});
export type ProtectionBody = z.infer<typeof protectionBody>;

/** The settings a request asks for; what Pocket cannot enforce is refused by name. */
export function settingsIn(db: Tables, repository: Repository, body: ProtectionBody): ProtectionSettings {
  refuseUnmodelled(body);
  const reviewed = body.required_pull_request_reviews;
  return {
    enforceAdmins: body.enforce_admins ?? false,
    rules: {
      ...NO_RULES,
      requirePullRequest: reviewed !== null,
      requiredApprovals: reviewed === null ? 0 : (reviewed.required_approving_review_count ?? 1),
      dismissStaleReviews: reviewed?.dismiss_stale_reviews ?? false,
      requireThreadResolution: body.required_conversation_resolution ?? false,
      requiredChecks: checksIn(db, repository, body.required_status_checks ?? {}) ?? [],
      strictChecks: body.required_status_checks?.strict ?? false,
      blockForcePushes: body.allow_force_pushes !== true,
      blockDeletions: body.allow_deletions !== true,
      requireLinearHistory: body.required_linear_history ?? false,
      restrictUpdates: body.restrictions !== null,
    },
  };
}

/** The checks a request names, in either of GitHub's two forms; `undefined` when it names none. */
export function checksIn(
  db: Tables,
  repository: Repository,
  given: z.infer<typeof requiredChecksBody>,
): readonly RequiredCheck[] | undefined {
  if (
    given.contexts !== undefined &&
    given.checks !== undefined &&
    given.contexts.length > 0 &&
    given.checks.length > 0
  ) {
    throw unprocessable('Invalid request.\n\nOnly one of "contexts" and "checks" may be given.');
  }
  const named = given.checks ?? given.contexts?.map((context) => ({ context, app_id: undefined }));
  return named?.map(({ context, app_id }) => {
    if (app_id === undefined) return requiredByName(db, repository, context);
    return { context, appId: app_id === -1 ? null : app_id };
  });
}

function refuseUnmodelled(body: ProtectionBody): void {
  const reviewed = body.required_pull_request_reviews;
  const wanted = {
    block_creations: body.block_creations,
    lock_branch: body.lock_branch,
    allow_fork_syncing: body.allow_fork_syncing,
    require_code_owner_reviews: reviewed?.require_code_owner_reviews,
    require_last_push_approval: reviewed?.require_last_push_approval,
    'restrictions with users, teams or apps': Object.values(body.restrictions ?? {}).some(
      (list) => (list ?? []).length > 0,
    ),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (value === true) throw new UnmodelledError(`branch protection with ${name}`);
  }
}
