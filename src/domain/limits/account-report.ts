import type { ProviderBreaker } from './provider-breaker.js';
import { breakerHold } from './breaker-hold.js';
import type { BudgetConfig } from './budgets.js';
import { type DayUsage, dayHolds, dayOf, reservedByRepo } from './day-budget.js';
import { formatRepo, type RepoRef } from '../issue/ids.js';
import type { Hold } from './policy.js';
import type { Instant } from '../issue/instant.js';

/** Who stopped the whole service, and why. */
export interface KillSwitch {
  readonly by: string;
  readonly why: string;
  /** `null` when the configuration sets it. */
  readonly at: Instant | null;
}

/** All that is known about an account at one moment. */
export interface AccountBooks extends DayUsage {
  readonly breaker: ProviderBreaker;
  readonly killSwitch: KillSwitch | null;
}

/** How much of a limit is spent. */
export interface Spend {
  readonly usd: number;
  /** Reserved for runs in progress. */
  readonly reservedUsd: number;
  readonly limitUsd: number;
}

/** The condition of the account, for people and programs. */
export interface AccountReport {
  readonly breaker: ProviderBreaker;
  readonly killSwitch: KillSwitch | null;
  /** Why no agent of any repository may start. */
  readonly holds: readonly Hold[];
  /** Since midnight UTC. */
  readonly today: {
    readonly day: string;
    readonly service: Spend;
    /** The most expensive first. */
    readonly repositories: readonly (Spend & { readonly repository: string })[];
  };
}

/** Which budgets are asked about, and when. */
export interface BudgetQuery {
  readonly now: Instant;
  readonly budgets: BudgetConfig;
  /** The run that wants to start. */
  readonly run?: string;
}

/** Why an agent of a repository (`null`: of any) may not start now. Reasons that only a person can remove come first. */
export function accountHolds(
  books: AccountBooks,
  repo: RepoRef | null,
  { now, budgets, run }: BudgetQuery,
): readonly Hold[] {
  const { breaker, killSwitch } = books;
  const hold = breakerHold(breaker, now, run);
  return [
    ...(killSwitch === null ? [] : [killHold(killSwitch)]),
    ...(hold === null ? [] : [hold]),
    ...dayHolds(books, { repo: repo === null ? null : repoKey(repo), now, budgets, run }),
  ];
}

export function accountReport(books: AccountBooks, query: BudgetQuery): AccountReport {
  const { now, budgets } = query;
  const { breaker, killSwitch, spentToday } = books;
  const reserved = reservedByRepo(books, now);
  const repositories = [...new Set([...spentToday.keys(), ...reserved.keys()])]
    .map((repository) => ({
      repository,
      usd: spentToday.get(repository) ?? 0,
      reservedUsd: reserved.get(repository) ?? 0,
      limitUsd: budgets.repoDayUsd,
    }))
    .sort((one, other) => other.usd - one.usd);
  const service = { usd: total(spentToday), reservedUsd: total(reserved), limitUsd: budgets.serviceDayUsd };
  const holds = accountHolds(books, null, query);
  return { breaker, killSwitch, holds, today: { day: dayOf(now), service, repositories } };
}

/** For GitHub `Ada/Sandbox` and `ada/sandbox` are the same repository. */
export const repoKey = (repo: RepoRef): string => formatRepo(repo).toLowerCase();

const total = (spent: ReadonlyMap<string, number>): number => [...spent.values()].reduce((sum, usd) => sum + usd, 0);

function killHold({ by, why, at }: KillSwitch): Hold {
  const remedy = at === null ? 'take SLUICE_KILL_SWITCH away' : '`sluice account --resume-all` lets things start again';
  return { on: 'kill-switch', until: null, because: `${by} stopped the service: ${why}; ${remedy}` };
}
