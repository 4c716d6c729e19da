import type { RetryClass } from '../domain/issue/retry-class.js';
import type { Oid, RepoRef } from '../domain/issue/ids.js';

/** Git could not do what was asked. When it is transient, what was sent may have happened all the same: read again. */
export class GitHostError extends Error {
  readonly retry: RetryClass;

  constructor(message: string, retry: RetryClass) {
    super(message);
    this.name = 'GitHostError';
    this.retry = retry;
  }
}

/** Whether commits leave alone what only people change. */
export interface ProtectedQuestion {
  readonly tip: Oid;
  /** Tip of the base branch: what people have put there is how it has to be. */
  readonly base: Oid;
  /** Commits that are known: what people changed in them may stay as it is. */
  readonly trusted: readonly Oid[];
  /** The commit the work began on; it may go on from no older commit of base than that one did. */
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
  /** Refs were not where they were expected: somebody else was faster, or our own push landed and its answer was lost. */
  | { readonly kind: 'lost'; readonly moved: readonly string[] }
  /** The server does not allow it (protected branch, rule, hook, missing permission). */
  | {
      readonly kind: 'refused';
      readonly ref: string;
      readonly why: string;
      /** The server failed for a moment: the same push may go through a little later. */
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

/** Making and comparing commits in the mirrors, without touching any ref. */
export interface GitCommits {
  /** Writes a commit with exactly these files (path → content) on top of `parent`. */
  writeCommit(
    repo: RepoRef,
    commit: { readonly files: Readonly<Record<string, string>>; readonly parent: Oid | null; readonly message: string },
  ): Promise<Oid>;
  /**
   * One commit on top of `onto` with everything `tip` changed since the two parted, so that what others landed meanwhile stays.
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
  /** Whether `ancestor` is `commit` or one of its ancestors. A commit that is nowhere to be found is in nothing. */
  contains(repo: RepoRef, commit: Oid, ancestor: Oid): Promise<boolean>;
  /** Whether two commits have any commit in common in their histories. One that is nowhere to be found is an error. */
  isRelated(repo: RepoRef, commits: readonly [Oid, Oid]): Promise<boolean>;
  /** Whether two commits have the same file or folder at a path; both having none is the same. */
  isSameAt(repo: RepoRef, path: string, commits: readonly [Oid, Oid]): Promise<boolean>;
  /** The paths at which commits have something only people may put there, in order; none, mostly. All commits have to be here. */
  protectedChanges(repo: RepoRef, question: ProtectedQuestion): Promise<readonly string[]>;
}

export interface Squashed {
  readonly oid: Oid;
  /** Whether the files are exactly those of `tip`: what was found out about those holds for this commit too. */
  readonly isSameTree: boolean;
}

/** Where a commit is on this host. */
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
   * Where these refs are now, with all they hold in the mirror. Refs that do not exist are left out. A name that ends in `/*` asks
   * for every ref below that folder.
   */
  fetch(repo: RepoRef, refs: readonly string[]): Promise<ReadonlyMap<string, Oid>>;
  /**
   * Takes commits over from a bundle an agent made, checked object by object and held to limits before anything is in the mirror; the
   * oid of `tip`. `known` are commits it was made from: it may not be very much larger than those. Where messages of the others would
   * do something (keep CI from running, close an issue), it is the oid of the same work with harmless ones.
   */
  takeBundle(repo: RepoRef, bundle: string, tip: string, known?: readonly Oid[]): Promise<Oid>;
  /** Moves several refs on GitHub, all or none. A ref that is already where it should go counts as moved. */
  push(repo: RepoRef, refs: readonly RefPush[]): Promise<PushResult>;
  /**
   * Keeps a commit that GitHub does not take, under a name in the mirror, for whoever has this machine. Names are bounded in number and
   * age. Where it is.
   */
  keep(repo: RepoRef, kept: { readonly name: string; readonly commit: Oid }): Promise<KeptCommit>;
  /** `null` when the commit has no such file. A commit that is nowhere to be found is an error. */
  readFile(repo: RepoRef, commit: Oid, path: string): Promise<string | null>;
  /** A commit and its first parents, newest first, without asking GitHub: empty when the mirror does not have it. */
  log(repo: RepoRef, tip: Oid, limit: number): Promise<readonly CommitFacts[]>;
}
