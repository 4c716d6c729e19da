import { connection } from '../../../graphql/connection.js';
import { accountNode, nodeOf } from '../../../graphql/nodes.js';
import type { Context } from '../../../http/context.js';
import { actorOf } from '../../../identity/viewer.js';
import { demandOrAuthor, TRIAGE } from '../access.js';
import { removeReviewers, requestReviewers } from './reviewers.js';

interface RequestReviewsInput {
  readonly pullRequestId: string;
  readonly userIds?: readonly string[] | null;
  /** Add to those already asked instead of replacing them. */
  readonly union?: boolean | null;
}

export async function requestReviews(_: unknown, { input }: { readonly input: RequestReviewsInput }, context: Context) {
  const { world } = context;
  const pull = nodeOf(context, 'pulls', input.pullRequestId);
  demandOrAuthor(context, pull, TRIAGE);
  const actor = actorOf(context.viewer);
  const users = (input.userIds ?? []).map((id) => nodeOf(context, 'users', id));
  const surplus =
    input.union === true ? [] : pull.requestedReviewerIds.filter((id) => !users.some((user) => user.id === id));
  await requestReviewers(world, actor, pull, users);
  const next = await removeReviewers(
    world,
    actor,
    pull,
    surplus.map((id) => world.tables.users.must(id)),
  );
  const { edges } = connection(
    next.requestedReviewerIds.map((id) => world.tables.users.must(id)),
    { last: 1 },
  );
  return { pullRequest: next, actor: accountNode(context, actor.userId), requestedReviewersEdge: edges[0] ?? null };
}
