import { formatRepo, type RepoRef } from '../../domain/ids.js';
import type { Hold } from '../../domain/policy.js';
import type { Clock, Instant } from '../../ports/clock.js';
import { GitHubError } from '../../ports/github.js';
import type { HintStore, RateWindow } from '../../ports/hint-store.js';
import type { Log } from '../../ports/log.js';
import { createInTurn } from '../in-turn.js';
import { type Answer, limitOf } from './errors.js';

export interface LimitsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: Pick<HintStore, 'spend'>;
}

/** What a request is to GitHub's limits. */
export interface Call {
  /** The hourly budget it counts against. */
  readonly budget: Budget;
  /** How many things it leaves behind; 0 only reads. */
  readonly writes: number;
  /** By our own steady clock: later it is not sent. */
  readonly notAfter?: Instant;
}

export type Budget = 'core' | 'graphql';

/** Keeps every installation within what GitHub allows it, and away while GitHub wants it to stay away. */
export interface Limits {
  /** Sends when it may be sent. Reads go at once; writes of one payer go one after another. Too early is an error that says until when. */
  through(payer: string, call: Call, send: () => Promise<Answer>): Promise<Answer>;
  /** Whose limits a repository's requests count against. */
  paysFor(payer: string, repo: RepoRef): void;
  /** Why nothing can be asked or written for a repository now, by GitHub's clock. */
  holdFor(repo: RepoRef): Hold | null;
}

/** What GitHub allows an App to write in one installation. */
const WRITES: readonly RateWindow[] = [
  { ms: 60_000, max: 80 },
  { ms: 3_600_000, max: 500 },
];
/** GitHub asks for a second between writes when there are many: from here on there are. */
const MANY_WRITES = 40;
const MINUTE_MS = 60_000;
const SPACING_MS = 1_000;
/** A write belongs to a decision, and decisions grow old. */
const LONGEST_LINE_MS = 10_000;
/** Longer waits are the queue's business. */
const LONGEST_WAIT_MS = 5_000;
/** GitHub counts full seconds; one more is nobody's loss. */
const MARGIN_MS = 1_000;
const MOST_DOUBLINGS = 4;
/** While one request finds out whether the wait is over, the others stay back. */
const PROBE_MS = 2_000;

interface Block {
  readonly until: Instant;
  readonly because: string;
  /** Refusals in a row that named no time. */
  readonly strikes: number;
  probing: boolean;
}

interface Payer {
  /** For one budget that is used up, or for everything. */
  readonly blocks: Map<Budget | 'everything', Block>;
  /** Since when writes have to wait, and until when. */
  full: { readonly until: Instant; readonly because: string } | null;
  /** Our own writes of the last minute. */
  writes: readonly Instant[];
}

export function createLimits(options: LimitsOptions): Limits {
  return new PerPayerLimits(options);
}

class PerPayerLimits implements Limits {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #hints: LimitsOptions['hints'];
  readonly #inTurn = createInTurn();
  readonly #payers = new Map<string, Payer>();
  readonly #payerOf = new Map<string, string>();
  /** How far GitHub's clock is ahead of ours. */
  #skew = 0;

  constructor({ clock, log, hints }: LimitsOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#hints = hints;
  }

  paysFor(payer: string, repo: RepoRef): void {
    this.#payerOf.set(formatRepo(repo).toLowerCase(), payer);
  }

  holdFor(repo: RepoRef): Hold | null {
    const name = this.#payerOf.get(formatRepo(repo).toLowerCase());
    const payer = name === undefined ? undefined : this.#payers.get(name);
    const reasons = [...(payer?.blocks.values() ?? []), ...(payer?.full == null ? [] : [payer.full])];
    const reason = reasons.find(({ until }) => this.#clock.now() < until);
    if (reason === undefined) return null;
    return { on: 'github-limit', until: reason.until + this.#skew, because: reason.because };
  }

  async through(name: string, { budget, writes }: Call, send: () => Promise<Answer>): Promise<Answer> {
    const payer = this.#payer(name);
    if (writes === 0) return this.#ask(name, payer, budget, send);
    const askedAt = this.#clock.now();
    return this.#inTurn(name, async () => {
      await this.#allowance(name, payer, writes);
      if (this.#clock.now() - askedAt > LONGEST_LINE_MS)
        throw new GitHubError('transient', `${name}: this write waited in line too long to be still right`);
      return this.#ask(name, payer, budget, send);
    });
  }

  async #ask(name: string, payer: Payer, budget: Budget, send: () => Promise<Answer>): Promise<Answer> {
    const probed = [budget, 'everything' as const].flatMap((kind) => this.#mustBeOpen(name, payer.blocks.get(kind)));
    try {
      const answer = await send();
      this.#learn(name, payer, budget, answer);
      return answer;
    } finally {
      for (const block of probed) block.probing = false;
    }
  }

  /** Refuses while GitHub wants us to wait; afterwards lets one request through to find out. */
  #mustBeOpen(name: string, block: Block | undefined): Block[] {
    if (block === undefined) return [];
    const now = this.#clock.now();
    const until = now < block.until ? block.until : now + PROBE_MS;
    if (now < block.until || block.probing)
      throw new GitHubError('rate-limited', `${name} has to wait: ${block.because}`, until);
    block.probing = true;
    return [block];
  }

  #learn(name: string, payer: Payer, budget: Budget, answer: Answer): void {
    const now = this.#clock.now();
    this.#skew = answer.at - now;
    const limit = limitOf(answer, now);
    const before = payer.blocks.get('everything')?.strikes ?? -1;
    payer.blocks.delete(budget);
    payer.blocks.delete('everything');
    if (limit === null) return;
    const strikes = limit.named ? -1 : Math.min(before + 1, MOST_DOUBLINGS);
    const until = limit.named ? limit.until + MARGIN_MS : now + (limit.until - now) * 2 ** strikes;
    payer.blocks.set(limit.isBudget ? budget : 'everything', {
      until,
      because: limit.because,
      strikes,
      probing: false,
    });
    this.#log.warn({ payer: name, until: new Date(until).toISOString(), because: limit.because }, 'GitHub says wait');
  }

  async #allowance(name: string, payer: Payer, writes: number): Promise<void> {
    const now = this.#clock.now();
    payer.writes = payer.writes.filter((at) => at > now - MINUTE_MS);
    if (payer.writes.length >= MANY_WRITES) await this.#wait((payer.writes.at(-1) ?? now) + SPACING_MS);
    for (;;) {
      const until = await this.#hints.spend(`writes ${name}`, writes, WRITES);
      if (until === null) break;
      const because = 'as much was written here as GitHub allows an App in a minute or an hour';
      if (until - this.#clock.now() > LONGEST_WAIT_MS) {
        payer.full = { until, because };
        this.#log.warn({ payer: name, until: new Date(until).toISOString() }, 'writes have to wait');
        throw new GitHubError('rate-limited', `${name} has to wait: ${because}`, until);
      }
      await this.#wait(until);
    }
    payer.full = null;
    payer.writes = [...payer.writes, this.#clock.now()];
  }

  async #wait(until: Instant): Promise<void> {
    if (this.#clock.now() < until) await new Promise<void>((resolve) => void this.#clock.at(until, resolve));
  }

  #payer(name: string): Payer {
    const known = this.#payers.get(name) ?? { blocks: new Map(), full: null, writes: [] };
    this.#payers.set(name, known);
    return known;
  }
}
