import type { RefUpdate } from '../../git/git-repository.js';
import type { IncomingUpdate } from '../../git/protocol/incoming-update.js';
import type { Refusal } from '../../git/protocol/receive-pack.js';
import type { Context } from '../../http/context.js';
import { hasPermission } from '../../identity/access.js';
import { actorOf, type Viewer } from '../../identity/viewer.js';
import { fullName } from '../../world/lookup.js';
import type { Repository } from '../../world/model.js';
import { requiredChecksProblem } from '../checks/required.js';
import { type RuleSource, ruleSources } from './effective-rules.js';

/** Why a ref may not move, with what the APIs need to say it in their own words instead of git's. */
export interface PushRefusal extends Refusal {
  readonly cause: RuleSource['kind'] | 'default branch' | 'workflow';
  /** The reasons against it, one sentence each. */
  readonly violations: readonly string[];
}

/** Whether a ref may move. Questions that only git can answer are returned as conditions, each with its refusal. */
type PushDecision =
  | { readonly kind: 'refuse'; readonly refusal: PushRefusal }
  | {
      readonly kind: 'allow';
      /** Refuse with this if the new value does not contain the old one. */
      readonly refuseNonFastForward: PushRefusal | null;
      /** Refuse with this if a merge commit is among the new commits. */
      readonly refuseMergeCommits: PushRefusal | null;
      /** Refuse with this if a workflow file is changed or, on a new ref, unlike the default branch's (given its path). */
      readonly refuseWorkflowChanges: ((path: string) => PushRefusal) | null;
    };

/** Who asks. That the viewer may write contents at all was checked before. */
export type PushContext = Pick<Context, 'db' | 'urls' | 'viewer'>;

const QUEUE_BRANCHES = 'refs/heads/gh-readonly-queue/';
const NOT_AUTHORIZED =
  "You're not authorized to push to this branch. Visit https://docs.github.com/articles/about-protected-branches/ for more information.";

/** The same with the answers of git, for smart HTTP and the APIs. */
export function pushPolicy(context: PushContext, repository: Repository) {
  return async (update: RefUpdate, incoming: IncomingUpdate): Promise<PushRefusal | null> => {
    const decision = decidePush(context, repository, update);
    if (decision.kind === 'refuse') return decision.refusal;
    const { refuseNonFastForward, refuseMergeCommits, refuseWorkflowChanges } = decision;
    if (refuseNonFastForward !== null && !(await incoming.isFastForward())) return refuseNonFastForward;
    if (refuseMergeCommits !== null && (await incoming.bringsMergeCommit())) return refuseMergeCommits;
    const workflow = refuseWorkflowChanges === null ? null : await incoming.changedWorkflow(repository.defaultBranch);
    return workflow === null || refuseWorkflowChanges === null ? null : refuseWorkflowChanges(workflow);
  };
}

/** Decides one ref of a push (or of any other direct update) by the rules that bind its author. */
function decidePush(context: PushContext, repository: Repository, update: RefUpdate): PushDecision {
  const { name, after } = update;
  if (after === null && name === `refs/heads/${repository.defaultBranch}`) {
    const reason = `refusing to delete the current branch: ${name}`;
    return { kind: 'refuse', refusal: { reason, cause: 'default branch', violations: [reason] } };
  }
  const refusal = (kind: RuleSource['kind'], violations: readonly string[]) =>
    refusalOf(context, repository, name, kind, violations);
  const refuse = (kind: RuleSource['kind'], violations: readonly string[]): PushDecision => ({
    kind: 'refuse',
    refusal: refusal(kind, violations),
  });
  if (name.startsWith(QUEUE_BRANCHES)) return refuse('protection', ['Cannot update this protected ref.']);
  const sources = ruleSources(context.db, repository, name, actorOf(context.viewer));
  for (const kind of ['protection', 'ruleset'] as const) {
    const violations = sources
      .filter((source) => source.kind === kind)
      .flatMap((source) => violationsOf(context, repository, source, update));
    if (violations.length > 0) return refuse(kind, [...new Set(violations)]);
  }
  const forced = sources.find(({ rules }) => rules.blockForcePushes);
  const linear = sources.find(({ rules }) => rules.requireLinearHistory);
  return {
    kind: 'allow',
    refuseNonFastForward: forced === undefined ? null : refusal(forced.kind, ['Cannot force-push to this branch']),
    refuseMergeCommits:
      linear === undefined ? null : refusal(linear.kind, ['This branch must not contain merge commits.']),
    refuseWorkflowChanges: workflowRefusal(context.viewer),
  };
}

/** The rules a ref update breaks, as far as that can be said without git. */
function violationsOf(
  { db }: PushContext,
  repository: Repository,
  { kind, rules }: RuleSource,
  { before, after }: RefUpdate,
): string[] {
  if (after === null) return rules.blockDeletions ? ['Cannot delete this branch'] : [];
  const violations: string[] = [];
  // Creating a branch is not changing it: only the checks of the commit it starts at are asked for.
  if (before !== null) {
    if (rules.restrictUpdates)
      violations.push(kind === 'protection' ? NOT_AUTHORIZED : 'Cannot update this protected ref.');
    if (rules.requirePullRequest) violations.push('Changes must be made through a pull request.');
    if (rules.mergeQueue !== null) violations.push('Changes must be made through the merge queue');
  }
  const checks = requiredChecksProblem(db, repository, rules, after);
  return checks === null ? violations : [...violations, checks];
}

/** The lines `git push` shows, in the two forms GitHub has for classic protection and for rulesets. */
function refusalOf(
  { db, urls }: PushContext,
  repository: Repository,
  ref: string,
  kind: RuleSource['kind'],
  violations: readonly string[],
): PushRefusal {
  const listed = violations.flatMap((violation) => ['', `- ${violation}`]);
  if (kind === 'protection') {
    const lines = [`error: GH006: Protected branch update failed for ${ref}.`, ...listed];
    return { reason: 'protected branch hook declined', lines, cause: kind, violations };
  }
  const page = `${urls.html}/${fullName(db, repository)}/rules?ref=${encodeURIComponent(ref)}`;
  return {
    reason: 'push declined due to repository rule violations',
    lines: [
      `error: GH013: Repository rule violations found for ${ref}.`,
      `Review all repository rules at ${page}`,
      ...listed,
      '',
    ],
    cause: kind,
    violations,
  };
}

export function workflowRefusal(viewer: Viewer): ((path: string) => PushRefusal) | null {
  const words = (who: string, what: string) => (path: string) => {
    const reason = `refusing to allow ${who} to create or update workflow \`${path}\` without ${what}`;
    return { reason, cause: 'workflow' as const, violations: [reason] };
  };
  if (viewer.kind === 'installation') {
    return hasPermission(viewer.token.permissions ?? {}, 'workflows:write')
      ? null
      : words('a GitHub App', '`workflows` permission');
  }
  if (viewer.kind === 'personal' && viewer.token.scopes.includes('workflow')) return null;
  return words('a Personal Access Token', '`workflow` scope');
}
