import type { BudgetConfig } from './budgets.js';
import type { OwnerLife } from '../state/lease-owner.js';
import type { IssueSnapshot, KnownState } from '../state/snapshot.js';
import type { Instant } from '../issue/instant.js';
import type { Redact } from '../sanitise/redact.js';

/** What a hold waits for. */
export type HoldReason =
  /** The account's usage limit. */
  | 'quota'
  /** The model's provider is overloaded, broken or out of reach. */
  | 'provider'
  /** The model's provider refuses the credential. */
  | 'credential'
  /** What a repository or the service may spend in a day. */
  | 'budget'
  | 'slots'
  /** GitHub's rate limit for this installation is reached. */
  | 'github-limit'
  /** The rules of the repository cannot be read: `.github/sluice.yml` on its base branch is wrong. */
  | 'config'
  /** Somebody stopped the whole service. */
  | 'kill-switch';

/** Holds that stop everything: nothing lands and no agent starts. */
const STOPPING: readonly HoldReason[] = ['config', 'kill-switch'];

/** The hold that stops everything, even work that is about to land; `null` when there is none. */
export const stoppingHold = ({ holds }: Pick<Policy, 'holds'>): Hold | null =>
  holds.find(({ on }) => STOPPING.includes(on)) ?? null;

/** A reason not to start anything now. It can only delay, never permit. */
export interface Hold {
  readonly on: HoldReason;
  /** `null`: until a person acts. */
  readonly until: Instant | null;
  readonly because: string;
}

/** Who merges a pull request that is ready. */
export const MERGE_POLICIES = [
  /** Sluice does, as soon as it is ready. */
  'auto',
  /** Sluice does, once somebody who may push has approved exactly that head. */
  'approved',
  /** A person does. */
  'never',
] as const;
export type MergePolicy = (typeof MERGE_POLICIES)[number];

/** Everything `decide` needs to know that is not on GitHub. */
export interface Policy {
  /** Our own account and App, by which we recognise our comments and check runs. */
  readonly identity: { readonly accountId: number; readonly appId: number | null };
  readonly maxFailures: number;
  readonly maxAgentRuns: number;
  readonly maxReviewRounds: number;
  readonly maxCheckFixes: number;
  readonly maxConflictFixes: number;
  readonly maxVerifyIterations: number;
  readonly maxMergeTries: number;
  /** Refused merges in a row because a branch was being moved. */
  readonly maxMovedMerges: number;
  /** How long to wait for something GitHub usually reports within seconds. */
  readonly silenceMs: number;
  /** Who merges. */
  readonly merge: MergePolicy;
  /** Pull requests of ours that may be open in one repository. */
  readonly maxOpenPulls: number;
  /** The base branch the repository's configuration names. */
  readonly base: string | null;
  /** Whether small issues may land without a pull request. */
  readonly route: 'auto' | 'pr';
  /** Whether the repository names a test command. */
  readonly hasTests: boolean;
  /**
   * The base branch has other workflow files than the default branch. GitHub then refuses a new branch from an App that may not
   * write workflows.
   */
  readonly workflowsDiffer: boolean;
  /** The work branch has no commit in common with the base branch: somebody replaced what was on it. */
  readonly workUnrelated: boolean;
  /** Names of the checks that must be green; `null`: those GitHub shows after `checksDwellMs`. */
  readonly expectedChecks: readonly string[] | null;
  /** How long after a push checks may still start. */
  readonly checksDwellMs: number;
  readonly checksDeadlineMs: number;
  readonly budgets: BudgetConfig;
  readonly holds: readonly Hold[];
  /** What is known about the owner of the issue's lease. Absent: nothing, and the lease holds to its end. */
  readonly owner?: OwnerLife;
  /** Removes secrets from texts. Without it, only what looks like a credential is removed. */
  readonly redact?: Redact;
  /** Signs in the status comment which state is the newest. Without it, comments carry no seal. */
  readonly seals?: StateSeals;
}

/** The issue a seal is about. */
type SealedIssue = Pick<IssueSnapshot, 'ref' | 'repositoryDatabaseId'>;

/** Makes and verifies the signed note about the newest state in our status comment. */
export interface StateSeals {
  /** `null` where there is no key to sign with. */
  of(issue: SealedIssue, known: KnownState): string | null;
  isOurs(issue: SealedIssue, seal: string): boolean;
}

export const DEFAULT_LIMITS: Omit<Policy, 'identity' | 'holds' | 'owner' | 'budgets' | 'redact' | 'seals'> = {
  maxFailures: 3,
  maxAgentRuns: 20,
  maxReviewRounds: 3,
  maxCheckFixes: 3,
  maxConflictFixes: 3,
  maxVerifyIterations: 3,
  maxMergeTries: 3,
  maxMovedMerges: 10,
  silenceMs: 10 * 60_000,
  merge: 'auto',
  maxOpenPulls: 10,
  base: null,
  route: 'auto',
  hasTests: false,
  workflowsDiffer: false,
  workUnrelated: false,
  expectedChecks: null,
  checksDwellMs: 90_000,
  checksDeadlineMs: 60 * 60_000,
};
