import type { BranchRules, Pull } from '../../../world/model.js';
import type { Tables } from '../../../world/tables.js';
import type { World } from '../../../world/world.js';
import { latestRuns, latestStatuses, requiredChecksProblem } from '../../checks/required.js';
import { effectiveRules } from '../../protection/effective-rules.js';
import { approvalsOf, reviewDecision, unresolvedThreads } from '../../reviews/decision.js';

/** REST's `mergeable_state`; GraphQL's `mergeStateStatus` is the same in capitals. */
export type MergeState =
  /** Still being computed, or no longer open. */
  | 'unknown'
  /** In conflict with base. */
  | 'dirty'
  | 'draft'
  /** A rule of the base branch is not satisfied. */
  | 'blocked'
  /** Everything else is satisfied, but the head must contain the tip of base first. */
  | 'behind'
  /** May be merged, although a check that is not required has not passed. */
  | 'unstable'
  | 'clean';

/** Whether clients are told what the trial merge found. */
export function isMergeabilityKnown(world: World, pull: Pull, db: Tables = world.tables): boolean {
  return db.issues.must(pull.issueId).state === 'open' && world.now() >= pull.mergeableKnownAt;
}

/** What clients are told; GitHub reports one state only, and those named first in `MergeState` hide the others. */
export function mergeStateOf(world: World, pull: Pull, db: Tables = world.tables): MergeState {
  return isMergeabilityKnown(world, pull, db) ? settledMergeState(db, pull) : 'unknown';
}

/** The state of an open pull request once its mergeability is known. */
export function settledMergeState(db: Tables, pull: Pull): MergeState {
  if (!pull.trial.mergeable) return 'dirty';
  if (pull.draft) return 'draft';
  const rules = effectiveRules(db, db.repositories.must(pull.repositoryId), pull.baseRef);
  if (unmetRules(db, pull, rules).length > 0) return 'blocked';
  if (isTooFarBehind(pull, rules)) return 'behind';
  return hasOnlyPassingChecks(db, pull) ? 'clean' : 'unstable';
}

/** Whether the base branch wants its tip in the head; as on GitHub, only where checks are required at all. */
export function isTooFarBehind(pull: Pull, rules: BranchRules): boolean {
  return rules.strictChecks && rules.requiredChecks.length > 0 && pull.trial.behind;
}

/** What keeps a pull request out of its base branch by these rules, in GitHub's words. */
export function unmetRules(db: Tables, pull: Pull, rules: BranchRules): string[] {
  const unmet: string[] = [];
  if (rules.restrictUpdates) unmet.push('Cannot update this protected ref.');
  const review = reviewProblem(db, pull, rules);
  if (review !== null) unmet.push(review);
  if (rules.requireThreadResolution && unresolvedThreads(db, pull).length > 0) {
    unmet.push('A conversation must be resolved before this pull request can be merged.');
  }
  const checks = requiredChecksProblem(db, db.repositories.must(pull.repositoryId), rules, pull.headOid);
  if (checks !== null) unmet.push(checks);
  return unmet;
}

function reviewProblem(db: Tables, pull: Pull, { requiredApprovals }: BranchRules): string | null {
  if (requiredApprovals === 0) return null;
  if (approvalsOf(db, pull).length < requiredApprovals) {
    const reviews = requiredApprovals === 1 ? 'approving review is' : 'approving reviews are';
    return `At least ${requiredApprovals} ${reviews} required by reviewers with write access.`;
  }
  return reviewDecision(db, pull) === 'CHANGES_REQUESTED'
    ? 'Changes were requested by a reviewer with write access.'
    : null;
}

function hasOnlyPassingChecks(db: Tables, pull: Pull): boolean {
  const repository = db.repositories.must(pull.repositoryId);
  const passes = ['success', 'neutral', 'skipped'];
  return (
    latestRuns(db, repository, pull.headOid).every(
      (run) => run.conclusion !== null && passes.includes(run.conclusion),
    ) && latestStatuses(db, repository, pull.headOid).every((status) => status.state === 'success')
  );
}
