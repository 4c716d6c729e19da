import { type BudgetConfig, formatUsd } from './budget.js';
import type { Hold } from './policy.js';
import type { Instant } from './state.js';

const DAY = 24 * 60 * 60_000;

/** What was spent since midnight UTC. */
export interface DaySpend {
  readonly repoUsd: number;
  readonly serviceUsd: number;
}

/** The day of a moment, by UTC. */
export const dayOf = (now: Instant): string => new Date(now).toISOString().slice(0, 10);

/** Why nothing more may be spent today; empty when it may. */
export function dayHolds(spent: DaySpend, config: BudgetConfig, now: Instant): readonly Hold[] {
  const midnight = Date.parse(dayOf(now)) + DAY;
  const hold = (who: string, usd: number, limit: number, variable: string): readonly Hold[] => {
    const because = `${who} spent ${formatUsd(usd)} of ${formatUsd(limit)} today (UTC); ${variable} sets the limit`;
    return usd < limit ? [] : [{ on: 'budget', until: midnight, because }];
  };
  return [
    ...hold('this repository', spent.repoUsd, config.repoDayUsd, 'SLUICE_BUDGET_REPO_DAY'),
    ...hold('the service', spent.serviceUsd, config.serviceDayUsd, 'SLUICE_BUDGET_SERVICE_DAY'),
  ];
}
