import type { RetryClass } from '../domain/issue/retry-class.js';
import type { IssueRef, Oid, RepoRef } from '../domain/issue/ids.js';
import type { Change } from '../domain/action/change.js';
import type { Actor, CommentFacts, IssueSnapshot, PullFacts } from '../domain/state/snapshot.js';
import type { PullId } from '../domain/issue/pull-id.js';
import type { Instant } from '../domain/issue/instant.js';
import type { RawState } from './state-store.js';

/** What went wrong between us and GitHub, as far as it matters for what to do next. */
export type GitHubProblem =
  /** No answer, or none that means anything. What was asked for may have happened all the same: look again. */
  | 'transient'
  /** GitHub will say the same until somebody changes something. */
  | 'permanent'
  /** The repository has no commit yet: there is nothing to work from until somebody pushes one. */
  | 'no-commit'
  /** What was asked about is gone, or must not be known to us. */
  | 'not-found'
  /** Our credential does not allow it. */
  | 'forbidden'
  /** Too much was asked; nothing happened. Not before `until`. */
  | 'rate-limited'
  /** What the write was decided from is too old by now; nothing was sent. Look again. */
  | 'outdated';

/** Asking again changes nothing. */
const LASTING: readonly GitHubProblem[] = ['permanent', 'no-commit', 'not-found', 'forbidden'];

export class GitHubError extends Error {
  readonly problem: GitHubProblem;
  /** Not before, by our own clock; always of `rate-limited`, and of `transient` where it is known. */
  readonly until: Instant | null;
  /** Asking for less may help: GitHub gave up on a question that cost too much. */
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

/** A snapshot whose state ref has not been checked yet, and which of the pull requests it names is not known. */
export type RawSnapshot = Omit<IssueSnapshot, 'reading' | 'pull'> & {
  readonly rawState: RawState | null;
  /** Those that can only be ours, newest first. */
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
  /** A branch was being moved at that moment; the same may go through soon. */
  | { readonly kind: 'moved'; readonly why: string }
  /** GitHub does not allow it, in its own words. */
  | { readonly kind: 'refused'; readonly why: string };

export interface ReceivedComment {
  /** Its node id. */
  readonly commentId: string;
  /** Whether it stands on a pull request. */
  readonly isPull: boolean;
  /** Only looks, and says nothing on GitHub. */
  readonly isSilent?: boolean;
}

/** Who is answered: what strangers are told must never use up what others need. */
export type Addressee = 'permitted' | 'stranger';

/** A comment as GitHub itself has it now, whatever a webhook said about it. */
export type ShownComment = Pick<CommentFacts, 'author' | 'body' | 'at' | 'edited'>;

/** A comment that was heard, and what it stands on. */
export type Acknowledgement =
  /** `null` where the answer does not show all of it: look. */
  | { readonly kind: 'issue'; readonly comment: ShownComment; readonly snapshot: RawSnapshot | null }
  /** The issue behind a pull request of ours; `null` for anybody else's. */
  | { readonly kind: 'pull'; readonly comment: ShownComment; readonly issue: number | null }
  /** The comment stands on another issue or pull request than the one it was said to stand on. */
  | { readonly kind: 'elsewhere' }
  /** The comment is no longer there. */
  | { readonly kind: 'gone' };

/** How long after a snapshot was known a write decided from it may leave: later, somebody else may have gone on. */
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
  /** A person's role now. `none` when the name belongs to somebody else by now. */
  roleOf(repo: RepoRef, actor: Pick<Actor, 'id' | 'login'>): Promise<Role>;
  /** Puts 👀 on a comment while there is room for it, and says what it is and what it stands on. */
  acknowledge(ref: IssueRef, comment: ReceivedComment, hints: SnapshotHints): Promise<Acknowledgement>;
  /** Says how a comment was taken; nothing, if the comment is gone. */
  react(repo: RepoRef, commentNodeId: string, content: 'ROCKET' | 'CONFUSED', to?: Addressee): Promise<void>;
  /** Says something on an issue or pull request, once per `about`: said before, it is only brought up to date. */
  reply(ref: IssueRef, about: string, body: string, to?: Addressee): Promise<void>;
}

/** What makes a snapshot complete in one request: known from the last state, harmless when wrong. */
export interface SnapshotHints {
  readonly base: string | null;
  /** The commit our state says has landed, to ask whether base holds it. */
  readonly landed: Oid | null;
  readonly pull: PullHint;
}

/** How our pull request is asked for. */
export type PullHint =
  /** By what our state names. */
  | PullId
  /** Work was pushed and its pull request is not written down yet: it is searched for among all with a higher number than this. */
  | { readonly newerThan: number }
  /** By branch, as far as one page shows it: nothing depends on it. */
  | null;
