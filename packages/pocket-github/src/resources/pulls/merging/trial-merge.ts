import type { GitRepository } from '../../../git/git-repository.js';
import { findRef } from '../../../world/lookup.js';
import type { Oid, Pull, PullSize, Repository, TrialMerge } from '../../../world/model.js';
import type { Actor, World } from '../../../world/world.js';
import { moveRefs } from '../../refs/rules.js';
import { webFlow } from '../git-people.js';

/** The tip of a branch, if the repository and the branch exist. */
export function branchTip(world: World, repositoryId: number, branch: string): Oid | undefined {
  return findRef(world.tables, repositoryId, `refs/heads/${branch}`)?.oid;
}

/** Brings a commit of the head branch to where it is to be merged: the head may live in a fork. */
export async function takeHead(world: World, { repositoryId, headRepositoryId }: Pull, head: Oid): Promise<void> {
  await world.git(repositoryId).takeFrom(world.git(headRepositoryId), [head]);
}

/** Merges `head` into `base` without touching either and says what came of it. */
export async function tryMerge(world: World, repositoryId: number, base: Oid, head: Oid): Promise<TrialMerge> {
  const git = world.git(repositoryId);
  const committer = webFlow(world);
  const [ahead, mergeOid] = await Promise.all([
    git.isAncestor(base, head),
    git.mergeCommit(base, head, 'merge', { message: `Merge ${head} into ${base}`, author: committer, committer }),
  ]);
  const mergeable = mergeOid !== null;
  return { mergeable, rebaseable: mergeable && (await canRebase(world, git, base, head)), behind: !ahead, mergeOid };
}

/** A single commit rebases exactly when it merges; more than one has to be tried. */
async function canRebase(world: World, git: GitRepository, base: Oid, head: Oid): Promise<boolean> {
  if ((await git.log(base, head, { limit: 2 })).length < 2) return true;
  const committer = webFlow(world);
  return (await git.mergeCommit(base, head, 'rebase', { message: '', author: committer, committer })) !== null;
}

/** What the pull request changes: its own commits, and the files that differ from where it left base. */
export async function measure(git: GitRepository, base: Oid, head: Oid): Promise<PullSize> {
  const start = await git.mergeBase(base, head);
  const [commits, changes] = await Promise.all([git.log(base, head), git.changes(start, head)]);
  return {
    commits: commits.length,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
    changedFiles: changes.length,
  };
}

/** Takes in where head and base are now: trial merge and size. The answer stays hidden for the world's lag. */
export async function refreshPull(
  world: World,
  actor: Actor,
  pull: Pull,
  moved: { head?: Oid; base: Oid },
): Promise<Pull> {
  const { base, head = pull.headOid } = moved;
  if (moved.head !== undefined) await takeHead(world, pull, head);
  const trial = await tryMerge(world, pull.repositoryId, base, head);
  // Only a new head makes GitHub look at base again for the commits and files it shows.
  const snapshot =
    moved.head === undefined
      ? {}
      : { headOid: head, baseOid: base, size: await measure(world.git(pull.repositoryId), base, head) };
  const next = world.tables.pulls.update(pull, {
    ...snapshot,
    trial,
    mergeableKnownAt: world.now() + world.lags.mergeableMs,
  });
  await keepRefs(world, actor, next);
  return next;
}

/** Keeps `refs/pull/N/head` and `refs/pull/N/merge` where GitHub has them, for clients to fetch. */
export async function keepRefs(world: World, actor: Actor, pull: Pull): Promise<void> {
  const repository = world.tables.repositories.must(pull.repositoryId);
  const open = world.tables.issues.must(pull.issueId).state === 'open';
  const wanted = { head: pull.headOid, merge: open ? pull.trial.mergeOid : null };
  const updates = (['head', 'merge'] as const).flatMap((end) =>
    refUpdate(world, repository, `refs/pull/${pull.number}/${end}`, wanted[end]),
  );
  if (updates.length > 0 && !(await moveRefs(world, actor, repository, updates))) {
    throw new Error(`refs/pull/${pull.number} of repository ${repository.id} are not where the records say`);
  }
}

function refUpdate(world: World, repository: Repository, name: string, after: Oid | null) {
  const before = findRef(world.tables, repository.id, name)?.oid ?? null;
  return before === after ? [] : [{ name, before, after }];
}
