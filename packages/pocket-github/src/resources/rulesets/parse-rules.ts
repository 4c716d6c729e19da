import { z } from 'zod';
import { parseStrictly } from '../../http/unmodelled-keys.js';
import { UnmodelledError, unprocessable } from '../../world/errors.js';
import type { BranchRules } from '../../world/model.js';
import { NO_RULES } from '../protection/effective-rules.js';
import { MERGE_METHODS, QUEUE_AS_MODELLED } from './format-rules.js';

export interface GivenRule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

const pullRequest = z.object({
  allowed_merge_methods: z.array(z.enum(MERGE_METHODS)).optional(),
  dismiss_stale_reviews_on_push: z.boolean(),
  require_code_owner_review: z.boolean(),
  require_last_push_approval: z.boolean(),
  required_approving_review_count: z.number().int().min(0).max(10),
  required_review_thread_resolution: z.boolean(),
});

const statusChecks = z.object({
  do_not_enforce_on_create: z.boolean().optional(),
  required_status_checks: z.array(z.strictObject({ context: z.string(), integration_id: z.number().int().nullish() })),
  strict_required_status_checks_policy: z.boolean(),
});

const mergeQueue = z.object({
  check_response_timeout_minutes: z.number().int().min(1).max(360),
  grouping_strategy: z.enum(['ALLGREEN', 'HEADGREEN']),
  max_entries_to_build: z.number().int().min(0).max(100),
  max_entries_to_merge: z.number().int().min(0).max(100),
  merge_method: z.enum(['MERGE', 'SQUASH', 'REBASE']),
  min_entries_to_merge: z.number().int().min(0).max(100),
  min_entries_to_merge_wait_minutes: z.number().int().min(0).max(360),
});

const update = z.object({ update_allows_fetch_and_merge: z.boolean().optional() });

function parametersOf<S extends z.ZodObject>(schema: S, rule: GivenRule): z.infer<S> {
  if (rule.parameters === undefined) throw unprocessable(`Validation Failed: the rule ${rule.type} needs parameters.`);
  return parseStrictly(schema, rule.parameters, `parameter of the rule ${rule.type}`) as z.infer<S>;
}

function mustBe(what: string, given: boolean | number | string | undefined, modelled: boolean | number | string): void {
  if (given !== undefined && given !== modelled) throw new UnmodelledError(`${what} ${given}`);
}

/** The rules Pocket enforces, by GitHub's name, and how each is taken in. */
const READERS: Readonly<Record<string, (rule: GivenRule) => Partial<BranchRules>>> = {
  deletion: () => ({ blockDeletions: true }),
  non_fast_forward: () => ({ blockForcePushes: true }),
  required_linear_history: () => ({ requireLinearHistory: true }),
  update: (rule) => {
    const { update_allows_fetch_and_merge } = parseStrictly(
      update,
      rule.parameters ?? {},
      'parameter of the rule update',
    ) as z.infer<typeof update>;
    mustBe('update_allows_fetch_and_merge', update_allows_fetch_and_merge, false);
    return { restrictUpdates: true };
  },
  pull_request: (rule) => {
    const given = parametersOf(pullRequest, rule);
    mustBe('require_code_owner_review', given.require_code_owner_review, false);
    mustBe('require_last_push_approval', given.require_last_push_approval, false);
    const missing = MERGE_METHODS.filter((method) => given.allowed_merge_methods?.includes(method) === false);
    if (missing.length > 0) throw new UnmodelledError(`allowed_merge_methods without ${missing.join(' and ')}`);
    return {
      requirePullRequest: true,
      requiredApprovals: given.required_approving_review_count,
      dismissStaleReviews: given.dismiss_stale_reviews_on_push,
      requireThreadResolution: given.required_review_thread_resolution,
    };
  },
  required_status_checks: (rule) => {
    const given = parametersOf(statusChecks, rule);
    mustBe('do_not_enforce_on_create', given.do_not_enforce_on_create, false);
    return {
      requiredChecks: given.required_status_checks.map(({ context, integration_id }) => ({
        context,
        appId: integration_id ?? null,
      })),
      strictChecks: given.strict_required_status_checks_policy,
    };
  },
  merge_queue: (rule) => {
    const given = parametersOf(mergeQueue, rule);
    for (const [name, value] of Object.entries(QUEUE_AS_MODELLED)) {
      mustBe(`a merge queue with ${name}`, given[name as keyof typeof QUEUE_AS_MODELLED], value);
    }
    return {
      mergeQueue: {
        method: given.merge_method.toLowerCase() as Lowercase<typeof given.merge_method>,
        checkTimeoutMs: given.check_response_timeout_minutes * 60_000,
        maxEntriesToMerge: given.max_entries_to_merge,
      },
    };
  },
};

export function parseRules(list: readonly GivenRule[]): BranchRules {
  return list.reduce<BranchRules>((rules, rule) => {
    const read = READERS[rule.type];
    if (read === undefined) throw new UnmodelledError(`the rule "${rule.type}" of rulesets`);
    return { ...rules, ...read(rule) };
  }, NO_RULES);
}
