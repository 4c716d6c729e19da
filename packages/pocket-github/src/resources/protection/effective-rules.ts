import { atLeast, roleOf } from '../../identity/access.js';
import type { BranchProtection, BranchRules, Repository, RequiredCheck, Ruleset } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor } from '../../world/world.js';
import { isWildcard, matchesPattern } from './ref-pattern.js';

/** What an unprotected branch demands. */
export const NO_RULES: BranchRules = {
  requirePullRequest: false,
  requiredApprovals: 0,
  dismissStaleReviews: false,
  requireThreadResolution: false,
  requiredChecks: [],
  strictChecks: false,
  blockForcePushes: false,
  blockDeletions: false,
  requireLinearHistory: false,
  restrictUpdates: false,
  mergeQueue: null,
};

/** Where rules come from: it decides the words of a refusal. */
export interface RuleSource {
  readonly kind: 'protection' | 'ruleset';
  readonly id: number;
  readonly rules: BranchRules;
}

/**
 * What a branch (`main`, without `refs/heads/`) demands, from classic protection and all active rulesets together.
 * With an actor, rules that do not bind this actor are left out.
 */
export function effectiveRules(db: Tables, repository: Repository, branch: string, actor?: Actor): BranchRules {
  return ruleSources(db, repository, `refs/heads/${branch}`, actor).reduce(
    (sum, { rules }) => strictest(sum, rules),
    NO_RULES,
  );
}

/** Everything that binds a ref (full name), each with its origin. */
export function ruleSources(db: Tables, repository: Repository, ref: string, actor?: Actor): RuleSource[] {
  const sources: RuleSource[] = [];
  const protection = ref.startsWith('refs/heads/')
    ? protectionOf(db, repository, ref.slice('refs/heads/'.length))
    : undefined;
  if (protection !== undefined) {
    const rules = actor === undefined ? protection.rules : protectionBinding(db, repository, protection, actor);
    sources.push({ kind: 'protection', id: protection.id, rules });
  }
  for (const ruleset of rulesetsOf(db, repository, ref)) {
    if (actor !== undefined && isBypassedBy(db, repository, ruleset, actor)) continue;
    sources.push({ kind: 'ruleset', id: ruleset.id, rules: ruleset.rules });
  }
  return sources;
}

/** Whether anything at all protects a branch, for whomever. */
export function isProtected(db: Tables, repository: Repository, branch: string): boolean {
  return ruleSources(db, repository, `refs/heads/${branch}`).length > 0;
}

/** The one classic protection that applies: by exact name, else the oldest matching pattern. */
export function protectionOf(db: Tables, repository: Repository, branch: string): BranchProtection | undefined {
  const rows = db.protections.by('repositoryId', repository.id);
  return (
    rows.find(({ pattern }) => !isWildcard(pattern) && pattern === branch) ??
    rows.find(({ pattern }) => isWildcard(pattern) && matchesPattern(pattern, branch))
  );
}

/** The active rulesets that aim at a ref (full name). */
export function rulesetsOf(db: Tables, repository: Repository, ref: string): Ruleset[] {
  const target = ref.startsWith('refs/heads/') ? 'branch' : ref.startsWith('refs/tags/') ? 'tag' : null;
  return db.rulesets
    .by('repositoryId', repository.id)
    .filter(
      (ruleset) =>
        ruleset.target === target &&
        ruleset.enforcement === 'active' &&
        ruleset.include.some((pattern) => aimsAt(repository, pattern, ref)) &&
        !ruleset.exclude.some((pattern) => aimsAt(repository, pattern, ref)),
    );
}

function aimsAt(repository: Repository, pattern: string, ref: string): boolean {
  if (pattern === '~ALL') return true;
  if (pattern === '~DEFAULT_BRANCH') return ref === `refs/heads/${repository.defaultBranch}`;
  return matchesPattern(pattern, ref);
}

/** Administrators pass all but the two rules GitHub lists as "applied to everyone including administrators". */
function protectionBinding(
  db: Tables,
  repository: Repository,
  protection: BranchProtection,
  actor: Actor,
): BranchRules {
  const { rules, enforceAdmins } = protection;
  if (enforceAdmins || roleOf(db, repository, actor.userId) !== 'admin') return rules;
  return { ...NO_RULES, blockForcePushes: rules.blockForcePushes, blockDeletions: rules.blockDeletions };
}

/** Whether the actor is one of those a ruleset does not bind. */
export function isBypassedBy(db: Tables, repository: Repository, ruleset: Ruleset, actor: Actor): boolean {
  if (actor.viaAppId !== null) return ruleset.bypassAppIds.includes(actor.viaAppId);
  const role = roleOf(db, repository, actor.userId);
  return ruleset.bypassRoles.some((wanted) => atLeast(role, wanted));
}

function strictest(a: BranchRules, b: BranchRules): BranchRules {
  return {
    requirePullRequest: a.requirePullRequest || b.requirePullRequest,
    requiredApprovals: Math.max(a.requiredApprovals, b.requiredApprovals),
    dismissStaleReviews: a.dismissStaleReviews || b.dismissStaleReviews,
    requireThreadResolution: a.requireThreadResolution || b.requireThreadResolution,
    requiredChecks: unionOfChecks(a.requiredChecks, b.requiredChecks),
    strictChecks: a.strictChecks || b.strictChecks,
    blockForcePushes: a.blockForcePushes || b.blockForcePushes,
    blockDeletions: a.blockDeletions || b.blockDeletions,
    requireLinearHistory: a.requireLinearHistory || b.requireLinearHistory,
    restrictUpdates: a.restrictUpdates || b.restrictUpdates,
    mergeQueue: a.mergeQueue ?? b.mergeQueue,
  };
}

function unionOfChecks(a: readonly RequiredCheck[], b: readonly RequiredCheck[]): readonly RequiredCheck[] {
  const isNew = (check: RequiredCheck) =>
    !a.some(({ context, appId }) => context === check.context && appId === check.appId);
  return [...a, ...b.filter(isNew)];
}
