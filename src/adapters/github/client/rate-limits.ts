import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import type { Hold } from '../../../domain/limits/policy.js';
import type { Clock, Instant } from '../../../ports/clock.js';
import { GitHubError } from '../../../ports/github.js';
import type { HintStore, RateWindow } from '../../../ports/hint-store.js';
import type { Log } from '../../../ports/log.js';
import { createKeyedMutex } from '../../../concurrency/keyed-mutex.js';
import { type Answer, limitOf } from './errors.js';
import { WriteSchedule } from './write-schedule.js';

export interface RateLimitsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: Pick<HintStore, 'spend'>;
}

/** A request as the limits see it. */
export interface Call {
  /** The hourly budget it counts against. */
  readonly budget: Budget;
  /** How many things it creates; 0 for a read. */
  readonly writes: number;
  /** By our steady clock. After this it is not sent. */
  readonly notAfter?: Instant;
  /** The share it uses; without one, it may use all writes. */
  readonly share?: Share;
  /** What gets a slot: its issue, `owner/repo#1`, or the answers in a repository, `owner/repo#answers`. */
  readonly about?: string;
}

/** What writes are for. Each share has its own limit, so that the more important ones find room. */
export type Share =
  /** Answers to people who may give commands. */
  | 'people'
  /** Work on issues and showing its state. */
  | 'work'
  /** A reaction that a command was received. */
  | 'courtesy'
  /** Answers to people who may not give commands. */
  | 'strangers';

export type Budget = 'core' | 'graphql';

/** Keeps every installation within GitHub's limits, and silent while GitHub asks us to wait. */
export interface RateLimits {
  /** Sends when allowed. Reads go at once; writes with one key go one after another. If it is too early, the error says until when. */
  through<A extends Answer>(key: string, call: Call, send: () => Promise<A>): Promise<A>;
  /** Sets the key whose limits a repository's requests count against. */
  assignKey(key: string, repo: RepoRef): void;
  /** Why nothing can be sent for a repository now, by GitHub's clock. */
  holdFor(repo: RepoRef): Hold | null;
}

const upTo = (inMinute: number, inHour: number): readonly RateWindow[] => [
  { ms: 60_000, max: inMinute },
  { ms: 3_600_000, max: inHour },
];

/** GitHub allows an App 80 writes a minute and 500 an hour in one installation. Each share leaves a rest for more important ones. */
const WRITES: Readonly<Record<Share, readonly RateWindow[]>> = {
  people: upTo(80, 500),
  work: upTo(60, 400),
  courtesy: upTo(30, 300),
  strangers: upTo(40, 300),
};

/** Answers to strangers have a small limit of their own, so that they cannot use up the room for work. */
const TO_STRANGERS = upTo(10, 40);
/** GitHub asks for a second between writes when there are many. This many count as many. */
const MANY_WRITES = 40;
const MINUTE_MS = 60_000;
const SPACING_MS = 1_000;
/** A write that waits longer is dropped: its decision is outdated. */
const LONGEST_LINE_MS = 10_000;
/** For longer waits the job goes back to the queue. */
const LONGEST_WAIT_MS = 5_000;
/** A caller with a later slot comes back then, so that others can be served meanwhile. */
const LONGEST_STAY_MS = 2_000;
/** GitHub counts whole seconds; this covers the rounding. */
const MARGIN_MS = 1_000;
const MOST_DOUBLINGS = 4;
/** Reactions in one document, see `reactions`. */
const ANSWERS_TOGETHER = 10;
/** While one request tests whether the wait is over, the others wait this long. */
const PROBE_MS = 2_000;

const FULL = 'as much was written here as GitHub allows an App in a minute or an hour';

interface Block {
  readonly until: Instant;
  readonly because: string;
  /** Refusals in a row that named no time. */
  readonly strikes: number;
  probing: boolean;
}

interface KeyState {
  /** Blocks for one used-up budget, or for everything. */
  readonly blocks: Map<Budget | 'everything', Block>;
  /** Set while there is no room for writes. */
  full: { readonly until: Instant; readonly because: string } | null;
  /** Our own writes of the last minute. */
  writes: readonly Instant[];
  /** Slots of issues with pending writes. */
  readonly workSchedule: WriteSchedule;
  /** Slots of repositories with pending answers. */
  readonly answers: WriteSchedule;
}

export function createRateLimits(options: RateLimitsOptions): RateLimits {
  return new KeyedRateLimits(options);
}

/** When there is room for work again. Answers to people come first and may use up the minute. */
function earliestWork({ full, answers }: KeyState, now: Instant): Instant {
  const answered = answers.end();
  return Math.max(full?.until ?? now, answered > now ? answered + MINUTE_MS : now);
}

class KeyedRateLimits implements RateLimits {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #hints: RateLimitsOptions['hints'];
  readonly #mutex = createKeyedMutex();
  readonly #states = new Map<string, KeyState>();
  readonly #keyOfRepo = new Map<string, string>();
  /** How far GitHub's clock is ahead of ours. */
  #skew = 0;

  constructor({ clock, log, hints }: RateLimitsOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#hints = hints;
  }

  assignKey(key: string, repo: RepoRef): void {
    this.#keyOfRepo.set(formatRepo(repo).toLowerCase(), key);
  }

