import type { GitCommit, GitRepository } from '../../git/git-repository.js';
import type { Oid } from '../../world/model.js';

/** The commit an object is, or that an annotated tag points at; `null` if it leads to none. */
export async function peeledCommit(git: GitRepository, oid: Oid): Promise<GitCommit | null> {
  const commit = await git.commit(oid);
  if (commit !== null) return commit;
  const target = await git.resolve(`${oid}^{commit}`);
  return target === null ? null : git.commit(target);
}
