import type { DequeueReason } from '../../world/events.js';
import type { MergeQueueEntry } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { subjectOfPull, touch } from '../pulls/rules.js';
import { destroyGroup } from './groups.js';

/** Takes an entry out. What is behind it is stale from then on: whoever calls lets the queue advance afterwards. */
export async function dequeue(
  world: World,
  actor: Actor,
  entry: MergeQueueEntry,
  reason: DequeueReason,
): Promise<void> {
  world.tables.queueEntries.delete(entry.id);
  await announceLeaving(world, actor, entry, reason);
}

/** Tells that an entry, which is no longer in the records, has left, and clears up behind it. */
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
