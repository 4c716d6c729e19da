import { conflict, GitHubError } from '../../../world/errors.js';
import type { MergeMethod, Oid, Pull, Repository } from '../../../world/model.js';
import type { Tables } from '../../../world/tables.js';
import type { Actor } from '../../../world/world.js';
import { effectiveRules } from '../../protection/effective-rules.js';
import { isTooFarBehind, unmetRules } from './mergeability.js';

/** A merge somebody asks for. */
export interface MergeOptions {
  /** The person whose right to bypass rules counts; if absent, rules cannot be bypassed. */
  readonly actor?: Actor;
  readonly method: MergeMethod;
  /** Where the head must be; wherever it is, without. */
  readonly expectedHead?: Oid | null | undefined;
}

const METHODS: {
  readonly [M in MergeMethod]: { readonly name: string; readonly allowed: (repository: Repository) => boolean };
} = {
  merge: { name: 'Merge commits', allowed: (repository) => repository.allowMergeCommit },
  squash: { name: 'Squash merges', allowed: (repository) => repository.allowSquashMerge },
  rebase: { name: 'Rebase merges', allowed: (repository) => repository.allowRebaseMerge },
};

const notAllowed = (message: string) => new GitHubError(405, message);

/** Why GitHub would not merge now, by state and rules; `null` if it would. */
export function mergeRefusal(db: Tables, pull: Pull, request: MergeOptions): GitHubError | null {
  const { expectedHead, method } = request;
  if (pull.mergedAt !== null || db.issues.must(pull.issueId).state === 'closed')
    return notAllowed('Pull Request is not mergeable');
  if (expectedHead != null && expectedHead !== pull.headOid) {
    return conflict('Head branch was modified. Review and try the merge again.');
  }
  if (pull.draft) return notAllowed('Pull Request is still a draft');
  const repository = db.repositories.must(pull.repositoryId);
  const { name, allowed } = METHODS[method];
  if (!allowed(repository)) return notAllowed(`${name} are not allowed on this repository.`);
  if (!pull.trial.mergeable) return notAllowed('Pull Request is not mergeable');
  return ruleRefusal(db, pull, repository, request);
}

function ruleRefusal(
  db: Tables,
  pull: Pull,
  repository: Repository,
  { actor, method }: MergeOptions,
): GitHubError | null {
  const rules = effectiveRules(db, repository, pull.baseRef, actor);
  if (rules.mergeQueue !== null) return notAllowed('Changes must be made through the merge queue');
  const [unmet] = unmetRules(db, pull, rules);
  if (unmet !== undefined) return notAllowed(unmet);
  if (isTooFarBehind(pull, rules)) return notAllowed(staleChecks(rules.requiredChecks.map((check) => check.context)));
  if (rules.requireLinearHistory && method === 'merge')
    return notAllowed('This branch must not contain merge commits.');
  if (method === 'rebase' && !pull.trial.rebaseable) return notAllowed("This branch can't be rebased");
  return null;
}

/** Checks that passed on a head that lacks the tip of base count as not reported yet. */
function staleChecks(contexts: readonly string[]): string {
  return contexts.length === 1
    ? `Required status check "${contexts[0]}" is expected.`
    : `${contexts.length} of ${contexts.length} required status checks are expected.`;
}
