import type { DequeueReason } from '../../world/events.js';
import type { MergeQueueEntry } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { subjectOfPull, touch } from '../pulls/rules.js';
import { destroyGroup } from './groups.js';

/** Removes an entry. The entries behind it are then stale, so the caller must let the queue advance afterwards. */
export async function dequeue(
  world: World,
  actor: Actor,
  entry: MergeQueueEntry,
  reason: DequeueReason,
): Promise<void> {
  world.tables.queueEntries.delete(entry.id);
  await announceLeaving(world, actor, entry, reason);
}

/** Records that a removed entry has left the queue, and cleans up after it. */
export async function announceLeaving(
  world: World,
  actor: Actor,
  entry: MergeQueueEntry,
  reason: DequeueReason,
): Promise<void> {
  const pull = world.tables.pulls.must(entry.pullId);
  touch(world, pull);
  await world.record(actor, 'dequeued', subjectOfPull(pull), { entryId: entry.id, reason, groupOid: entry.headOid });
  await destroyGroup(world, entry, reason === 'merged' ? 'merged' : 'dequeued');
}
