import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Instant } from '../clock/clock.js';
import type { GitRepository, GitStore } from '../git/git-repository.js';
import { Alarms } from './alarms.js';
import type { AnyWorldEvent, EventData, EventName, WorldEvent } from './events.js';
import { sourceOf } from './lookup.js';
import { emptyTables, restoreTables, snapshotTables, type Tables, type TablesSnapshot, tablesAsOf } from './tables.js';

/** Who does something: a user, possibly through an App. */
export interface Actor {
  readonly userId: number;
  readonly viaAppId: number | null;
}

/** Who did it, for what follows from it in their name. */
export const actorOfEvent = (event: AnyWorldEvent): Actor => ({ userId: event.actorId, viaAppId: event.viaAppId });

/** What belongs to an event besides its data. */
export interface EventSubject {
  readonly repositoryId?: number;
  /** The issue (or issue half of a pull request) the event belongs to. */
  readonly subjectId?: number;
}

/** Called for each event, in order, after the state has changed. */
export type Reaction = (world: World, event: AnyWorldEvent) => void | Promise<void>;

export interface WorldSnapshot {
  readonly tables: TablesSnapshot;
}

/** Delays GitHub is known for, as switches: how long clients see what is not settled yet. */
export interface Lags {
  /** How long `mergeable` reads `null` after a head or base moved. */
  readonly mergeableMs: number;
}

/** What GitHub may do either way: nobody has seen it for certain, or it differs from time to time. */
export interface Habits {
  /** Editing a comment changes the `updatedAt` of its issue. One public report says so; `false` is the kinder reading. */
  readonly commentEditsTouchIssue: boolean;
}

export const RUDE_HABITS: Habits = { commentEditsTouchIssue: true };

/**
 * The whole state of one Pocket GitHub and the one way to change it: rules update `tables` and then `record` the event.
 * Holds no HTTP and no wire format.
 */
export class World {
  readonly clock: Clock;
  readonly tables: Tables;
  readonly lags: Lags;
  readonly habits: Habits;
  readonly gitStore: GitStore;
  readonly alarms: Alarms;
  readonly #reactions: Reaction[] = [];
  readonly #locks = new Map<number, Promise<void>>();
  readonly #held = new AsyncLocalStorage<ReadonlySet<number>>();
  readonly #watched = new AsyncLocalStorage<{ changed: boolean }>();
  #nextId = 1001;

  constructor(options: { clock: Clock; lags: Lags; habits?: Habits; gitStore: GitStore }) {
    this.clock = options.clock;
    this.alarms = new Alarms(options.clock);
    this.lags = options.lags;
    this.habits = options.habits ?? RUDE_HABITS;
    this.gitStore = options.gitStore;
    this.tables = emptyTables({ now: () => this.now(), changed: () => this.#noteChange() });
  }

  now(): Instant {
    return this.clock.now();
  }

  newId(): number {
    return this.#nextId++;
  }

  git(repositoryId: number): GitRepository {
    return this.gitStore.get(repositoryId);
  }

  /** Registers a reaction: webhooks first, then what GitHub does by itself (synchronise pulls, run checks, close issues). */
  react(reaction: Reaction): void {
    this.#reactions.push(reaction);
  }

  /** Writes down what just happened and lets everything that depends on it follow. */
  async record<N extends EventName>(actor: Actor, name: N, subject: EventSubject, data: EventData[N]): Promise<void> {
    const event: WorldEvent<N> = {
      id: this.newId(),
      name,
      at: this.now(),
      actorId: actor.userId,
      viaAppId: actor.viaAppId,
      repositoryId: subject.repositoryId ?? null,
      subjectId: subject.subjectId ?? null,
      data,
    };
    const any = event as unknown as AnyWorldEvent;
    this.tables.events.insert(any);
    for (const reaction of this.#reactions) await reaction(this, any);
  }

  /**
   * Runs `task` while nothing else changes the git state of this repository or of its forks, whose pull requests tie them together.
   * Nested calls from inside `task` just run.
   */
  async exclusive<T>(id: number, task: () => Promise<T>): Promise<T> {
    const repository = this.tables.repositories.get(id);
    const repositoryId = repository === undefined ? id : sourceOf(this.tables, repository).id;
    const held = this.#held.getStore() ?? new Set<number>();
    if (held.has(repositoryId)) return task();
    const before = this.#locks.get(repositoryId) ?? Promise.resolve();
    const result = before.then(() => this.#held.run(new Set([...held, repositoryId]), task));
    this.#locks.set(
      repositoryId,
      result.then(
        () => undefined,
        () => undefined,
      ),
    );
    return result;
  }

  /** Runs `task` and says whether it changed anything, even if it failed in the end. */
  async watch<T>(
    task: () => Promise<T>,
  ): Promise<{ readonly changed: boolean; readonly outcome: PromiseSettledResult<T> }> {
    const scope = { changed: false };
    const [outcome] = await this.#watched.run(scope, () => Promise.allSettled([task()]));
    return { changed: scope.changed, outcome };
  }

  #noteChange(): void {
    const scope = this.#watched.getStore();
    if (scope !== undefined) scope.changed = true;
  }

  /** The tables as they stood `lagMs` ago: what a lagging replica would answer. */
  asOf(lagMs: number): Tables {
    return tablesAsOf(this.tables, this.now() - lagMs);
  }

  snapshot(): WorldSnapshot {
    return { tables: snapshotTables(this.tables) };
  }

  /** Ids go on from where they are: what was made since may have left traces (git folders) under its id. */
  restore(snapshot: WorldSnapshot): void {
    restoreTables(this.tables, snapshot.tables);
  }
}
