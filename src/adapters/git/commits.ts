import type { Oid } from '../../domain/issue/ids.js';
import { publishPlain } from '../../domain/sanitise/publish.js';
import type { Redact } from '../../domain/sanitise/redact.js';
import type { Clock } from '../../ports/clock.js';
import { type CommitFacts, type GitCommits, GitHostError } from '../../ports/git-host.js';
import { type Git, gitText } from './git-process.js';

/** The author of our commits. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

interface NewCommit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly message: string;
}

/** `GitCommits` on the repository at a path. */
export type Commits = {
  [Name in 'squash' | 'merge']: (path: string, given: Parameters<GitCommits[Name]>[1]) => ReturnType<GitCommits[Name]>;
} & { readonly write: (path: string, given: Parameters<GitCommits['writeCommit']>[1]) => Promise<Oid> };

/** How our commits are signed, and what must not be in their messages. */
export interface CommitRules {
  readonly identity: GitIdentity;
  readonly redact?: Redact | undefined;
}

export function createCommits(git: Git, { identity, redact }: CommitRules, clock: Clock): Commits {
  const commit = (path: string, { tree, parents, message }: NewCommit): Promise<Oid> => {
    const date = `@${Math.floor(clock.now() / 1000)} +0000`;
    return gitText(git, path, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], {
      input: publishPlain(message, redact),
      env: {
        GIT_AUTHOR_NAME: identity.name,
        GIT_AUTHOR_EMAIL: identity.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: identity.name,
        GIT_COMMITTER_EMAIL: identity.email,
        GIT_COMMITTER_DATE: date,
      },
    });
  };

  const treeOf = (path: string, oid: Oid): Promise<Oid> =>
    gitText(git, path, ['rev-parse', '--verify', `${oid}^{tree}`]);

  /** Merges two commits. Git finds the merge base itself, because a caller could name a wrong one. */
  const mergedTree = async (path: string, first: Oid, second: Oid): Promise<Oid | null> => {
    const args = ['merge-tree', '--write-tree', '--no-messages', '--allow-unrelated-histories', first, second];
    const { exitCode, stdout, stderr } = await git(path, args);
    if (exitCode === 1) return null;
    if (exitCode !== 0) throw new GitHostError(`git merge-tree failed with ${exitCode}: ${stderr}`, 'permanent');
    return stdout.toString().trim();
  };

  return {
    write: async (path, { files, parent, message }) =>
      commit(path, { tree: await writeTree(git, path, files), parents: parent === null ? [] : [parent], message }),
    squash: async (path, { tip, onto, message }) => {
      const tree = await mergedTree(path, onto, tip);
      if (tree === null) return null;
      return {
        oid: await commit(path, { tree, parents: [onto], message }),
        isSameTree: tree === (await treeOf(path, tip)),
      };
    },
    merge: async (path, { first, second, take, message }) => {
      const tree = take === 'first' ? await treeOf(path, first) : await mergedTree(path, first, second);
      return tree === null ? null : commit(path, { tree, parents: [first, second], message });
    },
  };
}

/** Whether a commit contains another. A commit that is not here is in nothing. */
export async function isAncestor(git: Git, path: string, ancestor: Oid, commit: Oid): Promise<boolean> {
  return (await git(path, ['merge-base', '--is-ancestor', ancestor, commit])).exitCode === 0;
}

/** Whether the commits have a common ancestor. */
export async function isRelated(git: Git, path: string, commits: readonly Oid[]): Promise<boolean> {
  const { exitCode, stderr } = await git(path, ['merge-base', ...commits]);
  if (exitCode > 1) throw new GitHostError(`git merge-base failed with ${exitCode}: ${stderr}`, 'permanent');
  return exitCode === 0;
}

/** Whether a path is the same object in two commits, or in neither. */
export async function isSameObject(git: Git, path: string, at: string, commits: readonly Oid[]): Promise<boolean> {
  const input = commits.map((oid) => `${oid}:${at}\n`).join('');
  const lines = (await gitText(git, path, ['cat-file', '--batch-check=%(objectname)'], { input })).split('\n');
  // Git answers `<request> missing`, and the request names the commit.
  const [one, other] = lines.map((line) => (line.endsWith(' missing') ? null : line));
  return one === other;
}

/** A tree of exactly these files, by their paths. */
async function writeTree(git: Git, path: string, files: Readonly<Record<string, string>>): Promise<Oid> {
  const folders = new Map<string, Record<string, string>>();
  const lines: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const [folder = '', ...rest] = name.split('/');
    if (rest.length > 0) folders.set(folder, { ...folders.get(folder), [rest.join('/')]: content });
    else
      lines.push(
        `100644 blob ${await gitText(git, path, ['hash-object', '-w', '--stdin'], { input: content })}\t${name}`,
      );
  }
  for (const [folder, inner] of folders) lines.push(`040000 tree ${await writeTree(git, path, inner)}\t${folder}`);
  return gitText(git, path, ['mktree', '-z'], { input: lines.map((line) => `${line}\0`).join('') });
}

/** A file of a commit; `null` when there is none at that path. */
export async function readBlob(git: Git, path: string, commit: Oid, file: string): Promise<string | null> {
  // Git reads requests by line, so a path with a line break would be two.
  if (/[\n\r]/.test(file)) return null;
  const answer = await git(path, ['cat-file', '--batch=%(objecttype)'], {
    input: `${commit}:${file}\n`,
    maxOutputBytes: 16_000_000,
  });
  if (answer.exitCode !== 0) throw new GitHostError(`git cat-file failed: ${answer.stderr}`, 'permanent');
  const { stdout } = answer;
  const header = stdout.subarray(0, stdout.indexOf('\n')).toString();
  // The content is followed by one more newline.
  return header === 'blob' ? stdout.subarray(header.length + 1, -1).toString() : null;
}

/** A commit and its first parents; empty when it is not here. */
export async function readLog(git: Git, path: string, tip: Oid, limit: number): Promise<readonly CommitFacts[]> {
  const args = ['log', '--first-parent', `--max-count=${limit}`, '--format=%H%x09%P%x09%ct%x09%s', tip, '--'];
  const { exitCode, stdout, stderr } = await git(path, args);
  if (exitCode !== 0) {
    if ((await git(path, ['cat-file', '-e', `${tip}^{commit}`])).exitCode !== 0) return [];
    throw new GitHostError(`git log failed with ${exitCode}: ${stderr}`, 'permanent');
  }
  const lines = stdout.toString().split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [oid = '', parents = '', seconds = '', ...subject] = line.split('\t');
      const [parent, second] = parents.split(' ');
      return {
        oid,
        parent: parent || null,
        isMerge: second !== undefined,
        at: Number(seconds) * 1000,
        subject: subject.join('\t'),
      };
    });
}
