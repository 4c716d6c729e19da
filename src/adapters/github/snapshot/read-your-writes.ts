import { createLru } from '../../../cache/lru.js';
import {
  formatIssue,
  formatRepo,
  type IssueRef,
  type Oid,
  type RepoRef,
  stateRefName,
  workBranch,
} from '../../../domain/issue/ids.js';
import type { CommentFacts, PullFacts } from '../../../domain/state/snapshot.js';
import type { Clock, Instant } from '../../../ports/clock.js';
import type { RefPush } from '../../../ports/git-host.js';
import { GitHubError, type RawSnapshot, type SnapshotHints } from '../../../ports/github.js';
import type { StateStore } from '../../../ports/state-store.js';
import type { TimedAnswer } from '../client/github-api.js';
import { problemOf } from '../client/errors.js';

/** A snapshot, and the issue's `updatedAt`. */
export interface DatedSnapshot {
  readonly snapshot: RawSnapshot;
  readonly updatedAt: Instant;
  readonly hints: SnapshotHints;
  /** Whether all our comments are in it, however many there are. */
  readonly isWhole: boolean;
}

export interface ReadYourWritesOptions {
  readonly clock: Clock;
  /** After this time GitHub shows a write everywhere. */
  readonly readLagMs?: number;
}

/** A read of an issue: its time, and the issue's `updatedAt`. Both by GitHub's clock. */
interface LastRead {
  readonly readAt: Instant;
  readonly updatedAt: Instant;
}

interface PushedRef {
  readonly to: Oid | null;
  readonly at: Instant;
  readonly former: readonly (Oid | null)[];
}

const READ_LAG_MS = 10_000;
/** For this long a branch at its former oid means a stale answer, and not that somebody moved it back. */
const MOVED_MS = 60_000;
const KEPT_SNAPSHOTS = 200;
const KEPT_ISSUES = 5_000;
const KEPT_OIDS = 50;
const KEPT_PULLS = 10;

/**
 * GitHub answers some reads from replicas that lag. Our own reads and writes are remembered here, so that a stale answer is recognised and
 * never causes a wrong repair.
 */
export class ReadYourWrites {
  readonly #clock: Clock;
  readonly #readLagMs: number;
  readonly #known = createLru<LastRead>(KEPT_ISSUES);
  /** The newest snapshots, for fewer issues because they are large. */
  readonly #latest = createLru<DatedSnapshot>(KEPT_SNAPSHOTS);
  readonly #moved = createLru<PushedRef>(KEPT_ISSUES);
  /** By issue: the time of a write with unknown outcome. */
  readonly #unknown = createLru<Instant>(KEPT_ISSUES);

  constructor({ clock, readLagMs = READ_LAG_MS }: ReadYourWritesOptions) {
    this.#clock = clock;
    this.#readLagMs = readLagMs;
  }

  lastRead(ref: IssueRef): LastRead | null {
    return this.#known.get(formatIssue(ref)) ?? null;
  }

  /** The comments of the newest snapshot; `null` when ours may be missing. */
  commentsOf(ref: IssueRef): readonly CommentFacts[] | null {
    const latest = this.#latest.get(formatIssue(ref));
    return latest?.isWhole === true ? latest.snapshot.comments : null;
  }

  /** Records the answer to a write, which is always current. */
  recordWrite(dated: DatedSnapshot): RawSnapshot {
    const snapshot = this.#withPushedRefs(dated);
    const { updatedAt } = dated;
    const key = formatIssue(snapshot.ref);
    this.#known.set(key, { readAt: snapshot.readAt, updatedAt });
    this.#latest.set(key, { ...dated, snapshot });
    return snapshot;
  }

  /** Returns a read, corrected where it is older than what we know. */
  read(dated: DatedSnapshot): RawSnapshot {
    const key = formatIssue(dated.snapshot.ref);
    const known = this.#known.get(key);
    const latest = this.#latest.get(key);
    const isOlder = known !== undefined && dated.updatedAt < known.updatedAt;
    if (isOlder && latest === undefined) {
      const until = this.#clock.now() + this.#readLagMs;
      throw new GitHubError('transient', 'GitHub answered from before what it has shown already', until);
    }
    if (isOlder && latest !== undefined) return this.#withPushedRefs({ ...dated, snapshot: newest(latest, dated) });
    const pulls = newerPulls(dated.snapshot.pulls, latest?.snapshot.pulls ?? []);
    return this.recordWrite({ ...dated, snapshot: { ...dated.snapshot, pulls } });
  }

