import { commitNode, nodeOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { canSee, demand } from '../../identity/access.js';
import { notFound, unprocessable } from '../../world/errors.js';
import { findRef, findRepository } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { decodeBase64 } from '../git-data/encoding.js';
import { WRITE } from '../refs/access.js';
import { commitOnBranch } from './commit-on-branch.js';

interface Branch {
  readonly id?: string | null;
  readonly repositoryNameWithOwner?: string | null;
  readonly branchName?: string | null;
}

interface CommitInput {
  readonly branch: Branch;
  readonly expectedHeadOid: Oid;
  readonly message: { readonly headline: string; readonly body?: string | null };
  readonly fileChanges?: {
    readonly additions?: readonly { readonly path: string; readonly contents: string }[] | null;
    readonly deletions?: readonly { readonly path: string }[] | null;
  } | null;
}

const withoutPrefix = (name: string): string => name.replace(/^refs\/heads\//, '');

/** A branch is named by its id, or by repository and name. */
function branchOf(context: Context, { id, repositoryNameWithOwner, branchName }: Branch) {
  if (id) {
    const ref = nodeOf(context, 'refs', id);
    return { repository: context.world.tables.repositories.must(ref.repositoryId), branch: withoutPrefix(ref.name) };
  }
  if (!repositoryNameWithOwner || !branchName) {
    throw unprocessable('A branch must be given by its id, or by repositoryNameWithOwner and branchName.');
  }
  return { repository: repositoryNamed(context, repositoryNameWithOwner), branch: withoutPrefix(branchName) };
}

function repositoryNamed({ world, viewer }: Context, fullName: string): Repository {
  const [owner = '', name = ''] = fullName.split('/');
  const repository = findRepository(world.tables, owner, name);
  if (repository !== undefined && canSee(world.tables, viewer, repository)) return repository;
  throw notFound(`Could not resolve to a Repository with the name '${fullName}'.`);
}

async function createCommitOnBranch(_: unknown, { input }: { input: CommitInput }, context: Context) {
  const { repository, branch } = branchOf(context, input.branch);
  const { tables } = context.world;
  demand(tables, context.viewer, repository, WRITE);
  const { headline, body } = input.message;
  const commit = await commitOnBranch(context, repository, {
    branch,
    expectedHead: input.expectedHeadOid,
    message: body ? `${headline}\n\n${body}` : headline,
    additions: (input.fileChanges?.additions ?? []).map(({ path, contents }) => ({
      path,
      content: decodeBase64(contents),
    })),
    deletions: (input.fileChanges?.deletions ?? []).map(({ path }) => path),
  });
  return {
    commit: commitNode(repository.id, commit),
    ref: findRef(tables, repository.id, `refs/heads/${branch}`) ?? null,
  };
}

export const contentResolvers: ResolverMap = { Mutation: { createCommitOnBranch } };
