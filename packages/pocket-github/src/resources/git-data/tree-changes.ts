import { z } from 'zod';
import type { GitRepository } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { unprocessable } from '../../world/errors.js';
import type { Oid, Repository } from '../../world/model.js';
import { demandWorkflowRight } from './workflow-right.js';

const entryBody = z.object({
  path: z.string(),
  mode: z.enum(['100644', '100755', '040000', '160000', '120000']),
  type: z.enum(['blob', 'tree', 'commit']).optional(),
  sha: z.string().nullish(),
  content: z.string().optional(),
});

export const treeBody = z.object({ tree: z.array(entryBody), base_tree: z.string().optional() });

type Entry = z.infer<typeof entryBody>;

/** A tree from a base and changes: `sha` or `content` sets a path, `sha: null` removes it. */
export async function writeTree(
  context: Context,
  repository: Repository,
  body: z.infer<typeof treeBody>,
): Promise<Oid> {
  const git = context.world.git(repository.id);
  const base = body.base_tree === undefined ? null : await git.resolve(`${body.base_tree}^{tree}`);
  if (body.base_tree !== undefined && base === null) throw unprocessable('base_tree is not a valid tree oid');
  demandWorkflowRight(
    context.viewer,
    body.tree.map(({ path }) => path),
  );
  const edits = [];
  for (const entry of body.tree) {
    edits.push({ path: entry.path, mode: entry.mode, oid: await entryOid(git, base, entry) });
  }
  return git.writeTree(base, edits);
}

async function entryOid(
  git: GitRepository,
  base: Oid | null,
  { path, mode, sha, content }: Entry,
): Promise<Oid | null> {
  if (sha === null) {
    // The whole request is refused for one path that is not there to be removed.
    if (base === null || (await git.entryAt(base, path)) === null) throw unprocessable('GitRPC::BadObjectState');
    return null;
  }
  if (sha === undefined) return git.writeBlob(Buffer.from(content ?? ''));
  const wanted = mode === '040000' ? 'tree' : 'blob';
  if (mode !== '160000' && (await git.object(sha))?.type !== wanted)
    throw unprocessable(`tree.sha ${sha} is not a valid ${wanted}`);
  return sha;
}
