import type { GitTreeEntry } from '../../git/git-repository.js';
import { repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import type { Oid } from '../../world/model.js';
import type { World } from '../../world/world.js';
import { objectNode } from './object-node.js';

/** Source of GraphQL's `TreeEntry`; `path` is the whole path, as far as it is known. */
export interface EntryNode extends GitTreeEntry {
  readonly repositoryId: number;
}

export async function treeEntryAt(
  world: World,
  repositoryId: number,
  treeish: Oid,
  path: string,
): Promise<EntryNode | null> {
  const entry = await world.git(repositoryId).entryAt(treeish, path);
  return entry === null ? null : { ...entry, repositoryId };
}

const nameOf = ({ path }: EntryNode): string => path.slice(path.lastIndexOf('/') + 1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const entryFields = {
  name: nameOf,
  nameRaw: (entry: EntryNode) => base64(nameOf(entry)),
  path: ({ path }: EntryNode) => path,
  pathRaw: ({ path }: EntryNode) => base64(path),
  extension: (entry: EntryNode) => /\.[^.]*$/.exec(nameOf(entry))?.[0] ?? '',
  type: ({ type }: EntryNode) => type,
  mode: ({ mode }: EntryNode) => Number.parseInt(mode, 8),
  oid: ({ oid }: EntryNode) => oid,
  size: ({ size }: EntryNode) => size ?? 0,
  repository: (entry: EntryNode, _: unknown, context: Context) => repositoryOf(context, entry),
  /** A submodule's commit is in another repository. */
  object: ({ repositoryId, oid, path, type }: EntryNode, _: unknown, { world }: Context) =>
    type === 'commit' ? null : objectNode(world, repositoryId, oid, type === 'tree' ? path : undefined),
};
