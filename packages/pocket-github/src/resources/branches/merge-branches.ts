import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { conflict, notFound } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { resolveExpression } from '../git-data/expression.js';
import { gitPerson, webFlow } from '../pulls/git-people.js';
import { moveGuarded } from '../refs/guarded-move.js';

export interface BranchMerge {
  /** The branch that receives. */
  readonly base: string;
  /** A branch, tag or commit. */
  readonly head: string;
  readonly message?: string | null | undefined;
}

/** Merges one branch into another without a pull request: the new commit, or `null` when base has everything already. */
export async function mergeBranches(
  context: Context,
  repository: Repository,
  request: BranchMerge,
): Promise<Oid | null> {
  const { world, viewer } = context;
  return world.exclusive(repository.id, async () => {
    const name = `refs/heads/${request.base.replace(/^refs\/heads\//, '')}`;
    const base = findRef(world.tables, repository.id, name)?.oid;
    if (base === undefined) throw notFound('Base does not exist');
    const head = await resolveExpression({ db: world.tables, world }, repository, `${request.head}^{commit}`);
    if (head === null) throw notFound('Head does not exist');
    const git = world.git(repository.id);
    if (await git.isAncestor(head.oid, base)) return null;
    const author = gitPerson(world, world.tables.users.must(actorOf(viewer).userId));
    const message = request.message ?? `Merge ${request.head} into ${request.base}`;
    const merged = await git.mergeCommit(base, head.oid, 'merge', { message, author, committer: webFlow(world) });
    if (merged === null) throw conflict('Merge Conflict');
    await moveGuarded(context, repository, { name, before: base, after: merged });
    return merged;
  });
}
