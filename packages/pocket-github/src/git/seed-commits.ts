import type { Oid } from '../world/model.js';
import type { GitPerson, GitRepository } from './git-repository.js';

export interface SeedCommit {
  readonly parent: Oid | null;
  /** Contents by path; `null` deletes. What starts with `#!` becomes executable. */
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  readonly message: string;
  readonly author: GitPerson;
}

/** Commits plain data on top of `parent`, without touching any ref. */
export async function commitFiles(git: GitRepository, { parent, files, message, author }: SeedCommit): Promise<Oid> {
  const edits = await Promise.all(
    Object.entries(files).map(async ([path, value]) => {
      const content = value === null ? null : Buffer.from(value);
      const mode = content?.subarray(0, 2).toString() === '#!' ? '100755' : '100644';
      return { path, mode, oid: content && (await git.writeBlob(content)) };
    }),
  );
  const tree = await git.writeTree(parent, edits);
  return git.writeCommit({ tree, parents: parent === null ? [] : [parent], message, author, committer: author });
}
