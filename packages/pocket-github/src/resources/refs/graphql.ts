import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { nodeOf, repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Ref, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { compareOids } from '../commits/comparison.js';
import { peeledCommit } from '../commits/peeled-commit.js';
import { objectNode } from '../git-data/object-node.js';
import { READ, WRITE } from './access.js';
import { createRef, deleteRef, type RefWords, updateRef } from './changes.js';
import { listRefs, type RefsArgs } from './ref-list.js';
import { splitRefName } from './ref-name.js';

const GRAPHQL_WORDS: RefWords = {
  exists: (name) => `A ref named "${name}" already exists in the repository.`,
  badName: () => 'Ref cannot be created',
  cannotCreate: 'Ref cannot be created',
  cannotUpdate: 'Ref cannot be updated',
};

/** By its full name, or by the short name of a branch or tag. */
export function refNamed({ db }: Context, repository: Repository, name: string): Ref | null {
  const names = [name, `refs/heads/${name}`, `refs/tags/${name}`];
  return names.map((candidate) => findRef(db, repository.id, candidate)).find((ref) => ref !== undefined) ?? null;
}

const ref = {
  id: ({ id }: Ref) => formatNodeId('refs', id),
  name: ({ name }: Ref) => splitRefName(name).short,
  prefix: ({ name }: Ref) => splitRefName(name).prefix,
  repository: (row: Ref, _: unknown, context: Context) => repositoryOf(context, row),
  target: ({ repositoryId, oid }: Ref, _: unknown, { world }: Context) => objectNode(world, repositoryId, oid),
  compare: async (base: Ref, { headRef }: { headRef: string }, context: Context) => {
    const git = context.world.git(base.repositoryId);
    // Since October 2022 GitHub takes a commit's id here too, whole or shortened.
    const named = refNamed(context, repositoryOf(context, base), headRef)?.oid;
    const head = named ?? (/^[0-9a-f]{4,40}$/.test(headRef) ? await git.resolve(headRef) : null);
    const [from, to] = await Promise.all([peeledCommit(git, base.oid), head === null ? null : peeledCommit(git, head)]);
    return from === null || to === null ? null : compareOids(context.world, base.repositoryId, from.oid, to.oid);
  },
};

/** What only those may ask who may read the files. */
const reading = {
  ref: (repository: Repository, { qualifiedName }: { qualifiedName: string }, context: Context) => {
    demand(context.db, context.viewer, repository, READ);
    return refNamed(context, repository, qualifiedName);
  },
  refs: async (repository: Repository, args: RefsArgs & ConnectionArgs, context: Context) => {
    demand(context.db, context.viewer, repository, READ);
    return connection(await listRefs(context, repository, args), args);
  },
  defaultBranchRef: (repository: Repository, _: unknown, context: Context) => {
    demand(context.db, context.viewer, repository, READ);
    return findRef(context.db, repository.id, `refs/heads/${repository.defaultBranch}`) ?? null;
  },
};

interface Input<T> {
  readonly input: T;
}

/** The ref behind an id, once the caller may move it. */
function writable(context: Context, refId: string): { readonly repository: Repository; readonly name: string } {
  const row = nodeOf(context, 'refs', refId);
  const repository = repositoryOf(context, row);
  demand(context.world.tables, context.viewer, repository, WRITE);
  return { repository, name: row.name };
}

const mutations = {
  createRef: async (
    _: unknown,
    { input }: Input<{ repositoryId: string; name: string; oid: Oid }>,
    context: Context,
  ) => {
    const repository = nodeOf(context, 'repositories', input.repositoryId);
    demand(context.world.tables, context.viewer, repository, WRITE);
    const { name, oid } = input;
    return { ref: await createRef(context, repository, { name, oid }, GRAPHQL_WORDS) };
  },
  updateRef: async (
    _: unknown,
    { input }: Input<{ refId: string; oid: Oid; force?: boolean | null }>,
    context: Context,
  ) => {
    const { repository, name } = writable(context, input.refId);
    const change = { oid: input.oid, force: input.force === true };
    return { ref: await updateRef(context, repository, name, change, GRAPHQL_WORDS) };
  },
  deleteRef: async (_: unknown, { input }: Input<{ refId: string }>, context: Context) => {
    const { repository, name } = writable(context, input.refId);
    await deleteRef(context, repository, name, GRAPHQL_WORDS);
    return {};
  },
};

export const refResolvers: ResolverMap = { Repository: reading, Ref: ref, Mutation: mutations };
