import type { GitRepository, RefUpdate } from '../../git/git-repository.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { peeledCommit } from '../commits/peeled-commit.js';
import { pushedCommits } from './pushed-commits.js';

/** A push of more tags than this is announced for none of them, as GitHub documents. */
const MAX_ANNOUNCED_TAGS = 3;

const isTag = ({ name }: RefUpdate): boolean => name.startsWith('refs/tags/');

/**
 * Moves refs in git and records the events, all or nothing. False when a ref was not where the caller expected.
 * The caller must check permissions before.
 */
export async function moveRefs(
  world: World,
  actor: Actor,
  repository: Repository,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  return world.exclusive(repository.id, async () => {
    if (!(await world.git(repository.id).updateRefs(updates))) return false;
    await refsMoved(world, actor, repository, updates);
    return true;
  });
}

/** Records the events of refs that git has already moved (a push). Call inside `world.exclusive`. */
export async function refsMoved(
  world: World,
  actor: Actor,
  repository: Repository,
  updates: readonly RefUpdate[],
): Promise<void> {
  // A ref that is set to where it stands has not moved.
  const moved = updates.filter(({ before, after }) => before !== after);
  for (const update of moved) noteRef(world, repository.id, update);
  const quiet = moved.filter(isTag).length > MAX_ANNOUNCED_TAGS;
  for (const update of moved) {
    if (!(quiet && isTag(update))) await announce(world, actor, repository, update, moved);
  }
}

function noteRef(world: World, repositoryId: number, { name, after }: RefUpdate): void {
  const { refs } = world.tables;
  const known = findRef(world.tables, repositoryId, name);
  if (after === null) {
    if (known !== undefined) refs.delete(known.id);
  } else if (known === undefined) {
    refs.insert({ id: world.newId(), repositoryId, name, oid: after });
  } else {
    refs.update(known, { oid: after });
  }
}

/** Branches and tags are announced; every other ref (`refs/sluice/…`) moves in silence, as on GitHub. */
async function announce(
  world: World,
  actor: Actor,
  repository: Repository,
  update: RefUpdate,
  push: readonly RefUpdate[],
): Promise<void> {
  const { name: ref, before, after } = update;
  if (!/^refs\/(heads|tags)\//.test(ref)) return;
  const subject = { repositoryId: repository.id };
  world.tables.repositories.update(repository, { pushedAt: world.now(), updatedAt: world.now() });
  const forced = before !== null && after !== null && !(await isFastForward(world.git(repository.id), before, after));
  const commits = await pushedCommits(world, repository, update, push);
  if (before === null) await world.record(actor, 'branch created', subject, { ref });
  await world.record(actor, 'pushed', subject, { ref, before, after, forced, commits });
  if (after === null) await world.record(actor, 'branch deleted', subject, { ref });
}

/** Whether `after` contains `before`. Annotated tags count as what they point at; what is no commit contains nothing. */
export async function isFastForward(git: GitRepository, before: Oid, after: Oid): Promise<boolean> {
  const [old, now] = await Promise.all([peeledCommit(git, before), peeledCommit(git, after)]);
  return old !== null && now !== null && git.isAncestor(old.oid, now.oid);
}
