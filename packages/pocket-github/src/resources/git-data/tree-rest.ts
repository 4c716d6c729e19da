import type { components } from '@octokit/openapi-types';
import { z } from 'zod';
import type { GitTreeEntry } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { created, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { READ, WRITE } from '../refs/access.js';
import { demandNotEmpty } from '../refs/rest.js';
import { resolveExpression } from './expression.js';
import { treeBody, writeTree } from './tree-changes.js';

/** GitHub shows no more entries than this at once. */
const MAX_ENTRIES = 100_000;

/** The entries of a tree; those of the trees in it too, if asked for, each with its path from here. */
async function entriesOf(
  context: Context,
  repository: Repository,
  oid: Oid,
  recursive: boolean,
): Promise<GitTreeEntry[]> {
  const object = await context.world.git(repository.id).object(oid);
  if (object?.type !== 'tree') throw notFound();
  const found: GitTreeEntry[] = [];
  for (const entry of object.entries) {
    found.push(entry);
    if (!recursive || entry.type !== 'tree') continue;
    const below = await entriesOf(context, repository, entry.oid, true);
    for (const inner of below) found.push({ ...inner, path: `${entry.path}/${inner.path}` });
  }
  return found;
}

async function treeJson(context: Context, repository: Repository, oid: Oid, recursive: boolean) {
  const api = `${context.urls.api}/repos/${fullName(context.db, repository)}/git`;
  const entries = await entriesOf(context, repository, oid, recursive);
  return {
    sha: oid,
    url: `${api}/trees/${oid}`,
    truncated: entries.length > MAX_ENTRIES,
    tree: entries.slice(0, MAX_ENTRIES).map((entry) => ({
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      sha: entry.oid,
      ...(entry.size === null ? {} : { size: entry.size }),
      // A submodule's commit is in another repository.
      ...(entry.type === 'commit' ? {} : { url: `${api}/${entry.type}s/${entry.oid}` }),
    })),
  } satisfies components['schemas']['git-tree'];
}

export const treeRoutes = [
  route('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
    access: READ,
    // Any value, even `0` or `false`, means yes.
    query: z.object({ recursive: z.string().optional() }),
    handle: async ({ context, params, query }, repository) => {
      demandNotEmpty(context.db, repository);
      const tree = await resolveExpression(context, repository, `${params['tree_sha']}^{tree}`);
      if (tree === null) throw notFound();
      return ok(await treeJson(context, repository, tree.oid, query.recursive !== undefined));
    },
  }),
  route('POST /repos/{owner}/{repo}/git/trees', {
    access: WRITE,
    body: treeBody,
    handle: async ({ context, body }, repository) => {
      demandNotEmpty(context.db, repository);
      return created(await treeJson(context, repository, await writeTree(context, repository, body), false));
    },
  }),
];
