import {
  type BreakerEvent,
  toBreakerEvent,
  CLOSED,
  updateBreaker,
  type RunEnd,
} from '../../../src/domain/limits/provider-breaker.js';
import {
  type AccountReport,
  accountHolds,
  accountReport,
  type AccountBooks,
  repoKey,
} from '../../../src/domain/limits/account-report.js';
import type { BudgetConfig } from '../../../src/domain/limits/budgets.js';
import {
  dayOf,
  isUsedUp,
  restOf,
  usesOf,
  type Reservation,
  reservedUntil,
  type BudgetRequest,
} from '../../../src/domain/limits/day-budget.js';
import type { RepoRef } from '../../../src/domain/issue/ids.js';
import type { Hold } from '../../../src/domain/limits/policy.js';
import type { ModelAccount, Admission } from '../../../src/ports/model-account.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Log } from '../../../src/ports/log.js';

/** What accounts on one place share. */
export class MemoryAccountStore {
  readonly conditions = new Map<string, AccountBooks['breaker']>();
  readonly spent = new Map<string, Map<string, number>>();
  readonly reserved = new Map<string, Reservation>();
  killSwitch: AccountBooks['killSwitch'] = null;

  copy(): MemoryAccountStore {
    const copy = new MemoryAccountStore();
    for (const [key, condition] of this.conditions) copy.conditions.set(key, condition);
    for (const [day, spent] of this.spent) copy.spent.set(day, new Map(spent));
    for (const [run, reservation] of this.reserved) copy.reserved.set(run, reservation);
    copy.killSwitch = this.killSwitch;
    return copy;
  }

  flush(): void {
    this.conditions.clear();
    this.spent.clear();
    this.reserved.clear();
    this.killSwitch = null;
  }
}

export interface MemoryModelAccountOptions {
  readonly store: MemoryAccountStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly budgets: BudgetConfig;
  readonly random?: () => number;
  readonly credential?: string;
}

/** An account for tests of what asks one. */
export class MemoryModelAccount implements ModelAccount {
  readonly #options: MemoryModelAccountOptions;

  constructor(options: MemoryModelAccountOptions) {
    this.#options = options;
  }

  async holds(repo: RepoRef): Promise<readonly Hold[]> {
    return accountHolds(this.#books(), repo, this.#asking());
  }

  async admit(run: string, repo: RepoRef, wanted: BudgetRequest): Promise<Admission> {
    const [hold] = accountHolds(this.#books(), repo, { ...this.#asking(), run });
    if (hold !== undefined) return { kind: 'held', hold };
    const uses = usesOf(this.#books(), { ...this.#asking(), repo: repoKey(repo), run });
    const usd = uses.some(isUsedUp) ? 0 : Math.min(wanted.usd, ...uses.map(restOf));
    const until = reservedUntil(this.#options.clock.now(), wanted);
    this.#options.store.reserved.set(run, { repo: repoKey(repo), usd, until });
    this.#change({ kind: 'admitted', run });
    return { kind: 'admitted', usd };
  }

  async recordAnswer(run: string): Promise<void> {
    this.#change({ kind: 'answered', run });
  }

  async recordEnd(run: string, repo: RepoRef, end: RunEnd): Promise<void> {
    const spent = this.#spentToday();
    this.#options.store.reserved.delete(run);
    spent.set(repoKey(repo), (spent.get(repoKey(repo)) ?? 0) + end.costUsd);
    this.#change(toBreakerEvent(run, end));
  }

  async report(): Promise<AccountReport> {
    return accountReport(this.#books(), this.#asking());
  }

  async clear(by: string): Promise<void> {
    this.#options.store.conditions.clear();
    this.#options.log.info({ by }, 'model account cleared');
  }

  async setKillSwitch(on: boolean, by: string, why: string): Promise<void> {
    this.#options.store.killSwitch = on ? { by, why, at: this.#options.clock.now() } : null;
  }

  #change(event: BreakerEvent): void {
    const { store, clock, log, random = () => 0, credential = '' } = this.#options;
    const { breaker } = this.#books();
    const next = updateBreaker(breaker, event, clock.now(), random());
    if (next.kind === 'tripped' && breaker.kind !== 'tripped')
      log.error({ ...next }, 'model account circuit tripped; a person must clear it');
    store.conditions.set(credential, next);
  }

  #spentToday(): Map<string, number> {
    const { store, clock } = this.#options;
    const day = dayOf(clock.now());
    const spent = store.spent.get(day) ?? new Map<string, number>();
    store.spent.set(day, spent);
    return spent;
  }

  #books(): AccountBooks {
    const { store, credential = '' } = this.#options;
    const breaker = store.conditions.get(credential) ?? CLOSED;
    return { breaker, killSwitch: store.killSwitch, spentToday: this.#spentToday(), reserved: store.reserved };
  }

  #asking() {
    return { now: this.#options.clock.now(), budgets: this.#options.budgets };
  }
}
