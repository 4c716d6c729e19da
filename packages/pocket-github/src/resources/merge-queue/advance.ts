import type { DequeueReason } from '../../world/events.js';
import type { BranchRules, MergeQueueEntry, MergeQueueRule, Oid } from '../../world/model.js';
import type { World } from '../../world/world.js';
import { requiredChecks } from '../checks/required.js';
import { effectiveRules } from '../protection/effective-rules.js';
import { landPulls } from '../pulls/merging/merge.js';
import { branchTip } from '../pulls/merging/trial-merge.js';
import { announceLeaving, dequeue } from './dequeue.js';
import { buildGroup } from './groups.js';
import { entriesOf, type Queue, queueBot } from './queue.js';

/** What a queue does next. It looks again after each of these. */
type Move =
  | { readonly kind: 'wait' }
  /** The trial commit is missing, or was built on what is no longer ahead. */
  | { readonly kind: 'build'; readonly entry: MergeQueueEntry; readonly base: Oid; readonly rule: MergeQueueRule }
  | { readonly kind: 'throw out'; readonly entry: MergeQueueEntry; readonly reason: DequeueReason }
  /** Those at the front whose checks are green, as many as may land together. */
  | { readonly kind: 'merge'; readonly entries: readonly MergeQueueEntry[] };

/** Lets a queue do all it can do now. */
export async function advanceQueue(world: World, { repositoryId, branch }: Queue): Promise<void> {
  const queue = { repositoryId, branch };
  await world.exclusive(repositoryId, async () => {
    for (let move = nextMove(world, queue); move.kind !== 'wait'; move = nextMove(world, queue)) {
      await make(world, queue, move);
    }
    noteStates(world, queue);
  });
}

function nextMove(world: World, queue: Queue): Move {
  const { tables } = world;
  const entries = entriesOf(tables, queue);
  const [front] = entries;
  if (front === undefined) return { kind: 'wait' };
  const rules = effectiveRules(tables, tables.repositories.must(queue.repositoryId), queue.branch);
  const tip = branchTip(world, queue.repositoryId, queue.branch);
  if (rules.mergeQueue === null || tip === undefined)
    return { kind: 'throw out', entry: front, reason: 'queue_cleared' };
  return (
    staleMove(entries, tip, rules.mergeQueue) ?? failedMove(world, entries, rules) ?? greenMove(world, entries, rules)
  );
}

function staleMove(entries: readonly MergeQueueEntry[], tip: Oid, rule: MergeQueueRule): Move | null {
  let ahead = tip;
  for (const entry of entries) {
    if (entry.headOid === null || entry.baseOid !== ahead) return { kind: 'build', entry, base: ahead, rule };
    ahead = entry.headOid;
  }
  return null;
}

function failedMove(world: World, entries: readonly MergeQueueEntry[], rules: BranchRules): Move | null {
  for (const entry of entries) {
    const checks = checksOf(world, entry, rules);
    if (checks === 'failure') return { kind: 'throw out', entry, reason: 'failed_checks' };
    if (checks === 'pending' && world.now() >= entry.deadline)
      return { kind: 'throw out', entry, reason: 'checks_timed_out' };
  }
  return null;
}

function greenMove(world: World, entries: readonly MergeQueueEntry[], rules: BranchRules): Move {
  const waiting = entries.findIndex((entry) => checksOf(world, entry, rules) === 'pending');
  const most = rules.mergeQueue?.maxEntriesToMerge ?? 1;
  const ready = entries.slice(0, Math.min(waiting === -1 ? entries.length : waiting, most));
  return ready.length === 0 ? { kind: 'wait' } : { kind: 'merge', entries: ready };
}

function checksOf(world: World, entry: MergeQueueEntry, rules: BranchRules) {
  if (entry.headOid === null) return 'pending';
  return requiredChecks(world.tables, world.tables.repositories.must(entry.repositoryId), rules, entry.headOid);
}

/** Green but behind others is `MERGEABLE`; a check that is run again takes it back. */
function noteStates(world: World, queue: Queue): void {
  const { queueEntries, repositories } = world.tables;
  const rules = effectiveRules(world.tables, repositories.must(queue.repositoryId), queue.branch);
  for (const entry of entriesOf(world.tables, queue)) {
    const state = checksOf(world, entry, rules) === 'pending' ? 'AWAITING_CHECKS' : 'MERGEABLE';
    if (entry.state !== state) queueEntries.update(entry, { state });
  }
}

async function make(world: World, queue: Queue, move: Exclude<Move, { kind: 'wait' }>): Promise<void> {
  switch (move.kind) {
    case 'build': {
      const built = await buildGroup(world, move.entry, move.base, move.rule);
      if (built === null) await dequeue(world, queueBot(world), { ...move.entry, headOid: null }, 'merge_conflict');
      else world.alarms.set(built.deadline, () => advanceQueue(world, queue));
      return;
    }
    case 'throw out':
      return dequeue(world, queueBot(world), move.entry, move.reason);
    case 'merge':
      return merge(world, move.entries);
  }
}

/** The entries leave the records first: nothing that follows from the push may find them still waiting. */
async function merge(world: World, entries: readonly MergeQueueEntry[]): Promise<void> {
  const { queueEntries, pulls } = world.tables;
  for (const { id } of entries) queueEntries.delete(id);
  const bot = queueBot(world);
  const landings = entries.flatMap(({ pullId, headOid }) =>
    headOid === null ? [] : [{ pull: pulls.must(pullId), commit: headOid }],
  );
  await landPulls(world, bot, landings);
  for (const entry of entries) await announceLeaving(world, bot, entry, 'merged');
}
