import { unprocessable, UnmodelledError } from '../../../world/errors.js';
import { isFromFork } from '../../../world/lookup.js';
import type { Oid, Pull } from '../../../world/model.js';
import type { Actor, World } from '../../../world/world.js';
import { moveRefs } from '../../refs/rules.js';
import { gitPerson, webFlow } from '../git-people.js';
import { checkOpen } from '../rules.js';
import { branchTip } from './trial-merge.js';

export interface UpdateBranch {
  readonly method: 'merge' | 'rebase';
  readonly expectedHead?: Oid | null | undefined;
}

/** Brings the tip of base into the head branch, by a merge commit or by rebasing the head. */
export async function updateBranch(world: World, actor: Actor, given: Pull, options: UpdateBranch): Promise<Pull> {
  return world.exclusive(given.repositoryId, async () => {
    const pull = world.tables.pulls.must(given.id);
    checkOpen(world, pull);
    if (isFromFork(pull)) throw new UnmodelledError('updating the branch of a pull request from a fork');
    const { headOid: head, headRef } = pull;
    if (options.expectedHead != null && options.expectedHead !== head) {
      throw unprocessable('expected head sha didn’t match current head ref.');
    }
    const base = branchTip(world, pull.repositoryId, pull.baseRef);
    if (base === undefined || !pull.trial.behind) throw unprocessable('There are no new commits on the base branch.');
    const after = await combine(world, actor, pull, base, options.method);
    if (after === null) throw unprocessable('merge conflict between base and head');
    const repository = world.tables.repositories.must(pull.repositoryId);
    const moved = await moveRefs(world, actor, repository, [{ name: `refs/heads/${headRef}`, before: head, after }]);
    if (!moved) throw unprocessable('expected head sha didn’t match current head ref.');
    return world.tables.pulls.must(pull.id);
  });
}

/** For the merge the head is the first parent: it is the branch that receives. */
async function combine(
  world: World,
  actor: Actor,
  pull: Pull,
  base: Oid,
  method: UpdateBranch['method'],
): Promise<Oid | null> {
  const git = world.git(pull.repositoryId);
  const author = gitPerson(world, world.tables.users.must(actor.userId));
  if (method === 'rebase')
    return git.mergeCommit(base, pull.headOid, 'rebase', { message: '', author, committer: author });
  const message = `Merge branch '${pull.baseRef}' into ${pull.headRef}`;
  return git.mergeCommit(pull.headOid, base, 'merge', { message, author, committer: webFlow(world) });
}
