import type { MergeMethod, Oid } from '../world/model.js';

export interface GitPerson {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Distance from UTC as git writes it, e.g. `-0730`; UTC if absent. */
  readonly zone?: string;
}

export interface GitCommit {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: GitPerson;
  readonly committer: GitPerson;
  readonly message: string;
}

export interface GitTreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: Oid;
  readonly size: number | null;
}

export type GitObject =
  | { readonly type: 'blob'; readonly oid: Oid; readonly content: Buffer }
  | { readonly type: 'tree'; readonly oid: Oid; readonly entries: readonly GitTreeEntry[] }
  | { readonly type: 'commit'; readonly oid: Oid; readonly commit: GitCommit }
  | ({ readonly type: 'tag'; readonly oid: Oid } & GitTag);

/** An annotated tag. */
export interface GitTag {
  readonly name: string;
  readonly target: Oid;
  readonly targetType: 'blob' | 'tree' | 'commit' | 'tag';
  /** Very old tags have none. */
  readonly tagger: GitPerson | null;
  readonly message: string;
}

/** The paths a commit touches, compared with its first parent. A renamed file is one added and one removed. */
export interface TouchedPaths {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly modified: readonly string[];
}

/** One changed file between two trees. */
export interface GitFileChange {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  /** Unified diff hunks without the file header; `null` when there are none (binary, empty, only moved). */
  readonly patch: string | null;
  /** The blob after the change; of a removed file, the blob it was. */
  readonly oid: Oid;
}

export interface NewCommit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly message: string;
  readonly author: GitPerson;
  readonly committer: GitPerson;
}

export interface LogOptions {
  readonly limit?: number;
  /** Only commits that touch this file or folder. */
  readonly path?: string;
  /** Leaves out what is reachable from any of these, besides `from`. */
  readonly not?: readonly Oid[];
}

export interface RefUpdate {
  readonly name: string;
  /** `null` creates. */
  readonly before: Oid | null;
  /** `null` deletes. */
  readonly after: Oid | null;
}

/**
 * One real bare repository on disk. Only objects and refs: who may do what, and what follows, is decided by the resources.
 * Callers change refs through `moveRefs` (resources/refs), so that the `refs` table and the events agree with git.
 */
export interface GitRepository {
  /** Absolute path of the bare repository. */
  readonly path: string;
  /** Object by id, or `null` if it does not exist. */
  object(oid: Oid): Promise<GitObject | null>;
  commit(oid: Oid): Promise<GitCommit | null>;
  /** The entry at `path` below a commit or tree; `null` if absent. The empty path is the root tree. */
  entryAt(treeish: Oid, path: string): Promise<GitTreeEntry | null>;
  /** `git rev-parse` of anything git itself understands below this repository (`main~2`, `HEAD:README.md`, a short oid). */
  resolve(expression: string): Promise<Oid | null>;
  mergeBase(a: Oid, b: Oid): Promise<Oid | null>;
  isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean>;
  /** Commits reachable from `to` and not from `from`, newest first; all of them when `from` is `null`. */
  log(from: Oid | null, to: Oid, options?: LogOptions): Promise<readonly GitCommit[]>;
  changes(from: Oid | null, to: Oid): Promise<readonly GitFileChange[]>;
  /** Which paths each of these commits touches, in one go. */
  touchedPaths(commits: readonly GitCommit[]): Promise<ReadonlyMap<Oid, TouchedPaths>>;
  /** The whole diff as text, `git diff` format; from nothing when `from` is `null`. */
  diff(from: Oid | null, to: Oid): Promise<string>;
  /** The commits reachable from `to` and not from `from` (all of them when `null`) as mails, `git format-patch` format. */
  patch(from: Oid | null, to: Oid): Promise<string>;
  writeBlob(content: Buffer): Promise<Oid>;
  /** A tree made of `base` (or nothing) with paths set or, with `oid: null`, removed. */
  writeTree(
    base: Oid | null,
    entries: readonly { readonly path: string; readonly mode: string; readonly oid: Oid | null }[],
  ): Promise<Oid>;
  writeCommit(commit: NewCommit): Promise<Oid>;
  writeTag(tag: GitTag & { readonly tagger: GitPerson }): Promise<Oid>;
  /** Merges two commits without touching any ref: the resulting tree, or `null` when there are conflicts. */
  mergeTrees(base: Oid, head: Oid): Promise<Oid | null>;
  /** The commit that would be on base after merging `head` by `method`; `null` on conflict. */
  mergeCommit(
    base: Oid,
    head: Oid,
    method: MergeMethod,
    commit: Omit<NewCommit, 'tree' | 'parents'>,
  ): Promise<Oid | null>;
  /** Compare-and-swap of several refs in one transaction; false (and nothing changed) when one was not at `before`. */
  updateRefs(updates: readonly RefUpdate[]): Promise<boolean>;
  listRefs(): Promise<ReadonlyMap<string, Oid>>;
  /** Copies these commits of another repository, and all they need, without touching any ref. */
  takeFrom(other: GitRepository, oids: readonly Oid[]): Promise<void>;
  /** Points HEAD, which decides what a clone checks out. */
  setDefaultBranch(branch: string): Promise<void>;
  close(): Promise<void>;
}

/** The bare repositories of one world, by repository id. */
export interface GitStore {
  create(repositoryId: number, defaultBranch: string): Promise<GitRepository>;
  get(repositoryId: number): GitRepository;
  close(): Promise<void>;
}
