import type { MergeMethod, Oid } from '../world/model.js';
import type { GitCommands } from './git-command.js';
import type { GitCommit, GitPerson, NewCommit } from './git-repository.js';

/** What merging needs of a repository. */
export interface MergeTools {
  readonly git: GitCommands;
  readonly commit: (oid: Oid) => Promise<GitCommit>;
  readonly log: (from: Oid, to: Oid) => Promise<readonly GitCommit[]>;
  readonly writeCommit: (commit: NewCommit) => Promise<Oid>;
}

/** The tree of a three-way merge of two commits; `null` when they conflict or have no common history. */
export async function mergeTrees({ git }: MergeTools, ours: Oid, theirs: Oid): Promise<Oid | null> {
  // Without a common ancestor git refuses to merge, which is an error to git but an answer to us.
  if ((await git.oidOrNull(['merge-base', ours, theirs])) === null) return null;
  return git.oidOrNull(['merge-tree', '--write-tree', '--no-messages', ours, theirs]);
}

/** The commit that would be on `base` after merging `head`; `null` on conflict. Touches no ref. */
export async function mergeCommit(
  tools: MergeTools,
  base: Oid,
  head: Oid,
  method: MergeMethod,
  commit: Omit<NewCommit, 'tree' | 'parents'>,
): Promise<Oid | null> {
  if (method === 'rebase') return replay(tools, base, head, commit.committer);
  const tree = await mergeTrees(tools, base, head);
  if (tree === null) return null;
  return tools.writeCommit({ ...commit, tree, parents: method === 'merge' ? [base, head] : [base] });
}

/**
 * Each commit of `head` that is not on `base`, again on top of it. As `git rebase` does, merges are left out, authors and
 * messages kept, and commits whose change is already there dropped.
 */
async function replay(tools: MergeTools, base: Oid, head: Oid, committer: GitPerson): Promise<Oid | null> {
  const commits = (await tools.log(base, head)).filter(({ parents }) => parents.length < 2).reverse();
  let tip = await tools.commit(base);
  for (const commit of commits) {
    const [parent] = commit.parents;
    if (parent === undefined) return null;
    const tree = await pick(tools, tip, commit, parent);
    if (tree === null) return null;
    const wasEmpty = (await tools.commit(parent)).tree === commit.tree;
    if (tree === tip.tree && !wasEmpty) continue;
    const { author, message } = commit;
    tip = await tools.commit(await tools.writeCommit({ tree, parents: [tip.oid], author, message, committer }));
  }
  return tip.oid;
}

/**
 * Applies the change from `parent` to `commit` on top of `tip`. git 2.39's merge-tree cannot be told the merge base, so the
 * tip's tree is put in a throw-away commit whose only parent is `parent`: then that is what git finds as the base.
 */
async function pick(tools: MergeTools, tip: GitCommit, commit: GitCommit, parent: Oid): Promise<Oid | null> {
  const { author, committer } = commit;
  const standIn = await tools.writeCommit({ tree: tip.tree, parents: [parent], message: '', author, committer });
  return tools.git.oidOrNull(['merge-tree', '--write-tree', '--no-messages', standIn, commit.oid]);
}