  holdFor(repo: RepoRef): Hold | null {
    const name = this.#keyOfRepo.get(formatRepo(repo).toLowerCase());
    const state = name === undefined ? undefined : this.#states.get(name);
    const reasons = [...(state?.blocks.values() ?? []), ...(state?.full == null ? [] : [state.full])];
    const reason = reasons.find(({ until }) => this.#clock.now() < until);
    if (reason === undefined) return null;
    return { on: 'github-limit', until: reason.until + this.#skew, because: reason.because };
  }

  async through<A extends Answer>(name: string, call: Call, send: () => Promise<A>): Promise<A> {
    const state = this.#stateOf(name);
    const { budget, writes } = call;
    if (writes === 0) return this.#ask(name, state, budget, send);
    const isItsTurn = await this.#waitForSlot(name, state, call);
    const askedAt = this.#clock.now();
    return this.#mutex(name, async () => {
      await this.#allowance(name, state, call, isItsTurn);
      if (this.#clock.now() - askedAt > LONGEST_LINE_MS)
        throw new GitHubError('transient', `${name}: this write waited in line too long to be still right`, askedAt);
      return this.#ask(name, state, budget, send);
    });
  }

  async #ask<A extends Answer>(name: string, state: KeyState, budget: Budget, send: () => Promise<A>): Promise<A> {
    const probed = [budget, 'everything' as const].flatMap((kind) => this.#mustBeOpen(name, state.blocks.get(kind)));
    try {
      const answer = await send();
      this.#learn(name, state, budget, answer);
      return answer;
    } finally {
      for (const block of probed) block.probing = false;
    }
  }

  /** Refuses while GitHub asks us to wait; afterwards lets one request through as a test. */
  #mustBeOpen(name: string, block: Block | undefined): Block[] {
    if (block === undefined) return [];
    const now = this.#clock.now();
    const until = now < block.until ? block.until : now + PROBE_MS;
    if (now < block.until || block.probing)
      throw new GitHubError('rate-limited', `${name} has to wait: ${block.because}`, until);
    block.probing = true;
    return [block];
  }

  #learn(name: string, state: KeyState, budget: Budget, answer: Answer): void {
    const now = this.#clock.now();
    this.#skew = answer.at - now;
    const limit = limitOf(answer, now);
    const before = state.blocks.get('everything')?.strikes ?? -1;
    state.blocks.delete(budget);
    state.blocks.delete('everything');
    if (limit === null) return;
    const strikes = limit.named ? -1 : Math.min(before + 1, MOST_DOUBLINGS);
    const until = limit.named ? limit.until + MARGIN_MS : now + (limit.until - now) * 2 ** strikes;
    state.blocks.set(limit.isBudget ? budget : 'everything', {
      until,
      because: limit.because,
      strikes,
      probing: false,
    });
    this.#log.warn(
      { rateLimitKey: name, until: new Date(until).toISOString(), because: limit.because },
      'rate limited by GitHub',
    );
  }

  /** Spreads the work on many issues: each gets its own slot instead of retrying all the time. */
  async #waitForSlot(name: string, state: KeyState, { share, about }: Call): Promise<boolean> {
    if (share !== 'work' || about === undefined) return false;
    const now = this.#clock.now();
    const at = state.workSchedule.slotFor(about, {
      now,
      isCrowded: this.#isCrowded(state),
      earliest: earliestWork(state, now),
    });
    if (at === 'anytime') return false;
    if (at - now > LONGEST_STAY_MS) throw this.#full(name, at);
    await this.#wait(at);
    state.workSchedule.leave(about);
    return true;
  }

  #isCrowded(state: KeyState): boolean {
    const now = this.#clock.now();
    state.writes = state.writes.filter((at) => at > now - MINUTE_MS);
    return state.writes.length >= MANY_WRITES || (state.full !== null && now < state.full.until);
  }

  async #allowance(name: string, state: KeyState, call: Call, isItsTurn: boolean): Promise<void> {
    const { writes, share = 'people', about } = call;
    const isSmall = share === 'courtesy' || share === 'strangers';
    const spaced = (state.writes.at(-1) ?? 0) + SPACING_MS;
    const isCrowded = this.#isCrowded(state);
    // The least important writes do not wait; they are refused.
    if (isCrowded && isSmall) throw this.#full(name, Math.max(spaced, state.full?.until ?? 0));
    if (isCrowded && !isItsTurn) await this.#wait(spaced);
    for (;;) {
      const until = await this.#spend(name, share, writes);
      if (until === null) break;
      const now = this.#clock.now();
      if (isSmall) throw this.#full(name, until);
      if (until - now > (about === undefined ? LONGEST_WAIT_MS : LONGEST_STAY_MS)) {
        state.full = { until, because: FULL };
        this.#log.warn({ rateLimitKey: name, share, until: new Date(until).toISOString() }, 'write limit reached');
        const schedule = share === 'work' ? state.workSchedule : state.answers;
        const earliest = share === 'work' ? Math.max(until, earliestWork(state, now)) : until;
        throw this.#full(name, about === undefined ? until : schedule.take(about, now, earliest, writes));
      }
      await this.#wait(until);
    }
    if (share === 'work' || share === 'people') state.full = null;
    state.writes = [...state.writes, this.#clock.now()];
  }

  async #spend(name: string, share: Share, writes: number): Promise<Instant | null> {
    const own =
      share === 'strangers' ? await this.#hints.spend(`writes to strangers ${name}`, writes, TO_STRANGERS) : null;
    return own ?? this.#hints.spend(`writes ${name}`, writes, WRITES[share]);
  }

  #full(name: string, until: Instant): GitHubError {
    return new GitHubError('rate-limited', `${name} has to wait: ${FULL}`, until);
  }

  async #wait(until: Instant): Promise<void> {
    if (this.#clock.now() < until) await new Promise<void>((resolve) => void this.#clock.at(until, resolve));
  }

  #stateOf(name: string): KeyState {
    const known = this.#states.get(name) ?? {
      blocks: new Map(),
      full: null,
      writes: [],
      workSchedule: new WriteSchedule(),
      answers: new WriteSchedule(ANSWERS_TOGETHER),
    };
    this.#states.set(name, known);
    return known;
  }
}
