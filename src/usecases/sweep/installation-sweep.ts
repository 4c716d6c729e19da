import { formatIssue, formatRepo, type IssueRef, type RepoRef } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import type { HintStore } from '../../ports/hint-store.js';
import type { Log } from '../../ports/log.js';
import type { Installation, RepoScan, ChangedItem, Scanner, Thread } from '../../ports/scanner.js';
import { findUnansweredCommands, concernsUs } from './unanswered-commands.js';
import { CachedList } from './cached-list.js';
import { HEAD_START_MS, MissedCommands, type MissedCommandsParts } from './missed-commands.js';
import { Watermarks } from './watermarks.js';

/** Our last read of an issue, by GitHub's clock. */
export interface LastRead {
  readonly readAt: Instant;
  /** The issue's `updatedAt` at that read. */
  readonly updatedAt: Instant;
}

export interface PassParts {
  readonly scanner: Scanner;
  readonly hints: HintStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Causes a read of this issue. */
  readonly wake: (ref: IssueRef) => Promise<void>;
  /** Handles a command whose webhook may be lost. Called at least once, so a repetition must be harmless. */
  readonly handleCommand: MissedCommandsParts['handleCommand'];
  readonly giveUp: MissedCommandsParts['giveUp'];
  /** Whether this service serves a repository. Others are not read. */
  readonly serves: (repo: RepoRef) => boolean;
  /** `null` when this process has not read it. */
  readonly lastRead: (ref: IssueRef) => LastRead | null;
}

type Seen = Extract<RepoScan, { kind: 'seen' }>;

/** A driven issue is read again after this long, whatever its `updatedAt` says. */
const REREAD_MS = 10 * 60_000;
/** Costs twenty points each pass, a quarter of GitHub's hourly limit. */
const MOST_REPOS = 1_000;
/** Where nothing is driven, pull requests are read only every few passes. */
const PULLS_EVERY = 5;

/** What the sweep remembers of one installation between passes. Losing it is harmless. */
export class InstallationSweep {
  readonly #parts: PassParts;
  readonly #installation: Installation;
  readonly #repos: CachedList<RepoRef>;
  readonly #watermarks: Watermarks;
  readonly #missedCommands: MissedCommands;
  /** By issue: when the sweep last woke it. */
  readonly #woken = new Map<string, LastRead>();
  /** By repository: the issues driven at the last pass. */
  readonly #driven = new Map<string, readonly IssueRef[]>();
  /** By node: the newest change that was examined. */
  readonly #examined = new Map<string, Instant>();
  #passes = 0;

  constructor(parts: PassParts, installation: Installation) {
    this.#parts = parts;
    this.#installation = installation;
    this.#repos = new CachedList(() => parts.scanner.repositories(installation), parts);
    this.#watermarks = new Watermarks(parts.hints, installation);
    this.#missedCommands = new MissedCommands(parts);
  }

