import { type BudgetConfig, formatUsd, LEAST_USD } from './budgets.js';
import type { Hold } from './policy.js';
import type { Instant } from '../issue/instant.js';

const DAY = 24 * 60 * 60_000;

/** A run's request for money: the most it may use, and the longest it may take. */
export interface BudgetRequest {
  readonly usd: number;
  readonly ms: number;
}

/** Money reserved for a run until it ends and its real cost is counted. */
export interface Reservation {
  /** `owner/repo`, in lower case. */
  readonly repo: string;
  readonly usd: number;
  /** Expires then, in case the run's process died without giving it back. */
  readonly until: Instant;
}

/** What is used of the day's budgets. */
export interface DayUsage {
  /** USD spent since midnight UTC, by `owner/repo`. */
  readonly spentToday: ReadonlyMap<string, number>;
  /** By run. */
  readonly reserved: ReadonlyMap<string, Reservation>;
}

/** Whose budgets are meant, and when. */
export interface DayBudgetQuery {
  /** `null`: only the service's. */
  readonly repo: string | null;
  readonly now: Instant;
  readonly budgets: BudgetConfig;
  /** The run that wants to start: it does not wait for itself. */
  readonly run?: string | undefined;
}

/** What is used of one budget. */
interface DayUse {
  readonly who: string;
  readonly variable: string;
  readonly limitUsd: number;
  readonly spentUsd: number;
  readonly reservedUsd: number;
  /** When the first of the reservations ends; `null` without any. */
  readonly freeAt: Instant | null;
}

/** The day of a moment, by UTC. */
export const dayOf = (now: Instant): string => new Date(now).toISOString().slice(0, 10);

/** Longer than a run takes to end once its time is over. */
const SLACK_MS = 5 * 60_000;

/** When a reservation expires, in case the run's process dies. */
export const reservedUntil = (now: Instant, { ms }: BudgetRequest): Instant => Math.ceil(now + ms + SLACK_MS);

/** With less than this left of a budget nothing starts. */
export const minimumLeft = (limitUsd: number): number => Math.min(LEAST_USD, limitUsd);

/** Why nothing more may be spent now; empty when it may. */
export function dayHolds(books: DayUsage, query: DayBudgetQuery): readonly Hold[] {
  const midnight = Date.parse(dayOf(query.now)) + DAY;
  return usesOf(books, query)
    .filter(isUsedUp)
    .map((use) => {
      const { who, variable, limitUsd, spentUsd, reservedUsd, freeAt } = use;
      const isSpent = isUsedUp({ ...use, reservedUsd: 0 });
      const spent = `${who} spent ${formatUsd(spentUsd)} of ${formatUsd(limitUsd)} today (UTC)`;
      const others = `, and ${formatUsd(reservedUsd)} is set aside for runs at work; this one can start when they end and leave something`;
      const because = `${spent}${isSpent ? '' : others}; ${variable} sets the limit`;
      return { on: 'budget', until: isSpent ? midnight : Math.min(midnight, freeAt ?? midnight), because };
    });
}

/** Reserved money, by `owner/repo`. */
export function reservedByRepo({ reserved }: DayUsage, now: Instant): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { repo, usd, until } of reserved.values()) {
    if (until > now) sums.set(repo, (sums.get(repo) ?? 0) + usd);
  }
  return sums;
}

/** What is left after spending and reservations. */
export const restOf = ({ limitUsd, spentUsd, reservedUsd }: DayUse): number => limitUsd - spentUsd - reservedUsd;

export const isUsedUp = (use: DayUse): boolean => restOf(use) <= 0 || restOf(use) < minimumLeft(use.limitUsd);

/** The budgets a run draws on, and how far they are used. */
export function usesOf(
  { spentToday, reserved }: DayUsage,
  { repo, now, budgets, run }: DayBudgetQuery,
): readonly DayUse[] {
  const live = [...reserved].filter(([id, { until }]) => id !== run && until > now).map(([, one]) => one);
  const spent = [...spentToday];
  const use = (whose: (repo: string) => boolean): Pick<DayUse, 'spentUsd' | 'reservedUsd' | 'freeAt'> => {
    const theirs = live.filter((one) => whose(one.repo));
    return {
      spentUsd: total(spent.filter(([name]) => whose(name)).map(([, usd]) => usd)),
      reservedUsd: total(theirs.map(({ usd }) => usd)),
      freeAt: theirs.length === 0 ? null : Math.min(...theirs.map(({ until }) => until)),
    };
  };
  const ofService = { who: 'the service', variable: 'SLUICE_BUDGET_SERVICE_DAY', limitUsd: budgets.serviceDayUsd };
  const ofRepo = { who: 'this repository', variable: 'SLUICE_BUDGET_REPO_DAY', limitUsd: budgets.repoDayUsd };
  return [
    ...(repo === null ? [] : [{ ...ofRepo, ...use((name) => name === repo) }]),
    { ...ofService, ...use(() => true) },
  ];
}

const total = (all: readonly number[]): number => all.reduce((sum, usd) => sum + usd, 0);
