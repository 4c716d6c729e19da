import { type GitHubError, unprocessable } from '../../world/errors.js';
import type { DequeueReason } from '../../world/events.js';
import type { MergeQueueEntry, Oid, Pull } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';
import { unmetRules } from '../pulls/merging/mergeability.js';
import { subjectOfPull, touch } from '../pulls/rules.js';
import { branchTip } from '../pulls/merging/trial-merge.js';
import { effectiveRules } from '../protection/effective-rules.js';
import { advanceQueue } from './advance.js';
import { dequeue } from './dequeue.js';
import { entryOfPull } from './queue.js';

export interface EnqueueRequest {
  readonly expectedHead?: Oid | null | undefined;
  /** To the front, before everybody who waits already. */
  readonly jump?: boolean | null | undefined;
}

/** Why a pull request cannot join the queue of its base branch; `null` if it can. */
export function enqueueRefusal(db: Tables, pull: Pull, expectedHead?: Oid | null): GitHubError | null {
  const rules = effectiveRules(db, db.repositories.must(pull.repositoryId), pull.baseRef);
  if (rules.mergeQueue === null) return unprocessable('Pull request Base branch does not have a merge queue');
  if (db.issues.must(pull.issueId).state === 'closed') return unprocessable('Pull request is closed');
  if (entryOfPull(db, pull) !== undefined) return unprocessable('Pull request is already in the queue');
  if (expectedHead != null && expectedHead !== pull.headOid) {
    return unprocessable('Head branch was modified. Review and try the merge again.');
  }
  if (pull.draft) return unprocessable('Pull request is still a draft');
  if (!pull.trial.mergeable) return unprocessable('Pull request is not mergeable');
  const [unmet] = unmetRules(db, pull, rules);
  return unmet === undefined ? null : unprocessable(`Pull request ${unmet}`);
}

/** Puts a pull request in the queue and lets the queue move on. Returns the entry, even if it has left the queue already. */
export async function enqueue(
  world: World,
  actor: Actor,
  given: Pull,
  request: EnqueueRequest = {},
): Promise<MergeQueueEntry> {
  return world.exclusive(given.repositoryId, async () => {
    const { queueEntries, pulls } = world.tables;
    const pull = pulls.must(given.id);
    const refusal = enqueueRefusal(world.tables, pull, request.expectedHead);
    if (refusal !== null) throw refusal;
    const queue = { repositoryId: pull.repositoryId, branch: pull.baseRef };
    const entry = queueEntries.insert({
      id: world.newId(),
      ...queue,
      pullId: pull.id,
      enqueuedById: actor.userId,
      jump: request.jump ?? false,
      state: 'QUEUED',
      headOid: null,
      baseOid: branchTip(world, pull.repositoryId, pull.baseRef) ?? pull.baseOid,
      enqueuedAt: world.now(),
      deadline: world.now(),
    });
    touch(world, pull);
    await world.record(actor, 'enqueued', subjectOfPull(pull), { entryId: entry.id });
    await advanceQueue(world, queue);
    return queueEntries.get(entry.id) ?? entry;
  });
}

/** Takes a pull request out of the queue. Those behind it are built anew. */
export async function leaveQueue(
  world: World,
  actor: Actor,
  entry: MergeQueueEntry,
  reason: DequeueReason,
): Promise<void> {
  await world.exclusive(entry.repositoryId, async () => {
    await dequeue(world, actor, entry, reason);
    await advanceQueue(world, entry);
  });
}
