import type { Context } from '../../../http/context.js';
import { GitHubError } from '../../../world/errors.js';
import { isFromFork } from '../../../world/lookup.js';
import type { MergeMethod, Oid, Pull } from '../../../world/model.js';
import type { Actor, World } from '../../../world/world.js';
import { closeLinkedIssues } from '../../closing-keywords/reactions.js';
import { closeIssue } from '../../issues/rules.js';
import { effectiveRules } from '../../protection/effective-rules.js';
import { moveRefs, refsMoved } from '../../refs/rules.js';
import { gitPerson, webFlow } from '../git-people.js';
import { mergeMessage, type MergeWords } from './merge-message.js';
import { mergeRefusal } from './merge-refusal.js';
import { issueOf, subjectOfPull } from '../rules.js';
import { branchTip } from './trial-merge.js';

export interface MergeOptions extends MergeWords {
  readonly method: MergeMethod;
  readonly expectedHead?: Oid | null | undefined;
  /** A fault: base moves while the merge is made. */
  readonly baseMoves?: boolean;
}

/** Merges by real git, or refuses as GitHub does. */
export async function mergePull(world: World, actor: Actor, given: Pull, options: MergeOptions): Promise<Pull> {
  return world.exclusive(given.repositoryId, async () => {
    const pull = world.tables.pulls.must(given.id);
    const refusal = mergeRefusal(world.tables, pull, {
      actor,
      method: options.method,
      expectedHead: options.expectedHead,
    });
    if (refusal !== null) throw refusal;
    if (options.baseMoves === true) throw baseModified();
    const commit = await writeMerge(world, actor, pull, baseTip(world, pull), options);
    if (commit === null) throw new GitHubError(405, 'Pull Request is not mergeable');
    await landPulls(world, actor, [{ pull, commit }]);
    return world.tables.pulls.must(pull.id);
  });
}

/** The commit that merging on top of `base` would make; `null` on conflict. Touches no ref. */
export async function writeMerge(
  world: World,
  actor: Actor,
  pull: Pull,
  base: Oid,
  options: MergeOptions,
): Promise<Oid | null> {
  const git = world.git(pull.repositoryId);
  const commits = (await git.log(base, pull.headOid)).toReversed();
  const merger = gitPerson(world, world.tables.users.must(actor.userId));
  const opener = gitPerson(world, world.tables.users.must(issueOf(world, pull).authorId));
  return git.mergeCommit(base, pull.headOid, options.method, {
    message: mergeMessage(world, pull, options.method, commits, options),
    author: options.method === 'squash' ? opener : merger,
    // GitHub is the committer of merges and squashes; the person who asked is the committer of a rebase.
    committer: options.method === 'rebase' ? merger : webFlow(world),
  });
}

const baseModified = () => new GitHubError(405, 'Base branch was modified. Review and try the merge again.');

/** Whether a fault lets another push be faster than this request's merge. */
export const baseMoves = ({ effects }: Context): boolean => effects.some(({ kind }) => kind === 'base-modified');

function baseTip(world: World, pull: Pull): Oid {
  const tip = branchTip(world, pull.repositoryId, pull.baseRef);
  if (tip === undefined) throw baseModified();
  return tip;
}

/** A pull request and the commit on base that holds its work. */
export interface Landing {
  readonly pull: Pull;
  readonly commit: Oid;
}

/**
 * Moves base, in one push, to the last of these commits, and tells the world which pull requests are merged by it. They have
 * the same base, and each commit contains the one before it. Call inside `world.exclusive`.
 */
export async function landPulls(world: World, actor: Actor, landings: readonly Landing[]): Promise<void> {
  const last = landings.at(-1);
  if (last === undefined) return;
  const repository = world.tables.repositories.must(last.pull.repositoryId);
  const update = { name: `refs/heads/${last.pull.baseRef}`, before: baseTip(world, last.pull), after: last.commit };
  if (!(await world.git(repository.id).updateRefs([update]))) {
    throw baseModified();
  }
  for (const { pull, commit } of landings) noteMerged(world, actor, pull, commit);
  await refsMoved(world, actor, repository, [update]);
  for (const { pull, commit } of landings) {
    await announceMerge(world, actor, pull, commit);
    if (repository.deleteBranchOnMerge) await deleteHead(world, actor, pull);
  }
}

/** Called before base moves, so that handlers of the push already know to which merge it belongs. */
export function noteMerged(world: World, actor: Actor, pull: Pull, commit: Oid): void {
  world.tables.pulls.update(pull, { mergedAt: world.now(), mergedById: actor.userId, mergeCommitOid: commit });
}

export async function announceMerge(world: World, actor: Actor, pull: Pull, commit: Oid): Promise<void> {
  await world.record(actor, 'merged', subjectOfPull(pull), { commit, baseRef: pull.baseRef });
  await closeIssue(world, actor, issueOf(world, pull), { reason: null });
  await closeLinkedIssues(world, actor, world.tables.pulls.must(pull.id));
}

/** The default branch and branches that may not be deleted stay, and so do those of forks: they are their owners' own. */
async function deleteHead(world: World, actor: Actor, pull: Pull): Promise<void> {
  if (isFromFork(pull)) return;
  const repository = world.tables.repositories.must(pull.repositoryId);
  const before = branchTip(world, repository.id, pull.headRef);
  const kept =
    pull.headRef === repository.defaultBranch || effectiveRules(world.tables, repository, pull.headRef).blockDeletions;
  if (before === undefined || kept) return;
  await moveRefs(world, actor, repository, [{ name: `refs/heads/${pull.headRef}`, before, after: null }]);
}
