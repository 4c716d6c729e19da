import type { WorldEvent } from '../../world/events.js';
import { isFromFork } from '../../world/lookup.js';
import type { Oid, Pull } from '../../world/model.js';
import { type Actor, actorOfEvent, type Reaction, type World } from '../../world/world.js';
import { announceMerge, noteMerged } from './merging/merge.js';
import { openPullBetween } from './opening.js';
import { changeBase, closePull, issueOf, subjectOfPull, touch } from './rules.js';
import { branchTip, keepRefs, refreshPull } from './merging/trial-merge.js';

/** Keeps pull requests up with the branches they are between. */
export const followPush: Reaction = async (world, event) => {
  if (event.name !== 'pushed' || event.repositoryId === null) return;
  const branch = /^refs\/heads\/(.+)$/.exec(event.data.ref)?.[1];
  if (branch === undefined) return;
  const move = { world, actor: actorOfEvent(event), branch, ...event.data };
  const { pulls } = world.tables;
  const heads = pulls.by('headRepositoryId', event.repositoryId).filter((pull) => pull.headRef === branch);
  const bases = pulls.by('repositoryId', event.repositoryId).filter((pull) => pull.baseRef === branch);
  const { after } = event.data;
  if (after === null) return branchDeleted(move, heads, bases);
  for (const pull of heads) await headMoved({ ...move, after }, pull);
  for (const pull of bases) await baseMoved({ ...move, after }, pull);
};

/** A closed pull request has no merge to fetch any more; one that is open again has. */
export const followState: Reaction = async (world, event) => {
  if ((event.name !== 'closed' && event.name !== 'reopened') || event.subjectId === null) return;
  const { pullId } = world.tables.issues.must(event.subjectId);
  if (pullId !== null) await keepRefs(world, actorOfEvent(event), world.tables.pulls.must(pullId));
};

interface Move extends Pick<WorldEvent<'pushed'>['data'], 'before' | 'forced'> {
  readonly world: World;
  readonly actor: Actor;
  readonly branch: string;
}

const isOpen = (world: World, pull: Pull): boolean => issueOf(world, pull).state === 'open';

async function headMoved({ world, actor, before, after, forced }: Move & { after: Oid }, pull: Pull): Promise<void> {
  if (!isOpen(world, pull)) {
    if (before === null && pull.headOid === after)
      await world.record(actor, 'head restored', subjectOfPull(pull), { ref: pull.headRef });
    return;
  }
  const base = branchTip(world, pull.repositoryId, pull.baseRef);
  if (base === undefined || pull.headOid === after) return;
  const moved = { before: pull.headOid, after };
  await refreshPull(world, actor, pull, { head: after, base });
  touch(world, pull);
  if (forced) await world.record(actor, 'head force-pushed', subjectOfPull(pull), moved);
  await world.record(actor, 'synchronized', subjectOfPull(pull), moved);
  // A head that was thrown back to what base has already leaves nothing to merge; GitHub closes it.
  if (await world.git(pull.repositoryId).isAncestor(after, base)) await closePull(world, actor, pull);
}

async function baseMoved({ world, actor, after }: Move & { after: Oid }, { id }: Pull): Promise<void> {
  const pull = world.tables.pulls.must(id);
  if (!isOpen(world, pull) || pull.mergedAt !== null) return;
  if (!(await world.git(pull.repositoryId).isAncestor(pull.headOid, after))) {
    await refreshPull(world, actor, pull, { base: after });
    return;
  }
  // Somebody pushed the commits to base themselves: GitHub counts that as the merge.
  noteMerged(world, actor, pull, after);
  await announceMerge(world, actor, pull, after);
}

async function branchDeleted(
  { world, actor, before, branch }: Move,
  heads: readonly Pull[],
  bases: readonly Pull[],
): Promise<void> {
  for (const pull of heads) {
    const open = isOpen(world, pull);
    if (open) await closePull(world, actor, pull);
    if (open || pull.headOid === before)
      await world.record(actor, 'head deleted', subjectOfPull(pull), { ref: branch });
  }
  // Pull requests stacked on a merged one move on to where that went; others have lost what they were for.
  const successor = heads.findLast(
    (pull) => !isFromFork(pull) && pull.mergedAt !== null && pull.headOid === before,
  )?.baseRef;
  for (const pull of bases.filter((candidate) => isOpen(world, candidate)))
    await leaveBase(world, actor, pull, successor);
}

async function leaveBase(world: World, actor: Actor, pull: Pull, successor: string | undefined): Promise<void> {
  const tip = successor === undefined ? undefined : branchTip(world, pull.repositoryId, successor);
  const useless =
    tip === undefined ||
    openPullBetween(world, pull.repositoryId, { ...pull, baseRef: successor ?? '' }) !== undefined ||
    (await world.git(pull.repositoryId).isAncestor(pull.headOid, tip));
  if (successor === undefined || useless) await closePull(world, actor, pull);
  else await changeBase(world, actor, pull, successor);
}
