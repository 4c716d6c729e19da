import type { IssueRef, RepoRef } from '../domain/issue/ids.js';
import type { Actor, IssueEvent } from '../domain/state/snapshot.js';
import type { Instant } from '../domain/issue/instant.js';

/** One place the App is installed in: an account with its repositories, and one set of limits. */
export interface Installation {
  readonly id: number;
  /** Whose it is. */
  readonly owner: string;
}

/** What to look for in a repository. */
export interface RepoQuery {
  readonly repo: RepoRef;
  /** Only what changed from here on, by GitHub's clock. */
  readonly since: Instant;
  /** Whether to look at pull requests too. */
  readonly pulls: boolean;
}

/** An issue, or the pull request from an issue's work branch. */
export interface ChangedItem {
  /** Node id. */
  readonly id: string;
  /** The issue, also when it is its pull request that was sighted. */
  readonly ref: IssueRef;
  readonly updatedAt: Instant;
}

export type RepoScan =
  | {
      readonly kind: 'seen';
      readonly repo: RepoRef;
      /** GitHub's clock when it was read. */
      readonly at: Instant;
      /** Issues that say we drive them, open or not. */
      readonly driven: readonly ChangedItem[];
      /** Issues that changed since. */
      readonly changed: readonly ChangedItem[];
      /** Pull requests of ours that changed since. */
      readonly pulls: readonly ChangedItem[];
    }
  /** Gone, out of reach, or not answered this time. */
  | { readonly kind: 'failed'; readonly repo: RepoRef; readonly why: string };

export interface ThreadComment {
  /** Node id. */
  readonly id: string;
  readonly author: Actor | null;
  readonly body: string;
  readonly at: Instant;
  readonly edited: boolean;
  /** Whether we have said that we heard it. */
  readonly acknowledged: boolean;
  /** Whether we have said by a reaction what became of it. */
  readonly answered: boolean;
}

/** What happened lately on an issue or a pull request. */
export interface Thread {
  /** Node id. */
  readonly id: string;
  /** With `isPull` its number is that of the pull request. */
  readonly ref: IssueRef;
  readonly isPull: boolean;
  readonly labels: readonly string[];
  /** Oldest first. */
  readonly comments: readonly ThreadComment[];
  /** Labels put on and taken off, closings and reopenings, oldest first. */
  readonly events: readonly IssueEvent[];
}

/** A webhook GitHub could not deliver. */
export interface FailedDelivery {
  readonly id: number;
  /** The same for every attempt. */
  readonly guid: string;
  readonly event: string;
  readonly at: Instant;
}

/** What the sweep asks of GitHub: a little about everything, with tokens that only read. */
export interface Scanner {
  /** Where the App is installed and not suspended. */
  installations(): Promise<readonly Installation[]>;
  /** Every repository an installation covers that can still change. */
  repositories(installation: Installation): Promise<readonly RepoRef[]>;
  /** One answer for each question; one that fails keeps the others from nothing. */
  scan(installation: Installation, questions: readonly RepoQuery[]): Promise<readonly RepoScan[]>;
  /** What happened since on these; those that are gone are left out. */
  threads(installation: Installation, ids: readonly string[], since: Instant): Promise<readonly Thread[]>;
  /** Deliveries that failed since, oldest first. */
  failedDeliveries(since: Instant): Promise<readonly FailedDelivery[]>;
  /** Has GitHub deliver it once more. */
  redeliver(delivery: FailedDelivery): Promise<void>;
}
