import type { GitObject } from '../../git/git-repository.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Oid, Repository } from '../../world/model.js';
import { READ } from '../refs/access.js';
import { blobText, isBinary, isTruncated } from './blob-text.js';
import { resolveExpression } from './expression.js';
import { objectFields } from './object-fields.js';
import { objectNode, type ObjectNode } from './object-node.js';
import { type EntryNode, entryFields } from './tree-entry.js';

async function read<T extends GitObject['type']>(type: T, { repositoryId, oid }: ObjectNode, { world }: Context) {
  const object = await world.git(repositoryId).object(oid);
  if (object?.type !== type) throw new Error(`${oid} of repository ${repositoryId} is not a ${type}`);
  return object as Extract<GitObject, { type: T }>;
}

/** A field that the content of a file tells. */
const told =
  <T>(tell: (content: Buffer) => T) =>
  async (node: ObjectNode, _: unknown, context: Context): Promise<T> =>
    tell((await read('blob', node, context)).content);

const blob = {
  byteSize: told((content) => content.length),
  isBinary: told(isBinary),
  isTruncated: told(isTruncated),
  text: told(blobText),
};

const tree = {
  entries: async (node: ObjectNode, _: unknown, context: Context) => {
    const { entries } = await read('tree', node, context);
    const below = node.path ? `${node.path}/` : '';
    return entries.map(
      (entry): EntryNode => ({ ...entry, path: `${below}${entry.path}`, repositoryId: node.repositoryId }),
    );
  },
};

const tag = {
  name: async (node: ObjectNode, _: unknown, context: Context) => (await read('tag', node, context)).name,
  message: async (node: ObjectNode, _: unknown, context: Context) =>
    (await read('tag', node, context)).message.trimEnd(),
  tagger: async (node: ObjectNode, _: unknown, context: Context) => (await read('tag', node, context)).tagger,
  target: async (node: ObjectNode, _: unknown, context: Context) =>
    objectNode(context.world, node.repositoryId, (await read('tag', node, context)).target),
};

interface ObjectArgs {
  readonly oid?: Oid | null;
  readonly expression?: string | null;
}

async function object(repository: Repository, { oid, expression }: ObjectArgs, context: Context) {
  demand(context.db, context.viewer, repository, READ);
  if (oid) return objectNode(context.world, repository.id, oid);
  if (!expression) throw new UnmodelledError('Repository.object without oid and expression');
  const found = await resolveExpression(context, repository, expression);
  return found === null ? null : objectNode(context.world, repository.id, found.oid, found.path);
}

export const gitDataResolvers: ResolverMap = {
  Repository: { object },
  Blob: { ...objectFields('Blob'), ...blob },
  Tree: { ...objectFields('Tree'), ...tree },
  Tag: { ...objectFields('Tag'), ...tag },
  TreeEntry: entryFields,
};
