import type { Instant } from '../clock/clock.js';

/** Every record has a numeric id, unique across all tables of a world. */
export interface Row {
  readonly id: number;
}

/** How long a table remembers former rows, for reads that are stale on purpose. */
const UNDO_WINDOW_MS = 10 * 60_000;

/** What a table needs from the world it belongs to. */
export interface Keeper {
  now(): Instant;
  /** Called on every change, to know whether a request changed anything. */
  changed(): void;
}

interface Undo<R> {
  readonly at: Instant;
  readonly id: number;
  readonly before: R | undefined;
}

/**
 * Immutable rows by id, with indexes built the first time they are asked for.
 * Rows are replaced, never changed, so copying a table means copying one map. Snapshots and stale reads depend on this.
 */
export class Table<R extends Row> {
  readonly #name: string;
  readonly #keeper: Keeper;
  #rows = new Map<number, R>();
  #undo: Undo<R>[] = [];
  #indexes = new Map<keyof R, Map<unknown, Set<number>>>();

  constructor(name: string, keeper: Keeper) {
    this.#name = name;
    this.#keeper = keeper;
  }

  get(id: number): R | undefined {
    return this.#rows.get(id);
  }

  /** For ids that come from our own records: absence is a defect in Pocket, not a client's mistake. */
  must(id: number): R {
    const row = this.#rows.get(id);
    if (row === undefined) throw new Error(`no row ${id} in ${this.#name}`);
    return row;
  }

  all(): R[] {
    return [...this.#rows.values()];
  }

  /** Rows whose `field` equals `value`, oldest first. */
  by<K extends keyof R>(field: K, value: R[K]): R[] {
    const ids = this.#index(field).get(value);
    if (ids === undefined) return [];
    const rows: R[] = [];
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) rows.push(row);
    }
    return rows.sort((a, b) => a.id - b.id);
  }

  insert<T extends R>(row: T): T {
    this.#put(row.id, row);
    return row;
  }

  /** Replaces the row; what `change` does not name stays as it is now, not as it was in the caller's copy. */
  update<T extends R>(row: T, change: Partial<T>): T {
    const next = { ...(this.must(row.id) as T), ...change };
    this.#put(row.id, next);
    return next;
  }

  delete(id: number): void {
    this.#put(id, undefined);
  }

  /** The rows of this moment, to be given to `restore` later. */
  snapshot(): ReadonlyMap<number, R> {
    return new Map(this.#rows);
  }

  restore(rows: ReadonlyMap<number, R>): void {
    this.#rows = new Map(rows);
    this.#undo = [];
    this.#indexes.clear();
  }

  /** The table as it was at `time`, at most ten minutes ago. */
  asOf(time: Instant): Table<R> {
    const past = new Table<R>(this.#name, this.#keeper);
    past.#rows = new Map(this.#rows);
    for (const change of this.#undo.toReversed()) {
      if (change.at <= time) break;
      if (change.before === undefined) past.#rows.delete(change.id);
      else past.#rows.set(change.id, change.before);
    }
    return past;
  }

  #put(id: number, next: R | undefined): void {
    const before = this.#rows.get(id);
    this.#keeper.changed();
    this.#remember({ at: this.#keeper.now(), id, before });
    if (next === undefined) this.#rows.delete(id);
    else this.#rows.set(id, next);
    for (const [field, index] of this.#indexes) {
      if (before !== undefined) index.get(before[field])?.delete(id);
      if (next !== undefined) addTo(index, next[field], id);
    }
  }

  #remember(change: Undo<R>): void {
    this.#undo.push(change);
    if (this.#undo.length % 256 !== 0) return;
    this.#undo = this.#undo.filter((undo) => undo.at > change.at - UNDO_WINDOW_MS);
  }

  #index(field: keyof R): Map<unknown, Set<number>> {
    const known = this.#indexes.get(field);
    if (known !== undefined) return known;
    const index = new Map<unknown, Set<number>>();
    for (const row of this.#rows.values()) addTo(index, row[field], row.id);
    this.#indexes.set(field, index);
    return index;
  }
}

function addTo(index: Map<unknown, Set<number>>, value: unknown, id: number): void {
  const ids = index.get(value);
  if (ids === undefined) index.set(value, new Set([id]));
  else ids.add(id);
}
