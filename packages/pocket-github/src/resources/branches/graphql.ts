import { commitNode, nodeOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { GitHubError, UnmodelledError, unprocessable } from '../../world/errors.js';
import { WRITE } from '../refs/access.js';
import { type BranchMerge, mergeBranches } from './merge-branches.js';

interface MergeInput {
  readonly repositoryId: string;
  readonly base: string;
  readonly head: string;
  readonly commitMessage?: string | null;
  readonly authorEmail?: string | null;
}

async function mergeBranch(_: unknown, { input }: { input: MergeInput }, context: Context) {
  const repository = nodeOf(context, 'repositories', input.repositoryId);
  demand(context.world.tables, context.viewer, repository, WRITE);
  if (input.authorEmail) throw new UnmodelledError('Mutation.mergeBranch(input.authorEmail)');
  const request: BranchMerge = { base: input.base, head: input.head, message: input.commitMessage };
  const merged = await mergeBranches(context, repository, request).catch((error: unknown) => {
    throw error instanceof GitHubError && error.status === 409
      ? unprocessable(`Failed to merge: "${error.message}"`)
      : error;
  });
  if (merged === null) throw unprocessable('Failed to merge: "Already merged"');
  return { mergeCommit: commitNode(repository.id, merged) };
}

export const branchResolvers: ResolverMap = { Mutation: { mergeBranch } };
