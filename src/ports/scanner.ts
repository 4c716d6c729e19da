import type { IssueRef, RepoRef } from '../domain/issue/ids.js';
import type { Actor, IssueEvent } from '../domain/state/snapshot.js';
import type { Instant } from '../domain/issue/instant.js';

/** One installation of the App: an account with its repositories and its own rate limits. */
export interface Installation {
  readonly id: number;
  /** The account's login. */
  readonly owner: string;
}

/** What to read from a repository. */
export interface RepoQuery {
  readonly repo: RepoRef;
  /** Only what changed from here on, by GitHub's clock. */
  readonly since: Instant;
  /** Whether to read pull requests too. */
  readonly pulls: boolean;
}

/** An issue, or the pull request from an issue's work branch. */
export interface ChangedItem {
  /** Node id. */
  readonly id: string;
  /** The issue, even if its pull request was found. */
  readonly ref: IssueRef;
  readonly updatedAt: Instant;
}

export type RepoScan =
  | {
      readonly kind: 'seen';
      readonly repo: RepoRef;
      /** GitHub's clock when it was read. */
      readonly at: Instant;
      /** Issues with the label `auto/running`, open or closed. */
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
  /** Whether it has our 👀. */
  readonly acknowledged: boolean;
  /** Whether it has our 🚀 or 😕. */
  readonly answered: boolean;
}

/** Recent comments and events of an issue or pull request. */
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

/** What the sweep reads from GitHub: a little about everything, with read-only tokens. */
export interface Scanner {
  /** Where the App is installed and not suspended. */
  installations(): Promise<readonly Installation[]>;
  /** Every repository an installation covers that can still change. */
  repositories(installation: Installation): Promise<readonly RepoRef[]>;
  /** One answer for each question. A failed one does not affect the others. */
  scan(installation: Installation, questions: readonly RepoQuery[]): Promise<readonly RepoScan[]>;
  /** Comments and events on these since then. Deleted ones are left out. */
  threads(installation: Installation, ids: readonly string[], since: Instant): Promise<readonly Thread[]>;
  /** Deliveries that failed since, oldest first. */
  failedDeliveries(since: Instant): Promise<readonly FailedDelivery[]>;
  /** Asks GitHub to deliver it again. */
  redeliver(delivery: FailedDelivery): Promise<void>;
}
