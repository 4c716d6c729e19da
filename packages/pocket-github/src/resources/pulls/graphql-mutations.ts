import { accountNode, nodeOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { demand, type Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { GitHubError, unprocessable } from '../../world/errors.js';
import type { MergeMethod, Oid, Pull } from '../../world/model.js';
import { setAssignees } from '../assignees/rules.js';
import { demandHead, demandOrAuthor, demandWorkflows, MERGE, TRIAGE, WRITE } from './access.js';
import { disableAutoMerge, enableAutoMerge } from './merging/auto-merge.js';
import { baseMoves, mergePull } from './merging/merge.js';
import { type NewPull, openPull } from './opening.js';
import { closePull, convertToDraft, markReadyForReview, reopenPull, updatePull } from './rules.js';
import { updateBranch } from './merging/update-branch.js';

interface Input<T> {
  readonly input: T;
}
interface OfPull {
  readonly pullRequestId: string;
}

/** The pull request behind an id, once the caller satisfies `need` or opened it. */
function permitted(context: Context, { pullRequestId }: OfPull, need: Need): Pull {
  const pull = nodeOf(context, 'pulls', pullRequestId);
  demandOrAuthor(context, pull, need);
  return pull;
}

/** Only those who may push: authors are no exception. */
function permittedToPush(context: Context, { pullRequestId }: OfPull, need: Need): Pull {
  const pull = nodeOf(context, 'pulls', pullRequestId);
  demand(context.world.tables, context.viewer, context.world.tables.repositories.must(pull.repositoryId), need);
  return pull;
}

interface CreateInput {
  readonly repositoryId: string;
  readonly title: string;
  readonly body?: string | null;
  readonly headRefName: string;
  readonly baseRefName: string;
  readonly draft?: boolean | null;
  readonly maintainerCanModify?: boolean | null;
}

interface UpdateInput extends OfPull {
  readonly title?: string | null;
  readonly body?: string | null;
  readonly baseRefName?: string | null;
  readonly state?: 'OPEN' | 'CLOSED' | null;
  readonly assigneeIds?: readonly string[] | null;
}

/** GraphQL has its own words where REST names the field that is wrong. */
async function opened(context: Context, repositoryId: string, given: NewPull): Promise<Pull> {
  const { world, viewer } = context;
  try {
    return await openPull(world, actorOf(viewer), nodeOf(context, 'repositories', repositoryId), given);
  } catch (error) {
    const detail = error instanceof GitHubError ? error.errors?.[0] : undefined;
    if (typeof detail !== 'object' || detail.code !== 'invalid') throw error;
    const end = detail.field === 'head' ? 'Head' : 'Base';
    throw unprocessable(
      `Head sha can't be blank, Base sha can't be blank, No commits between ${given.base} and ${given.head}, ${end} ref must be a branch`,
    );
  }
}

/** The schema's default is MERGE, also where the repository does not allow it. */
const methodOf = (method: string | null | undefined): MergeMethod => (method ?? 'MERGE').toLowerCase() as MergeMethod;

interface MergeInput extends OfPull {
  readonly mergeMethod?: string | null;
  readonly expectedHeadOid?: Oid | null;
  readonly commitHeadline?: string | null;
  readonly commitBody?: string | null;
}

const editing = {
  createPullRequest: async (_: unknown, { input }: Input<CreateInput>, context: Context) => {
    const { repositoryId, title, body, headRefName: head, baseRefName: base, draft, maintainerCanModify } = input;
    demandHead(context, nodeOf(context, 'repositories', repositoryId), head);
    const given = { title, body, head, base, draft: draft ?? false, maintainerCanModify: maintainerCanModify ?? true };
    return { pullRequest: await opened(context, repositoryId, given) };
  },
  updatePullRequest: async (_: unknown, { input }: Input<UpdateInput>, context: Context) => {
    const pull = permitted(context, input, WRITE);
    const { title, body, baseRefName, state, assigneeIds } = input;
    const change = {
      title: title ?? undefined,
      body: body ?? undefined,
      base: baseRefName ?? undefined,
      state: state == null ? undefined : state === 'OPEN' ? ('open' as const) : ('closed' as const),
    };
    const actor = actorOf(context.viewer);
    if (assigneeIds != null) {
      const userIds = assigneeIds.map((id) => nodeOf(context, 'users', id).id);
      await setAssignees(context.world, actor, context.world.tables.issues.must(pull.issueId), userIds);
    }
    return {
      pullRequest: await updatePull(context.world, actor, pull, change),
      actor: accountNode(context, actor.userId),
    };
  },
  closePullRequest: async (_: unknown, { input }: Input<OfPull>, context: Context) => ({
    pullRequest: await closePull(context.world, actorOf(context.viewer), permitted(context, input, TRIAGE)),
  }),
  reopenPullRequest: async (_: unknown, { input }: Input<OfPull>, context: Context) => {
    const pull = permitted(context, input, TRIAGE);
    return { pullRequest: await reopenPull(context.world, actorOf(context.viewer), pull) };
  },
  convertPullRequestToDraft: async (_: unknown, { input }: Input<OfPull>, context: Context) => ({
    pullRequest: await convertToDraft(context.world, actorOf(context.viewer), permitted(context, input, WRITE)),
  }),
  markPullRequestReadyForReview: async (_: unknown, { input }: Input<OfPull>, context: Context) => ({
    pullRequest: await markReadyForReview(context.world, actorOf(context.viewer), permitted(context, input, WRITE)),
  }),
};

const merging = {
  mergePullRequest: async (_: unknown, { input }: Input<MergeInput>, context: Context) => {
    const pull = permittedToPush(context, input, MERGE);
    await demandWorkflows(context, pull);
    const actor = actorOf(context.viewer);
    const merged = await mergePull(context.world, actor, pull, {
      method: methodOf(input.mergeMethod),
      expectedHead: input.expectedHeadOid,
      title: input.commitHeadline,
      message: input.commitBody,
      baseMoves: baseMoves(context),
    });
    return { pullRequest: merged, actor: accountNode(context, actor.userId) };
  },
  updatePullRequestBranch: async (
    _: unknown,
    { input }: Input<OfPull & { expectedHeadOid?: Oid | null; updateMethod?: 'MERGE' | 'REBASE' | null }>,
    context: Context,
  ) => {
    const pull = permittedToPush(context, input, WRITE);
    const method = input.updateMethod === 'REBASE' ? 'rebase' : 'merge';
    const options = { method, expectedHead: input.expectedHeadOid } as const;
    return { pullRequest: await updateBranch(context.world, actorOf(context.viewer), pull, options) };
  },
  enablePullRequestAutoMerge: async (_: unknown, { input }: Input<MergeInput>, context: Context) => {
    const pull = permittedToPush(context, input, MERGE);
    if (input.expectedHeadOid != null && input.expectedHeadOid !== pull.headOid) {
      throw unprocessable('Head sha does not match expected head sha');
    }
    const actor = actorOf(context.viewer);
    const next = await enableAutoMerge(context.world, actor, pull, {
      method: methodOf(input.mergeMethod),
      commitTitle: input.commitHeadline,
      commitMessage: input.commitBody,
    });
    return { pullRequest: next, actor: accountNode(context, actor.userId) };
  },
  disablePullRequestAutoMerge: async (_: unknown, { input }: Input<OfPull>, context: Context) => {
    const pull = permitted(context, input, WRITE);
    const actor = actorOf(context.viewer);
    const next = await disableAutoMerge(context.world, actor, pull, 'Auto-merge was disabled');
    return { pullRequest: next, actor: accountNode(context, actor.userId) };
  },
};

export const pullMutations = { ...editing, ...merging };
