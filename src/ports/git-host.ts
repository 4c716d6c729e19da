import type { RetryClass } from '../domain/issue/retry-class.js';
import type { Oid, RepoRef } from '../domain/issue/ids.js';

/** A git operation failed. If the error is transient, the operation may still have happened, so read again. */
export class GitHostError extends Error {
  readonly retry: RetryClass;

  constructor(message: string, retry: RetryClass) {
    super(message);
    this.name = 'GitHostError';
    this.retry = retry;
  }
}

/** The question whether commits change protected files. */
export interface ProtectedQuestion {
  readonly tip: Oid;
  /** Tip of the base branch, whose protected files are the right ones. */
  readonly base: Oid;
  /** Known commits, whose protected files may stay as they are. */
  readonly trusted: readonly Oid[];
  /** The commit the work began on. The work must not go back to an older commit of base than this one contains. */
  readonly start?: Oid;
  readonly isProtected: (path: string) => boolean;
}

/** One ref to move. `expected` is where it has to be now; `null` means it must not exist. */
export interface RefPush {
  readonly ref: string;
  readonly expected: Oid | null;
  /** `null` deletes. */
  readonly to: Oid | null;
}

export type PushResult =
  | { readonly kind: 'pushed' }
  /** Refs were not at the expected commits: somebody else pushed first, or our own push landed and its answer was lost. */
  | { readonly kind: 'lost'; readonly moved: readonly string[] }
  /** The server does not allow it (protected branch, rule, hook, missing permission). */
  | {
      readonly kind: 'refused';
      readonly ref: string;
      readonly why: string;
      /** A temporary failure of the server: the same push may succeed a little later. */
      readonly isPassing: boolean;
    };

export interface CommitFacts {
  readonly oid: Oid;
  /** The first. */
  readonly parent: Oid | null;
  /** Whether it has more than one. */
  readonly isMerge: boolean;
  /** When it was committed, to the second. */
  readonly at: number;
  /** First line of its message. */
  readonly subject: string;
}

/** Makes and compares commits in the mirrors, without changing any ref. */
export interface GitCommits {
  /** Writes a commit with exactly these files (path → content) on top of `parent`. */
  writeCommit(
    repo: RepoRef,
    commit: { readonly files: Readonly<Record<string, string>>; readonly parent: Oid | null; readonly message: string },
  ): Promise<Oid>;
  /**
   * One commit on top of `onto` with everything `tip` changed since their merge base, so that others' work stays.
   * `null` when that conflicts.
   */
  squash(
    repo: RepoRef,
    squash: { readonly tip: Oid; readonly onto: Oid; readonly message: string },
  ): Promise<Squashed | null>;
  /** A commit with both as parents. `take: 'both'` merges them (`null` on conflict); `take: 'first'` has the files of the first. */
  merge(
    repo: RepoRef,
    merge: {
      readonly first: Oid;
      readonly second: Oid;
      readonly take: 'both' | 'first';
      readonly message: string;
    },
  ): Promise<Oid | null>;
  /** Whether `ancestor` is `commit` or one of its ancestors. `false` for a commit that cannot be found. */
  contains(repo: RepoRef, commit: Oid, ancestor: Oid): Promise<boolean>;
  /** Whether the histories of two commits share a commit. A commit that cannot be found is an error. */
  isRelated(repo: RepoRef, commits: readonly [Oid, Oid]): Promise<boolean>;
  /** Whether two commits have the same file or folder at a path; both having none is the same. */
  isSameAt(repo: RepoRef, path: string, commits: readonly [Oid, Oid]): Promise<boolean>;
  /** The protected paths that commits change, in order; usually none. All commits must be in the mirror. */
  protectedChanges(repo: RepoRef, question: ProtectedQuestion): Promise<readonly string[]>;
}

export interface Squashed {
  readonly oid: Oid;
  /** Whether the files are exactly those of `tip`, so that its test results also apply to this commit. */
  readonly isSameTree: boolean;
}

/** Where a commit is kept on this host. */
export interface KeptCommit {
  /** Path of the mirror. */
  readonly mirror: string;
  /** The ref in it. */
  readonly name: string;
}

/** The host's own git repositories: one mirror per GitHub repository. No agent ever writes to them. */
export interface GitHost extends GitCommits {
  /** Path of the mirror, brought up to date; its objects may be borrowed read-only. */
  mirror(repo: RepoRef): Promise<string>;
  /**
   * Fetches these refs into the mirror and returns their commits. Missing refs are left out. A name that ends in `/*` asks
   * for every ref below that folder.
   */
  fetch(repo: RepoRef, refs: readonly string[]): Promise<ReadonlyMap<string, Oid>>;
  /**
   * Takes commits from a bundle an agent made. Every object is checked, and limits apply, before anything enters the mirror. Returns the
   * oid of `tip`. `known` are commits it was made from; it must not be much larger than those. If messages of the other commits would
   * have an effect (skip CI, close an issue), it is the oid of the same work with harmless messages.
   */
  takeBundle(repo: RepoRef, bundle: string, tip: string, known?: readonly Oid[]): Promise<Oid>;
  /** Moves several refs on GitHub, all or none. A ref that is already where it should go counts as moved. */
  push(repo: RepoRef, refs: readonly RefPush[]): Promise<PushResult>;
  /**
   * Keeps a commit that GitHub refuses, under a ref in the mirror, for the operator of this machine. The refs are limited in number and
   * age. Returns where it is.
   */
  keep(repo: RepoRef, kept: { readonly name: string; readonly commit: Oid }): Promise<KeptCommit>;
  /** `null` when the commit has no such file. A commit that cannot be found is an error. */
  readFile(repo: RepoRef, commit: Oid, path: string): Promise<string | null>;
  /** A commit and its first parents, newest first, without a request to GitHub. Empty when the mirror does not have it. */
  log(repo: RepoRef, tip: Oid, limit: number): Promise<readonly CommitFacts[]>;
}