  async pass(): Promise<void> {
    const { scanner, clock } = this.#parts;
    // If our hints are gone from Redis, so is the queue: read everything.
    const isFull = !(await this.#watermarks.load());
    const repos = this.#inTurn((await this.#repos.all()).filter((repo) => this.#parts.serves(repo)));
    const now = clock.now();
    const questions = repos.map((repo) => ({
      repo,
      since: this.#watermarks.since(repo, now),
      pulls: this.#passes % PULLS_EVERY === 0 || (this.#driven.get(formatRepo(repo)) ?? []).length > 0,
    }));
    this.#passes += 1;
    const answers = await scanner.scan(this.#installation, questions);
    const seen = answers.filter((answer) => answer.kind === 'seen');
    for (const answer of seen) await this.#wakeDriven(answer, isFull);
    const open = await this.#readChanged(seen, Math.min(...questions.map(({ since }) => since)));
    for (const { repo, at } of seen) this.#watermarks.reached(repo, Math.min(at, open.get(formatRepo(repo)) ?? at));
    await this.#watermarks.save();
    this.#forgetTheOld(seen);
  }

  /** A very large installation does not fit in one pass: driven repositories are in every pass, the rest take turns. */
  #inTurn(repos: readonly RepoRef[]): readonly RepoRef[] {
    if (repos.length <= MOST_REPOS) return repos;
    const isBusy = (repo: RepoRef): boolean => (this.#driven.get(formatRepo(repo)) ?? []).length > 0;
    const start = (this.#passes * MOST_REPOS) % repos.length;
    const turn = new Set([...repos.slice(start), ...repos].slice(0, MOST_REPOS));
    return repos.filter((repo) => turn.has(repo) || isBusy(repo));
  }

  /** Reads what changed and delivers commands. Returns, by repository, the time of the first command that is still undelivered. */
  async #readChanged(seen: readonly Seen[], since: Instant): Promise<ReadonlyMap<string, Instant>> {
    const clocks = new Map(seen.map(({ repo, at }) => [formatRepo(repo), at]));
    const items = seen.flatMap(({ changed, pulls }) => [...changed, ...pulls]);
    const fresh = new Map(items.filter((one) => !this.#isExamined(one)).map((one) => [one.id, one]));
    const open = new Map<string, Instant>();
    if (fresh.size === 0) return open;
    for (const thread of await this.#parts.scanner.threads(this.#installation, [...fresh.keys()], since)) {
      const item = fresh.get(thread.id);
      if (item === undefined) continue;
      const repo = formatRepo(thread.ref);
      const at = clocks.get(repo) ?? item.updatedAt;
      const undelivered = await this.#deliverAll(thread, at);
      if (undelivered !== null) open.set(repo, Math.min(undelivered, open.get(repo) ?? undelivered));
      // The newest changes may not be visible yet.
      if (undelivered === null && at - item.updatedAt >= HEAD_START_MS) this.#examined.set(thread.id, item.updatedAt);
      if (thread.isPull || concernsUs(thread)) await this.#wakeChanged(item, thread.isPull, at);
    }
    return open;
  }

  /** The time of the first undelivered command; `null` when all were delivered. */
  async #deliverAll(thread: Thread, now: Instant): Promise<Instant | null> {
    let open: Instant | null = null;
    for (const command of findUnansweredCommands(thread)) {
      if (!(await this.#missedCommands.deliver(command, now))) open ??= command.event.at;
    }
    return open;
  }

  #isExamined({ id, updatedAt }: ChangedItem): boolean {
    return this.#examined.get(id) === updatedAt;
  }

  async #wakeDriven({ repo, at, driven }: Seen, isFull: boolean): Promise<void> {
    const name = formatRepo(repo);
    const now = new Set(driven.map(({ ref }) => formatIssue(ref)));
    const gone = (this.#driven.get(name) ?? []).filter((ref) => !now.has(formatIssue(ref)));
    this.#driven.set(
      name,
      driven.map(({ ref }) => ref),
    );
    // The label was removed, or the issue moved. Both are worth one more read.
    for (const ref of gone) await this.#wake({ ref, updatedAt: at }, at);
    for (const item of driven) {
      const last = this.#lastReadOf(item.ref);
      const isDue = last === null || item.updatedAt > last.updatedAt || at - last.readAt >= REREAD_MS;
      if (isFull || isDue) await this.#wake(item, at);
    }
  }

  /** Keeps only what the next pass may meet again. */
  #forgetTheOld(seen: readonly Seen[]): void {
    const met = new Set(seen.flatMap(({ changed, pulls }) => [...changed, ...pulls].map(({ id }) => id)));
    for (const id of this.#examined.keys()) if (!met.has(id)) this.#examined.delete(id);
    const newest = Math.max(0, ...seen.map(({ at }) => at));
    for (const [issue, { readAt }] of this.#woken) if (readAt < newest - REREAD_MS) this.#woken.delete(issue);
    this.#missedCommands.prune();
  }

  /** A pull request has its own `updatedAt`. Changes before our last read are known. */
  async #wakeChanged(item: ChangedItem, isPull: boolean, at: Instant): Promise<void> {
    const last = this.#lastReadOf(item.ref);
    const known = isPull ? last?.readAt : last?.updatedAt;
    if (known === undefined || item.updatedAt > known) await this.#wake(item, at);
  }

  #lastReadOf(ref: IssueRef): LastRead | null {
    const reads = [this.#parts.lastRead(ref), this.#woken.get(formatIssue(ref)) ?? null].filter((one) => one !== null);
    return reads.toSorted((a, b) => b.readAt - a.readAt)[0] ?? null;
  }

  async #wake({ ref, updatedAt }: Pick<ChangedItem, 'ref' | 'updatedAt'>, at: Instant): Promise<void> {
    await this.#parts.wake(ref);
    this.#woken.set(formatIssue(ref), { readAt: at, updatedAt });
  }
}
