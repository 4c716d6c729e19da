import { unprocessable } from '../../../world/errors.js';
import type { EventName } from '../../../world/events.js';
import type { MergeMethod, Pull } from '../../../world/model.js';
import { type Actor, actorOfEvent, type Reaction, type World } from '../../../world/world.js';
import { effectiveRules } from '../../protection/effective-rules.js';
import { mergeRefusal } from './merge-refusal.js';
import { mergePull } from './merge.js';
import { settledMergeState } from './mergeability.js';
import { checkOpen, issueOf, subjectOfPull, touch } from '../rules.js';

export interface AutoMergeOptions {
  readonly method: MergeMethod;
  readonly commitTitle?: string | null | undefined;
  readonly commitMessage?: string | null | undefined;
}

/** Promises a merge for when the rules allow it. GitHub refuses where nothing stands in the way. */
export async function enableAutoMerge(
  world: World,
  actor: Actor,
  pull: Pull,
  request: AutoMergeOptions,
): Promise<Pull> {
  const { tables } = world;
  const repository = tables.repositories.must(pull.repositoryId);
  if (!repository.allowAutoMerge) {
    throw unprocessable('Pull request Auto merge is not allowed for this repository');
  }
  checkOpen(world, pull);
  const state = settledMergeState(tables, pull);
  // Where there is a merge queue, being ready means joining it at once.
  const queues = effectiveRules(tables, repository, pull.baseRef).mergeQueue !== null;
  if (!queues && (state === 'clean' || state === 'unstable'))
    throw unprocessable(`Pull request Pull request is in ${state} status`);
  const { method, commitTitle = null, commitMessage = null } = request;
  const next = tables.pulls.update(pull, {
    autoMerge: {
      enabledById: actor.userId,
      viaAppId: actor.viaAppId,
      method,
      commitTitle,
      commitMessage,
      enabledAt: world.now(),
    },
  });
  touch(world, pull);
  await world.record(actor, 'auto-merge enabled', subjectOfPull(pull), {});
  return next;
}

export async function disableAutoMerge(world: World, actor: Actor, pull: Pull, reason: string): Promise<Pull> {
  if (pull.autoMerge === null) throw unprocessable("Can't disable auto-merge for this pull request.");
  const next = world.tables.pulls.update(pull, { autoMerge: null });
  touch(world, pull);
  await world.record(actor, 'auto-merge disabled', subjectOfPull(pull), { reason });
  return next;
}

/** After these a promised merge may have become possible. */
const OCCASIONS: ReadonlySet<EventName> = new Set<EventName>([
  'check run completed',
  'status created',
  'review submitted',
  'review dismissed',
  'thread resolved',
  'ready for review',
  'pushed',
]);

export const keepAutoMergePromises: Reaction = async (world, event) => {
  if (!OCCASIONS.has(event.name) || event.repositoryId === null) return;
  for (const { id } of world.tables.pulls.by('repositoryId', event.repositoryId)) {
    const pull = world.tables.pulls.must(id);
    if (pull.autoMerge === null || issueOf(world, pull).state === 'closed') continue;
    const { enabledById, viaAppId, method, commitTitle: title, commitMessage: message } = pull.autoMerge;
    // It waits for the rules even on behalf of somebody who could bypass them.
    if (mergeRefusal(world.tables, pull, { method }) !== null) continue;
    await mergePull(world, { userId: enabledById, viaAppId }, pull, { method, title, message });
  }
};

/** Closing a pull request takes the promise back. */
export const dropAutoMerge: Reaction = async (world, event) => {
  if (event.name !== 'closed' || event.subjectId === null) return;
  const { pullId } = world.tables.issues.must(event.subjectId);
  const pull = pullId === null ? undefined : world.tables.pulls.must(pullId);
  if (pull === undefined || pull.autoMerge === null || pull.mergedAt !== null) return;
  await disableAutoMerge(world, actorOfEvent(event), pull, 'Pull request was closed');
};
