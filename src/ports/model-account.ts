import type { RunEnd } from '../domain/limits/provider-breaker.js';
import type { AccountReport } from '../domain/limits/account-report.js';
import type { BudgetRequest } from '../domain/limits/day-budget.js';
import type { RepoRef } from '../domain/issue/ids.js';
import type { Hold } from '../domain/limits/policy.js';

/** Whether an agent may start. */
export type Admission =
  /** With this much money at most, which is set aside until its end is told or its time is over. */
  | { readonly kind: 'admitted'; readonly usd: number }
  /** Not now. */
  | { readonly kind: 'held'; readonly hold: Hold };

/**
 * The account that pays for the agents, and what it may spend: one place for every worker. A hint, which may delay and never
 * permits: when it cannot be read, nothing starts for a moment. Only `condition`, `clear` and `setKillSwitch` reject.
 */
export interface ModelAccount {
  /** Why no agent of this repository may start now. */
  holds(repo: RepoRef): Promise<readonly Hold[]>;
  /**
   * Asked right before an agent starts. What it wants is set aside in one step, as far as the day's budgets go, so that runs that
   * start together cannot spend the same money. After a pause it lets exactly one through.
   */
  admit(run: string, repo: RepoRef, wanted: BudgetRequest): Promise<Admission>;
  /** The model has answered this run: the others need not wait for its end to know. */
  recordAnswer(run: string): Promise<void>;
  /** What the run cost and learned. Of every run that was admitted, whatever its end. */
  recordEnd(run: string, repo: RepoRef, end: RunEnd): Promise<void>;
  report(): Promise<AccountReport>;
  /** A person says it is fine: ends a pause, a break or a stop. */
  clear(by: string): Promise<void>;
  setKillSwitch(on: boolean, by: string, why: string): Promise<void>;
}
