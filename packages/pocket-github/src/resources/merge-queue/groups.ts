import type { MergeGroupFacts } from '../../world/events.js';
import { findRef } from '../../world/lookup.js';
import type { MergeQueueEntry, MergeQueueRule, Oid } from '../../world/model.js';
import type { World } from '../../world/world.js';
import { writeMerge } from '../pulls/merging/merge.js';
import { moveRefs } from '../refs/rules.js';
import { groupRef, queueBot } from './queue.js';

/**
 * Makes the trial commit of an entry on top of `base`, on a branch of its own, and asks for its checks. An earlier attempt on
 * another base is thrown away. `null` when the work conflicts with what is ahead of it.
 */
export async function buildGroup(
  world: World,
  entry: MergeQueueEntry,
  base: Oid,
  rule: MergeQueueRule,
): Promise<MergeQueueEntry | null> {
  const { queueEntries, pulls, repositories } = world.tables;
  await destroyGroup(world, entry, 'invalidated');
  const pull = pulls.must(entry.pullId);
  const enqueuer = { userId: entry.enqueuedById, viaAppId: null };
  const headOid = await writeMerge(world, enqueuer, pull, base, { method: rule.method });
  if (headOid === null) return null;
  const deadline = world.now() + rule.checkTimeoutMs;
  const built = queueEntries.update(entry, { state: 'AWAITING_CHECKS', headOid, baseOid: base, deadline });
  const bot = queueBot(world);
  const update = { name: groupRef(world.tables, built), before: null, after: headOid };
  if (!(await moveRefs(world, bot, repositories.must(entry.repositoryId), [update]))) {
    throw new Error(`${update.name} exists although no entry of the merge queue is tested on it`);
  }
  await world.record(
    bot,
    'merge group requested',
    { repositoryId: entry.repositoryId },
    factsOf(world, built, headOid),
  );
  return built;
}

/** Deletes the branch an entry was tested on, if it was. */
export async function destroyGroup(
  world: World,
  entry: MergeQueueEntry,
  reason: 'merged' | 'invalidated' | 'dequeued',
): Promise<void> {
  if (entry.headOid === null) return;
  const { repositoryId } = entry;
  const facts = factsOf(world, entry, entry.headOid);
  const before = findRef(world.tables, repositoryId, facts.ref)?.oid;
  const bot = queueBot(world);
  if (before !== undefined) {
    await moveRefs(world, bot, world.tables.repositories.must(repositoryId), [
      { name: facts.ref, before, after: null },
    ]);
  }
  await world.record(bot, 'merge group destroyed', { repositoryId }, { ...facts, reason });
}

function factsOf(world: World, entry: MergeQueueEntry, headOid: Oid): MergeGroupFacts {
  return {
    entryId: entry.id,
    ref: groupRef(world.tables, entry),
    baseRef: `refs/heads/${entry.branch}`,
    headOid,
    baseOid: entry.baseOid,
  };
}
