import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';
import type { Role } from './account.js';
import type { MergeMethod } from './pull.js';
import type { Oid } from './repository.js';

/** A check that must be green: by name, optionally only from one App. */
export interface RequiredCheck {
  readonly context: string;
  readonly appId: number | null;
}

/** What a protected branch or a ruleset demands of one branch. Protection and rulesets are both reduced to this. */
export interface BranchRules {
  readonly requirePullRequest: boolean;
  readonly requiredApprovals: number;
  readonly dismissStaleReviews: boolean;
  readonly requireThreadResolution: boolean;
  readonly requiredChecks: readonly RequiredCheck[];
  /** The head must contain the tip of base before it may be merged. */
  readonly strictChecks: boolean;
  readonly blockForcePushes: boolean;
  readonly blockDeletions: boolean;
  readonly requireLinearHistory: boolean;
  /** Not even pushes that satisfy everything else, except by those with bypass. */
  readonly restrictUpdates: boolean;
  readonly mergeQueue: MergeQueueRule | null;
}

export interface MergeQueueRule {
  readonly method: MergeMethod;
  /** How long a group waits for its required checks before it is thrown out. */
  readonly checkTimeoutMs: number;
  readonly maxEntriesToMerge: number;
}

/** Classic protection of the branches matching `pattern`. */
export interface BranchProtection extends Row {
  readonly repositoryId: number;
  readonly pattern: string;
  readonly enforceAdmins: boolean;
  readonly rules: BranchRules;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Ruleset extends Row {
  readonly repositoryId: number;
  readonly name: string;
  readonly target: 'branch' | 'tag' | 'push';
  readonly enforcement: 'active' | 'disabled' | 'evaluate';
  /** Ref patterns; `~DEFAULT_BRANCH` and `~ALL` are understood. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Actors the rules do not bind. */
  readonly bypassAppIds: readonly number[];
  readonly bypassRoles: readonly Role[];
  readonly rules: BranchRules;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A pull request waiting in the merge queue of its base branch. */
export interface MergeQueueEntry extends Row {
  readonly repositoryId: number;
  readonly pullId: number;
  readonly branch: string;
  readonly enqueuedById: number;
  /** Put before all others instead of behind them. */
  readonly jump: boolean;
  readonly state: 'QUEUED' | 'AWAITING_CHECKS' | 'MERGEABLE' | 'UNMERGEABLE' | 'LOCKED';
  /** Trial commit: base, the entries ahead, and this head. `null` until it is built. */
  readonly headOid: Oid | null;
  /** What the trial commit was built on: the tip of base, or the trial commit of the entry ahead. */
  readonly baseOid: Oid;
  readonly enqueuedAt: Instant;
  /** When the required checks of the trial commit must be green. */
  readonly deadline: Instant;
}
