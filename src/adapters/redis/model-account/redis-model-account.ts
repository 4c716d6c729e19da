import type { Redis } from 'ioredis';
import {
  type ProviderBreaker,
  type BreakerEvent,
  toBreakerEvent,
  updateBreaker,
  type RunEnd,
} from '../../../domain/limits/provider-breaker.js';
import {
  type AccountReport,
  accountHolds,
  accountReport,
  type AccountBooks,
  repoKey,
} from '../../../domain/limits/account-report.js';
import type { BudgetConfig } from '../../../domain/limits/budgets.js';
import { dayHolds, dayOf, minimumLeft, reservedUntil, type BudgetRequest } from '../../../domain/limits/day-budget.js';
import type { RepoRef } from '../../../domain/issue/ids.js';
import type { Hold } from '../../../domain/limits/policy.js';
import type { ModelAccount, Admission } from '../../../ports/model-account.js';
import type { Clock, Instant } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import { RESERVE_SCRIPT } from './reserve-script.js';
import {
  formatCondition,
  formatKillSwitch,
  parseCondition,
  parseKillSwitch,
  parseReservations,
  parseSpent,
} from './stored-model-account.js';

export interface RedisModelAccountOptions {
  /** A client that fails at once while Redis is away, because nobody should wait for a hint. */
  readonly redis: Redis;
  readonly clock: Clock;
  readonly log: Log;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly budgets: BudgetConfig;
  /** Identifies the credential without revealing it; `null` to read any account. */
  readonly credential: string | null;
  /** Prefix of every key, like the queue's. */
  readonly prefix?: string;
  /** Why the configuration lets nothing start. */
  readonly stoppedBecause?: string | null;
}

