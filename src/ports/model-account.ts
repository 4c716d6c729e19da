import type { RunEnd } from '../domain/limits/provider-breaker.js';
import type { AccountReport } from '../domain/limits/account-report.js';
import type { BudgetRequest } from '../domain/limits/day-budget.js';
import type { RepoRef } from '../domain/issue/ids.js';
import type { Hold } from '../domain/limits/policy.js';

/** Whether an agent may start. */
export type Admission =
  /** With at most this much money, which is reserved until `recordEnd` or until its time is over. */
  | { readonly kind: 'admitted'; readonly usd: number }
  /** Not now. */
  | { readonly kind: 'held'; readonly hold: Hold };

/**
 * The account that pays for the agents, and what it may spend, shared by all workers. A hint that can delay and never
 * permit: when it cannot be read, nothing starts for a short time. Only `report`, `clear` and `setKillSwitch` reject.
 */
export interface ModelAccount {
  /** Why no agent of this repository may start now. */
  holds(repo: RepoRef): Promise<readonly Hold[]>;
  /**
   * Called right before an agent starts. Reserves the money in one step, as far as the day's budgets allow, so that runs that
   * start together cannot spend the same money. After a pause it admits exactly one run.
   */
  admit(run: string, repo: RepoRef, wanted: BudgetRequest): Promise<Admission>;
  /** The model has answered this run, so the other runs may start without waiting for its end. */
  recordAnswer(run: string): Promise<void>;
  /** What the run cost and learned. Called for every admitted run, however it ended. */
  recordEnd(run: string, repo: RepoRef, end: RunEnd): Promise<void>;
  report(): Promise<AccountReport>;
  /** A person says that the account works again: ends a pause, a break or a stop. */
  clear(by: string): Promise<void>;
  setKillSwitch(on: boolean, by: string, why: string): Promise<void>;
}
