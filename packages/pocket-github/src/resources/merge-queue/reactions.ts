import type { AnyWorldEvent, EventName } from '../../world/events.js';
import type { MergeQueueEntry, Oid } from '../../world/model.js';
import { actorOfEvent, type Reaction, type World } from '../../world/world.js';
import { unmetRules } from '../pulls/merging/mergeability.js';
import { effectiveRules } from '../protection/effective-rules.js';
import { advanceQueue } from './advance.js';
import { enqueue, enqueueRefusal, leaveQueue } from './enqueue.js';
import { entriesOf, entryOfPull, queueBot, queueRuleOf } from './queue.js';

/** Checks of a trial commit decide about those who wait for it. */
export const followChecks: Reaction = async (world, event) => {
  const oid = checkedOid(world, event);
  if (oid === null) return;
  for (const entry of world.tables.queueEntries.by('headOid', oid)) await advanceQueue(world, entry);
};

function checkedOid({ tables }: World, event: AnyWorldEvent): Oid | null {
  if (event.name === 'check run completed') return tables.checkRuns.must(event.data.runId).headOid;
  if (event.name === 'status created') return tables.statuses.must(event.data.statusId).oid;
  return null;
}

/** Somebody pushed to base past the queue: everything is built anew. The queue's own pushes are what it expected. */
export const followBase: Reaction = async (world, event) => {
  if (event.name !== 'pushed' || event.repositoryId === null) return;
  const branch = event.data.ref.replace(/^refs\/heads\//, '');
  const queue = { repositoryId: event.repositoryId, branch };
  if (entriesOf(world.tables, queue).length === 0 || event.actorId === queueBot(world).userId) return;
  await advanceQueue(world, queue);
};

/** What is not the pull request that was queued any more. */
const CHANGES: ReadonlySet<EventName> = new Set<EventName>([
  'synchronized',
  'base changed',
  'closed',
  'converted to draft',
]);
/** After these the rules of the base branch may no longer be satisfied. */
const DOUBTS: ReadonlySet<EventName> = new Set<EventName>([
  'review submitted',
  'review dismissed',
  'thread unresolved',
]);

export const followPull: Reaction = async (world, event) => {
  if (!CHANGES.has(event.name) && !DOUBTS.has(event.name)) return;
  const entry = entryOfSubject(world, event);
  if (entry === undefined) return;
  if (CHANGES.has(event.name)) await leaveQueue(world, actorOfEvent(event), entry, 'pull_request_changed');
  else if (!satisfiesRules(world, entry)) await leaveQueue(world, queueBot(world), entry, 'branch_protections');
};

function entryOfSubject({ tables }: World, { subjectId }: AnyWorldEvent): MergeQueueEntry | undefined {
  const pull = subjectId === null ? undefined : tables.pulls.by('issueId', subjectId)[0];
  return pull === undefined ? undefined : entryOfPull(tables, pull);
}

function satisfiesRules({ tables }: World, entry: MergeQueueEntry): boolean {
  const rules = effectiveRules(tables, tables.repositories.must(entry.repositoryId), entry.branch);
  return unmetRules(tables, tables.pulls.must(entry.pullId), rules).length === 0;
}

/** After these a pull request whose merge was promised may have become fit for the queue. */
const OCCASIONS: ReadonlySet<EventName> = new Set<EventName>([
  'auto-merge enabled',
  'check run completed',
  'status created',
  'review submitted',
  'review dismissed',
  'thread resolved',
  'ready for review',
  'pushed',
]);

/** Where there is a queue, a promised merge means joining it. The promise is kept by that. */
export const queueAutoMerges: Reaction = async (world, event) => {
  if (!OCCASIONS.has(event.name) || event.repositoryId === null) return;
  const { pulls } = world.tables;
  for (const { id } of pulls.by('repositoryId', event.repositoryId)) {
    const pull = pulls.must(id);
    if (pull.autoMerge === null) continue;
    const queue = { repositoryId: pull.repositoryId, branch: pull.baseRef };
    if (queueRuleOf(world.tables, queue) === null || enqueueRefusal(world.tables, pull) !== null) continue;
    const { enabledById: userId, viaAppId } = pull.autoMerge;
    pulls.update(pull, { autoMerge: null });
    await enqueue(world, { userId, viaAppId }, pull);
  }
};
