import type { Oid, Pull } from '../../world/model.js';
import type { Reaction, World } from '../../world/world.js';
import { effectiveRules } from '../protection/effective-rules.js';
import { pullChanges } from '../review-threads/place.js';
import { dismissReview } from './rules.js';

/**
 * Where the rules say so, an approval falls when the diff is no longer the one that was approved. A push that leaves the
 * diff as it was (a merge of base into the branch) dismisses nothing.
 */
export const dismissStaleApprovals: Reaction = async (world, event) => {
  if (event.name !== 'synchronized' && event.name !== 'base changed') return;
  const { tables } = world;
  const pull = event.subjectId === null ? undefined : tables.pulls.by('issueId', event.subjectId)[0];
  if (pull === undefined) return;
  const rules = effectiveRules(tables, tables.repositories.must(pull.repositoryId), pull.baseRef);
  const approvals = tables.reviews.by('pullId', pull.id).filter(({ state }) => state === 'APPROVED');
  if (!rules.dismissStaleReviews || approvals.length === 0) return;
  const actor = { userId: event.actorId, viaAppId: event.viaAppId };
  const now = await diffAt(world, pull, pull.headOid);
  for (const review of approvals) {
    if ((await diffAt(world, pull, review.commitOid)) === now) continue;
    await dismissReview(world, actor, review, '');
  }
};

/** What the pull request changed when its head was `oid`, in a form that can be compared. */
async function diffAt(world: World, pull: Pull, oid: Oid): Promise<string> {
  const changes = await pullChanges(world, pull, oid);
  return JSON.stringify(changes.map(({ path, status, patch, oid: blob }) => [path, status, patch ?? blob]));
}