/** Sets a key if its value is unchanged since it was read. */
const COMPARE_AND_SET = `
local now = redis.pcall('GET', KEYS[1])
if type(now) ~= 'string' then now = '' end
if now ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/** More workers than share one account. */
const MAX_TRIES = 200;
/** After this long without a run the condition is outdated. */
const KEEP_CONDITION_MS = 40 * 24 * 60 * 60_000;
const KEEP_SPEND_S = 3 * 24 * 60 * 60;
const RETRY_MS = 30_000;

/** The stored values, and the text of the condition for the compare-and-set. */
interface Reading extends AccountBooks {
  readonly text: string | null;
}

/** The model account, shared by all workers on one Redis. */
export class RedisModelAccount implements ModelAccount {
  readonly #options: RedisModelAccountOptions;
  readonly #prefix: string;

  constructor(options: RedisModelAccountOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? 'sluice';
  }

  async holds(repo: RepoRef): Promise<readonly Hold[]> {
    return this.#orMoment(
      async () => accountHolds(await this.#read(), repo, this.#nowAndBudgets()),
      (hold) => [hold],
    );
  }

  async admit(run: string, repo: RepoRef, wanted: BudgetRequest): Promise<Admission> {
    const held = (hold: Hold): Admission => ({ kind: 'held', hold });
    return this.#orMoment(async () => {
      const against = (reading: Reading): Hold | null =>
        accountHolds(reading, repo, { ...this.#nowAndBudgets(), run })[0] ?? null;
      const hold = against(await this.#read());
      if (hold !== null) return held(hold);
      const usd = await this.#reserve(run, repo, wanted);
      if (usd === null) return held(await this.#dayHold(run, repo));
      const later = await this.#change({ kind: 'admitted', run }, against);
      if (later === null) return { kind: 'admitted', usd };
      await this.#options.redis.hdel(this.#key('reserved'), run);
      return held(later);
    }, held);
  }

  async recordAnswer(run: string): Promise<void> {
    await this.#orWarn('model account not updated', () => this.#change({ kind: 'answered', run }));
  }

  async recordEnd(run: string, repo: RepoRef, end: RunEnd): Promise<void> {
    await this.#orWarn('run cost not counted for the day', () => this.#settle(run, repo, end.costUsd));
    await this.#orWarn('model account not updated', () => this.#change(toBreakerEvent(run, end)));
  }

  async report(): Promise<AccountReport> {
    return accountReport(await this.#read(), this.#nowAndBudgets());
  }

  async clear(by: string): Promise<void> {
    await this.#options.redis.del(this.#key('model-account'));
    this.#options.log.info({ by }, 'model account cleared');
  }

  async setKillSwitch(on: boolean, by: string, why: string): Promise<void> {
    const { redis, clock, log } = this.#options;
    if (on) await redis.set(this.#key('kill-switch'), formatKillSwitch({ by, why, at: clock.now() }));
    else await redis.del(this.#key('kill-switch'));
    log.warn({ by, why }, on ? 'kill switch on' : 'kill switch off');
  }

  /** Applies an event to the condition, unless `against` returns a hold, which is then the result. */
  async #change(event: BreakerEvent, against: (reading: Reading) => Hold | null = () => null): Promise<Hold | null> {
    const { clock, random } = this.#options;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const reading = await this.#read();
      const hold = against(reading);
      if (hold !== null) return hold;
      const next = updateBreaker(reading.breaker, event, clock.now(), random());
      if (next === reading.breaker) return null;
      if (await this.#swap(reading.text, next)) {
        this.#logTransition(reading.breaker, next);
        return null;
      }
    }
    throw new Error(`the account changed ${MAX_TRIES} times while it was to be changed`);
  }

  async #swap(before: string | null, next: ProviderBreaker): Promise<boolean> {
    const { redis, credential } = this.#options;
    const after = formatCondition(credential, next);
    const answer = await redis.eval(
      COMPARE_AND_SET,
      1,
      this.#key('model-account'),
      before ?? '',
      after,
      KEEP_CONDITION_MS,
    );
    return answer === 1;
  }

  /** Logged only by the worker that made the change, so there is one notice. */
  #logTransition(before: ProviderBreaker, after: ProviderBreaker): void {
    const { log } = this.#options;
    if (before.kind === after.kind) return;
    if (after.kind === 'tripped') log.error({ ...after }, 'model account circuit tripped; a person must clear it');
    if (after.kind === 'open' && before.kind !== 'half-open') log.warn({ ...after }, 'model account circuit open');
    if (after.kind === 'closed') log.info({}, 'model account circuit closed');
  }

  /** The amount reserved for a run; `null` when nothing is left. */
  async #reserve(run: string, repo: RepoRef, wanted: BudgetRequest): Promise<number | null> {
    const { redis, clock, budgets } = this.#options;
    const now = clock.now();
    const { repoDayUsd, serviceDayUsd } = budgets;
    const limits = [repoDayUsd, minimumLeft(repoDayUsd), serviceDayUsd, minimumLeft(serviceDayUsd)];
    const keys = [this.#key('reserved'), this.#spendKey(now)] as const;
    const asked = [now, run, repoKey(repo), wanted.usd, reservedUntil(now, wanted), KEEP_SPEND_S, ...limits];
    const granted: unknown = await redis.eval(RESERVE_SCRIPT, keys.length, ...keys, ...asked);
    return typeof granted === 'string' ? Number(granted) : null;
  }

  /** Why nothing was left; the amount may have been released since. */
  async #dayHold(run: string, repo: RepoRef): Promise<Hold> {
    const [hold] = dayHolds(await this.#read(), { ...this.#nowAndBudgets(), repo: repoKey(repo), run });
    const because = 'the rest of the day’s budget was set aside for other runs';
    return hold ?? { on: 'budget', until: this.#options.clock.now() + RETRY_MS, because };
  }

  /** Replaces a run's reservation by what it spent. */
  async #settle(run: string, repo: RepoRef, usd: number): Promise<void> {
    const key = this.#spendKey(this.#options.clock.now());
    const settling = this.#options.redis.multi().hdel(this.#key('reserved'), run);
    if (usd > 0) settling.hincrbyfloat(key, repoKey(repo), usd).expire(key, KEEP_SPEND_S);
    for (const [error] of (await settling.exec()) ?? []) if (error !== null) throw error;
  }

  async #read(): Promise<Reading> {
    const { redis, clock, credential, stoppedBecause = null } = this.#options;
    const answers = await redis
      .multi()
      .get(this.#key('model-account'))
      .get(this.#key('kill-switch'))
      .hgetall(this.#spendKey(clock.now()))
      .hgetall(this.#key('reserved'))
      .exec();
    // A key of the wrong type counts as missing, except the kill switch: somebody set it.
    const isUnread = answers?.[1]?.[0] != null;
    const [text, killSwitch, spent, reserved] = (answers ?? []).map(([error, value]) =>
      error === null ? value : null,
    );
    const configured = stoppedBecause === null ? null : { by: 'the configuration', why: stoppedBecause, at: null };
    const found = typeof text === 'string' ? text : null;
    return {
      text: found,
      breaker: parseCondition(found, credential),
      killSwitch:
        configured ?? (typeof killSwitch === 'string' || isUnread ? parseKillSwitch(String(killSwitch)) : null),
      spentToday: parseSpent(Object.entries(spent ?? {})),
      reserved: parseReservations(Object.entries(reserved ?? {})),
    };
  }

  #nowAndBudgets() {
    return { now: this.#options.clock.now(), budgets: this.#options.budgets };
  }

  #key(name: string): string {
    return `${this.#prefix}:${name}`;
  }

  #spendKey(now: Instant): string {
    return this.#key(`spend:${dayOf(now)}`);
  }

  /** When the account cannot be read, hold: the answer might be no. */
  async #orMoment<T>(task: () => Promise<T>, held: (hold: Hold) => T): Promise<T> {
    try {
      return await task();
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, 'model account unreadable');
      const because = 'the account’s condition cannot be read from Redis';
      return held({ on: 'slots', until: this.#options.clock.now() + RETRY_MS, because });
    }
  }

  /** A lost hint is only logged. */
  async #orWarn(message: string, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, message);
    }
  }
}
