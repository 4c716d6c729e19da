import { createHash } from 'node:crypto';
import type { GitHubEvent } from '../../../../src/domain/intent/github-event.js';
import type { IssueRef } from '../../../../src/domain/issue/ids.js';
import type { Transition } from '../../../../src/domain/state/state.js';
import { type Pocket, startPocket } from '#pocket-github';
import {
  type App,
  type GitRepository,
  type Oid,
  type PocketSnapshot,
  type Repository,
  restoreSnapshot,
  takeSnapshot,
} from '#pocket-github/testing';
import type { Instant } from '../../../../src/ports/clock.js';
import { RewindableClock } from '#pocket-github/test/rewindable-clock';
import { type EndState, SingleIssueFixture, type SingleIssueOptions } from './single-issue-fixture.js';
import { answerInProcess } from '#pocket-github/test/in-process-git';

/** GitHub at one moment, and the time it was. */
export interface Frozen {
  readonly at: Instant;
  readonly pocket: PocketSnapshot;
  /** The same for two moments nobody outside can tell apart. */
  readonly fingerprint: string;
  /** The same without work that was kept beside the branch: all that whoever lost the lease may still write. */
  readonly settled: string;
}

/** A GitHub with one issue, which can be put back to any moment. */
export class CrashWorld {
  readonly clock: RewindableClock;
  readonly pocket: Pocket;
  readonly #fixture: SingleIssueFixture;

  private constructor(clock: RewindableClock, pocket: Pocket, fixture: SingleIssueFixture) {
    this.clock = clock;
    this.pocket = pocket;
    this.#fixture = fixture;
  }

  static async open(options: SingleIssueOptions = {}): Promise<CrashWorld> {
    const clock = new RewindableClock();
    const limits = { core: 1e9, graphql: 1e9, anonymous: 1e9 };
    const ciScripts = [{ when: {}, outcome: 'success' as const }];
    // Time moves only between crashes here, so nothing may be unknown until it does.
    const pocket = await startPocket({ clock, ciScripts, rateLimits: limits, lags: { mergeableMs: 0 } });
    const fixture = await SingleIssueFixture.seed(pocket.world, options);
    answerInProcess(pocket.world.git(fixture.repository.id));
    await pocket.settle();
    return new CrashWorld(clock, pocket, fixture);
  }

  get ref(): IssueRef {
    return this.#fixture.ref;
  }

  get app(): App {
    return this.#fixture.app;
  }

  get repository(): Repository {
    return this.#fixture.repository;
  }

  async say(body: string): Promise<GitHubEvent> {
    const event = await this.#fixture.say(body);
    await this.pocket.settle();
    return event;
  }

  /** GitHub goes on for itself when we die: its own work is done first. */
  async freeze(): Promise<Frozen> {
    await this.pocket.settle();
    const pocket = await takeSnapshot(this.pocket.world);
    return {
      at: this.clock.now(),
      pocket,
      fingerprint: fingerprintOf(pocket, () => true),
      settled: fingerprintOf(pocket, (ref) => !ref.startsWith('refs/sluice/wip/')),
    };
  }

  async thaw({ at, pocket }: Frozen): Promise<void> {
    await this.pocket.settle();
    this.clock.rewindTo(at);
    await restoreSnapshot(this.pocket.world, pocket);
  }

  atRest(): boolean {
    return this.#fixture.atRest();
  }

  end(): Promise<EndState> {
    return this.#fixture.end();
  }

  /** Commits that branches held at that moment and that nothing holds any more. */
  async lostSince({ pocket }: Frozen): Promise<readonly Oid[]> {
    const git = this.pocket.world.git(this.#fixture.repository.id);
    const now = await git.listRefs();
    const landed = await this.#fixture.diary(now.get('refs/heads/main'));
    const lost: Oid[] = [];
    for (const [name, before] of pocket.refs.get(this.#fixture.repository.id) ?? []) {
      // GitHub moves its trial merges as it likes.
      if (name.startsWith('refs/pull/')) continue;
      // A pull request keeps what its branch held.
      const holders = [
        now.get(name),
        ...[...now].flatMap(([ref, oid]) => (/^refs\/pull\/\d+\/head$/.test(ref) ? [oid] : [])),
      ];
      if (await isHeld(git, before, holders)) continue;
      // A patch holds the work of its branch as one commit.
      const work = await this.#fixture.diary(before);
      if (work.length === 0 || !work.every((line) => landed.includes(line))) lost.push(before);
    }
    return lost;
  }

  async close(): Promise<void> {
    await this.pocket.close();
  }

  isAnswered(): boolean {
    return this.#fixture.isAnswered();
  }

  has(label: string): boolean {
    return this.#fixture.has(label);
  }

  transitions(): Promise<readonly Transition[]> {
    return this.#fixture.transitions();
  }
}

function fingerprintOf(pocket: PocketSnapshot, counts: (ref: string) => boolean): string {
  const tables = [...pocket.world.tables]
    .filter(([name]) => name !== 'tokens')
    .map(([name, rows]) => [name, [...rows].filter(([, row]) => name !== 'refs' || counts(nameOf(row)))]);
  const refs = [...pocket.refs].map(([id, names]) => [id, [...names].filter(([ref]) => counts(ref))]);
  return createHash('sha256')
    .update(JSON.stringify([tables, refs]))
    .digest('hex');
}

const nameOf = (row: object): string => ('name' in row ? String(row.name) : '');

async function isHeld(git: GitRepository, oid: Oid, holders: readonly (Oid | undefined)[]): Promise<boolean> {
  for (const holder of new Set(holders))
    if (holder !== undefined && (holder === oid || (await git.isAncestor(oid, holder)))) return true;
  return false;
}