  /** Remembers refs we pushed, so that a stale read that shows the old oid is corrected. */
  recordPushes(repo: RepoRef, pushes: readonly RefPush[]): void {
    for (const { ref, expected, to } of pushes) {
      const key = refKey(repo, ref);
      const former = [...(this.#moved.get(key)?.former ?? []), expected].filter((oid) => oid !== to);
      this.#moved.set(key, { to, at: this.#clock.now(), former: former.slice(-KEPT_OIDS) });
    }
  }

  /** Sends a write about an issue, and remembers it when its outcome is unknown. */
  async trackOutcome(ref: IssueRef, write: () => Promise<TimedAnswer>): Promise<TimedAnswer> {
    const lost = (): void => this.#unknown.set(formatIssue(ref), this.#clock.now());
    try {
      const answer = await write();
      if (answer.errors.some((error) => problemOf(error) === 'transient')) lost();
      return answer;
    } catch (error) {
      if (error instanceof GitHubError && error.problem === 'transient') lost();
      throw error;
    }
  }

  /** After a write with unknown outcome, a write that could double it waits until a read is sure to show it. */
  mustBeSettled(ref: IssueRef): void {
    const at = this.#unknown.get(formatIssue(ref));
    if (at === undefined) return;
    const until = at + this.#readLagMs;
    if (this.#clock.now() >= until) this.#unknown.delete(formatIssue(ref));
    else
      throw new GitHubError(
        'transient',
        `what became of the last write to ${formatIssue(ref)} is not known yet`,
        until,
      );
  }

  #withPushedRefs({ snapshot, hints }: DatedSnapshot): RawSnapshot {
    const { ref, rawState, workHead, base } = snapshot;
    const state = this.#moved.get(refKey(ref, stateRefName(ref.number)));
    const work = this.#recently(refKey(ref, `refs/heads/${workBranch(ref.number)}`));
    const onBase = this.#recently(refKey(ref, `refs/heads/${base.ref}`));
    const isOldState = rawState !== null && state?.to != null && state.former.includes(rawState.oid);
    const head = onBase?.to != null && onBase.former.includes(base.head) ? onBase.to : base.head;
    const holdsLanded = head !== base.head && hints.landed === head ? true : base.holdsLanded;
    return {
      ...snapshot,
      // Git reads do not lag. Without a text, the state is fetched by git.
      rawState: isOldState ? { oid: state.to, parents: [], text: null } : rawState,
      workHead: work?.former.includes(workHead) === true ? work.to : workHead,
      base: { ...base, head, holdsLanded },
    };
  }

  #recently(key: string): PushedRef | null {
    const moved = this.#moved.get(key);
    return moved !== undefined && this.#clock.now() - moved.at < MOVED_MS ? moved : null;
  }
}

/** Remembers our own pushes, however long GitHub's API takes to show them. */
export function withReadYourWrites(states: StateStore, readYourWrites: ReadYourWrites): StateStore {
  const swap: StateStore['swap'] = async (request) => {
    const result = await states.swap(request);
    const { subject, expected, alongside = [] } = request;
    if (result.kind === 'swapped') {
      const state = { ref: stateRefName(subject.ref.number), expected, to: result.oid };
      readYourWrites.recordPushes(subject.ref, [state, ...alongside]);
    }
    return result;
  };
  return { ...states, swap };
}

const refKey = (repo: RepoRef, ref: string): string => `${formatRepo(repo)} ${ref}`;

/** The newest snapshot at the current time. Facts that were requested differently are taken from the read. */
function newest(latest: DatedSnapshot, { snapshot, hints }: DatedSnapshot): RawSnapshot {
  const isSameQuestion = latest.hints.base === hints.base && latest.hints.landed === hints.landed;
  const base = isSameQuestion ? latest.snapshot.base : snapshot.base;
  return { ...latest.snapshot, readAt: snapshot.readAt, knownAt: snapshot.knownAt, base };
}

/** Keeps known pull requests and merges: neither can be undone. */
function newerPulls(read: readonly PullFacts[], known: readonly PullFacts[]): readonly PullFacts[] {
  const current = read.map((pull) => {
    const before = known.find(({ id }) => id === pull.id);
    return before?.state === 'merged' && pull.state !== 'merged' ? before : pull;
  });
  const missing = known.filter(({ id }) => !read.some((pull) => pull.id === id));
  return [...current, ...missing].sort((a, b) => b.number - a.number).slice(0, KEPT_PULLS);
}
