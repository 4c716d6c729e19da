import { type AccountEvent, eventOf, FINE, nextCondition, type RunEnd } from '../../src/domain/account.js';
import {
  type AccountReport,
  accountHolds,
  accountReport,
  type Books,
  spendKey,
} from '../../src/domain/account-books.js';
import type { BudgetConfig } from '../../src/domain/budget.js';
import { dayOf, grantOf, type Reservation, reservedUntil, type Wanted } from '../../src/domain/day-budget.js';
import type { RepoRef } from '../../src/domain/ids.js';
import type { Hold } from '../../src/domain/policy.js';
import type { Account, Admission } from '../../src/ports/account.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';

/** What accounts on one place share. */
export class MemoryBooks {
  readonly conditions = new Map<string, Books['condition']>();
  readonly spent = new Map<string, Map<string, number>>();
  readonly reserved = new Map<string, Reservation>();
  killSwitch: Books['killSwitch'] = null;

  copy(): MemoryBooks {
    const copy = new MemoryBooks();
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

export interface MemoryAccountOptions {
  readonly books: MemoryBooks;
  readonly clock: Clock;
  readonly log: Log;
  readonly budgets: BudgetConfig;
  readonly random?: () => number;
  readonly credential?: string;
}

/** An account for tests of what asks one. */
export class MemoryAccount implements Account {
  readonly #options: MemoryAccountOptions;

  constructor(options: MemoryAccountOptions) {
    this.#options = options;
  }

  async holds(repo: RepoRef): Promise<readonly Hold[]> {
    return accountHolds(this.#books(), repo, this.#asking());
  }

  async admit(run: string, repo: RepoRef, wanted: Wanted): Promise<Admission> {
    const [hold] = accountHolds(this.#books(), repo, { ...this.#asking(), run });
    if (hold !== undefined) return { kind: 'held', hold };
    const usd = grantOf(this.#books(), wanted, { ...this.#asking(), repo: spendKey(repo), run });
    const until = reservedUntil(this.#options.clock.now(), wanted);
    this.#options.books.reserved.set(run, { repo: spendKey(repo), usd, until });
    this.#change({ kind: 'admitted', run });
    return { kind: 'admitted', usd };
  }

  async answered(run: string): Promise<void> {
    this.#change({ kind: 'answered', run });
  }

  async ended(run: string, repo: RepoRef, end: RunEnd): Promise<void> {
    const spent = this.#spentToday();
    this.#options.books.reserved.delete(run);
    spent.set(spendKey(repo), (spent.get(spendKey(repo)) ?? 0) + end.costUsd);
    this.#change(eventOf(run, end));
  }

  async condition(): Promise<AccountReport> {
    return accountReport(this.#books(), this.#asking());
  }

  async clear(by: string): Promise<void> {
    this.#options.books.conditions.clear();
    this.#options.log.info({ by }, 'the model account was cleared');
  }

  async setKillSwitch(on: boolean, by: string, why: string): Promise<void> {
    this.#options.books.killSwitch = on ? { by, why, at: this.#options.clock.now() } : null;
  }

  #change(event: AccountEvent): void {
    const { books, clock, log, random = () => 0, credential = '' } = this.#options;
    const { condition } = this.#books();
    const next = nextCondition(condition, event, clock.now(), random());
    if (next.kind === 'stopped' && condition.kind !== 'stopped') log.error({ ...next }, 'the model account is stopped');
    books.conditions.set(credential, next);
  }

  #spentToday(): Map<string, number> {
    const { books, clock } = this.#options;
    const day = dayOf(clock.now());
    const spent = books.spent.get(day) ?? new Map<string, number>();
    books.spent.set(day, spent);
    return spent;
  }

  #books(): Books {
    const { books, credential = '' } = this.#options;
    const condition = books.conditions.get(credential) ?? FINE;
    return { condition, killSwitch: books.killSwitch, spentToday: this.#spentToday(), reserved: books.reserved };
  }

  #asking() {
    return { now: this.#options.clock.now(), budgets: this.#options.budgets };
  }
}
