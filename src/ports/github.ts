import type { RetryClass } from '../domain/issue/retry-class.js';
import type { IssueRef, Oid, RepoRef } from '../domain/issue/ids.js';
import type { Change } from '../domain/action/change.js';
import type { Actor, CommentFacts, IssueSnapshot, PullFacts } from '../domain/state/snapshot.js';
import type { PullId } from '../domain/issue/pull-id.js';
import type { Instant } from '../domain/issue/instant.js';
import type { RawState } from './state-store.js';

/** What went wrong with a request to GitHub. Each kind needs another reaction. */
export type GitHubProblem =
  /** No answer, or no valid one. The request may still have taken effect, so read again. */
  | 'transient'
  /** The same request will fail until somebody changes something. */
  | 'permanent'
  /** The repository has no commit yet, so no work can start until somebody pushes one. */
  | 'no-commit'
  /** The object is gone, or we may not see it. */
  | 'not-found'
  /** Our credential does not allow it. */
  | 'forbidden'
  /** Too many requests; nothing happened. Do not try again before `until`. */
  | 'rate-limited'
  /** The snapshot behind the write is too old, so nothing was sent. Read again. */
  | 'outdated';

/** Problems that a retry does not change. */
const LASTING: readonly GitHubProblem[] = ['permanent', 'no-commit', 'not-found', 'forbidden'];

export class GitHubError extends Error {
  readonly problem: GitHubProblem;
  /** Earliest next try, by our own clock. Always set for `rate-limited`, and for `transient` if known. */
  readonly until: Instant | null;
  /** The query cost too much for GitHub; a smaller one may work. */
  readonly isTooMuch: boolean;

  constructor(problem: GitHubProblem, message: string, until: Instant | null = null, isTooMuch = false) {
    super(message);
    this.name = 'GitHubError';
    this.problem = problem;
    this.until = until;
    this.isTooMuch = isTooMuch;
  }

  get retry(): RetryClass {
    return LASTING.includes(this.problem) ? 'permanent' : 'transient';
  }
}

/** A snapshot whose state ref is not verified yet, so it is unknown which pull request it names. */
export type RawSnapshot = Omit<IssueSnapshot, 'reading' | 'pull'> & {
  readonly rawState: RawState | null;
  /** Pull requests that only we can have opened, newest first. */
  readonly pulls: readonly PullFacts[];
};

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface NewPull {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export type MergeResult =
  | { readonly kind: 'merged'; readonly snapshot: RawSnapshot }
  /** A branch was just being moved. The same merge may succeed soon. */
  | { readonly kind: 'moved'; readonly why: string }
  /** GitHub does not allow it, in its own words. */
  | { readonly kind: 'refused'; readonly why: string };

export interface ReceivedComment {
  /** Its node id. */
  readonly commentId: string;
  /** Whether it is on a pull request. */
  readonly isPull: boolean;
  /** Only read it, without a reaction on GitHub. */
  readonly isSilent?: boolean;
}

/** Who gets an answer. Answers to strangers must not use up the write limit of others. */
export type Addressee = 'permitted' | 'stranger';

/** A comment as GitHub itself shows it now, not as a webhook described it. */
export type ShownComment = Pick<CommentFacts, 'author' | 'body' | 'at' | 'edited'>;

/** A comment that was read, and the issue or pull request it is on. */
export type Acknowledgement =
  /** `snapshot` is `null` if the answer is incomplete; then read the issue. */
  | { readonly kind: 'issue'; readonly comment: ShownComment; readonly snapshot: RawSnapshot | null }
  /** The issue behind a pull request of ours; `null` for anybody else's. */
  | { readonly kind: 'pull'; readonly comment: ShownComment; readonly issue: number | null }
  /** The comment is on another issue or pull request than the webhook claimed. */
  | { readonly kind: 'elsewhere' }
  /** The comment is no longer there. */
  | { readonly kind: 'gone' };

/** How old a snapshot may be when a write based on it is sent. Later, another instance may have continued. */
export const WRITE_WITHIN_MS = 10_000;

/** What the use cases ask of GitHub. Git operations go through `GitHost`. Writes that would leave too late are `outdated`. */
export interface GitHub {
  /** All facts about an issue, in one request. `null` when it is gone or not visible. */
  snapshot(ref: IssueRef, hints: SnapshotHints): Promise<RawSnapshot | null>;
  /** One document with all changes; its last payload is the new snapshot. */
  project(snapshot: IssueSnapshot, changes: readonly Change[], hints: SnapshotHints): Promise<RawSnapshot>;
  /** "Already exists" is success. */
  openPull(snapshot: IssueSnapshot, pull: NewPull, hints: SnapshotHints): Promise<RawSnapshot>;
  /** Merges exactly this head. */
  merge(
    snapshot: IssueSnapshot,
    merge: { readonly pullId: string; readonly head: Oid; readonly title: string; readonly body: string },
    hints: SnapshotHints,
  ): Promise<MergeResult>;
  /** A person's current role. `none` when the login now belongs to another account. */
  roleOf(repo: RepoRef, actor: Pick<Actor, 'id' | 'login'>): Promise<Role>;
  /** Puts 👀 on a comment, if the write limit allows, and returns the comment and what it is on. */
  acknowledge(ref: IssueRef, comment: ReceivedComment, hints: SnapshotHints): Promise<Acknowledgement>;
  /** Adds a reaction to a comment; does nothing if the comment is gone. */
  react(repo: RepoRef, commentNodeId: string, content: 'ROCKET' | 'CONFUSED', to?: Addressee): Promise<void>;
  /** Answers on an issue or pull request, once per `about`. An existing answer is only updated. */
  reply(ref: IssueRef, about: string, body: string, to?: Addressee): Promise<void>;
}

/** Facts from the last state that make a snapshot complete in one request. Harmless when wrong. */
export interface SnapshotHints {
  readonly base: string | null;
  /** The commit that has landed according to our state, to check whether base contains it. */
  readonly landed: Oid | null;
  readonly pull: PullHint;
}

/** How to find our pull request. */
export type PullHint =
  /** By the id in our state. */
  | PullId
  /** Work was pushed but its pull request is not recorded yet. Search among all with a higher number than this. */
  | { readonly newerThan: number }
  /** By branch, on the first page only, because nothing depends on it. */
  | null;
