import type { Instant } from '../clock/clock.js';
import { type SecondaryLoad, secondaryLoads } from './secondary-load.js';

/** One request, from the moment it arrived to the moment it was answered (or deliberately was not). */
export interface RequestEntry {
  readonly seq: number;
  readonly kind: 'request';
  readonly at: Instant;
  readonly surface: 'rest' | 'graphql' | 'git';
  readonly method: string;
  /** Route template, GraphQL operation name, or git service. */
  readonly operation: string;
  /** GraphQL: the top-level fields, in document order. */
  readonly fields: readonly string[];
  readonly path: string;
  readonly actor: string;
  readonly tokenKind: 'anonymous' | 'app' | 'installation' | 'personal';
  readonly status: number;
  /** Primary rate-limit points charged. */
  readonly points: number;
  /** Points of GitHub's secondary limits: 1 for a read, 5 for a change. */
  readonly secondaryPoints: number;
  /** How many things it may create, which is what GitHub limits most. */
  readonly content: number;
  /** Whether the request changed anything, even if its answer was lost. */
  readonly applied: boolean;
  /** The fault that hit it, if any. */
  readonly fault: string | null;
  /** What it asked for that Pocket does not model. */
  readonly unmodelled: string | null;
  /** GraphQL: messages of `errors`; REST: the error's message. */
  readonly errors: readonly string[];
}

/** One attempt to deliver a webhook. */
export interface DeliveryEntry {
  readonly seq: number;
  readonly kind: 'delivery';
  readonly at: Instant;
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly repository: string | null;
  readonly url: string;
  /** HTTP status of the receiver; 0 when it was not reached. */
  readonly status: number;
  readonly redelivery: boolean;
  readonly fault: string | null;
}

/** One push that came as far as git, besides the request it came by. */
export interface PushEntry {
  readonly seq: number;
  readonly kind: 'push';
  readonly at: Instant;
  /** `owner/name`. */
  readonly repository: string;
  readonly actor: string;
  readonly tokenKind: RequestEntry['tokenKind'];
  readonly refs: readonly JournalRef[];
  /** Pushes to this repository in the minute before it, itself included. GitHub recommends six at most. */
  readonly inLastMinute: number;
  /** The faults that refused refs of it, if any. */
  readonly fault: string | null;
}

/** One ref of a push. */
export interface JournalRef {
  readonly name: string;
  /** Where the client thought it was; `null` creates. */
  readonly before: string | null;
  /** `null` deletes. */
  readonly after: string | null;
  readonly moved: boolean;
  /** Why it was refused; `null` when it was not, or by git itself (it was elsewhere). */
  readonly refused: string | null;
}

export type JournalEntry = RequestEntry | DeliveryEntry | PushEntry;
type NewEntry = Omit<RequestEntry, 'seq'> | Omit<DeliveryEntry, 'seq'> | Omit<PushEntry, 'seq'>;

/** Everything that crossed the wire, in order, for tests and benchmarks to ask. */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  readonly #limit: number;
  #seq = 0;
  #dropped = 0;

  constructor(limit = 200_000) {
    this.#limit = limit;
  }

  add(entry: NewEntry): void {
    this.#seq += 1;
    this.#entries.push({ ...entry, seq: this.#seq });
    if (this.#entries.length <= this.#limit) return;
    const surplus = Math.ceil(this.#limit / 10);
    this.#entries.splice(0, surplus);
    this.#dropped += surplus;
  }

  /** Entries after `seq`, oldest first. */
  entries(after = 0): readonly JournalEntry[] {
    return after === 0 ? this.#entries.slice() : this.#entries.filter((entry) => entry.seq > after);
  }

  requests(after = 0): readonly RequestEntry[] {
    return this.entries(after).filter((entry) => entry.kind === 'request');
  }

  deliveries(after = 0): readonly DeliveryEntry[] {
    return this.entries(after).filter((entry) => entry.kind === 'delivery');
  }

  pushes(after = 0): readonly PushEntry[] {
    return this.entries(after).filter((entry) => entry.kind === 'push');
  }

  /** What clients asked for that Pocket does not model. A test that ends with any has failed. */
  unmodelled(): readonly string[] {
    return this.requests().flatMap((entry) => entry.unmodelled ?? []);
  }

  /** By caller, the most that was asked within a minute and an hour. */
  secondaryLoads(after = 0): readonly SecondaryLoad[] {
    return secondaryLoads(this.requests(after));
  }

  lastSeq(): number {
    return this.#seq;
  }

  /** Entries that were forgotten because the journal is bounded. */
  dropped(): number {
    return this.#dropped;
  }
}
