import type { DeliveryEffect, Fault, Occurrence, PushEffect, RefEffect, RequestEffect, RequestMatch } from './fault.js';

/** What is known of a request before it is answered. */
export interface RequestFacts {
  readonly surface: 'rest' | 'graphql' | 'git';
  readonly method: string;
  readonly operation: string;
  readonly fields: readonly string[];
  readonly actor: string;
  readonly path: string;
  /** GraphQL: the most nodes the document could return. */
  readonly nodes?: number;
}

export interface DeliveryFacts {
  readonly event: string;
  readonly action: string | null;
}

/** One ref of a push that nothing else refuses. */
export interface RefFacts {
  /** `owner/name`. */
  readonly repository: string;
  readonly ref: string;
  readonly actor: string;
}

/** A push before any of its refs is known. */
export interface PushFacts {
  /** `owner/name`. */
  readonly repository: string;
  readonly actor: string;
  /** Of the installation token it comes with; `null` for any other credential. */
  readonly tokenAgeMs: number | null;
}

/** A fault that hit, with the id it was armed under. */
export interface Hit<E> {
  readonly id: number;
  readonly effect: E;
}

interface Armed {
  readonly id: number;
  readonly fault: Fault;
  seen: number;
  hits: number;
}

/** The faults in force. Deterministic: the same seed and the same requests give the same hits. */
export class FaultPlan {
  #armed: Armed[] = [];
  #nextId = 1;
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = mulberry32(seed);
  }

  arm(fault: Fault): number {
    const id = this.#nextId++;
    this.#armed.push({ id, fault, seen: 0, hits: 0 });
    return id;
  }

  disarm(id: number): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((armed) => armed.id !== id);
    return this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
  }

  list(): readonly { readonly id: number; readonly fault: Fault; readonly seen: number; readonly hits: number }[] {
    return this.#armed.map(({ id, fault, seen, hits }) => ({ id, fault, seen, hits }));
  }

  /** The effects that hit this request, in the order they were armed. */
  forRequest(facts: RequestFacts): readonly Hit<RequestEffect>[] {
    return this.#armed.flatMap((armed) => {
      const { fault } = armed;
      if (fault.on !== 'request' || !matchesRequest(fault.match, facts) || !this.#fires(armed, fault.occurrence))
        return [];
      return [{ id: armed.id, effect: fault.effect }];
    });
  }

  forDelivery(facts: DeliveryFacts): readonly Hit<DeliveryEffect>[] {
    return this.#armed.flatMap((armed) => {
      const { fault } = armed;
      if (fault.on !== 'delivery') return [];
      if (!fits(fault.match.event, facts.event) || !fits(fault.match.action, facts.action ?? '')) return [];
      return this.#fires(armed, fault.occurrence) ? [{ id: armed.id, effect: fault.effect }] : [];
    });
  }

  forRef(facts: RefFacts): readonly Hit<RefEffect>[] {
    return this.#armed.flatMap((armed) => {
      const { fault } = armed;
      if (fault.on !== 'ref') return [];
      const { repository, ref, actor } = fault.match;
      if (!fits(repository, facts.repository) || !fits(ref, facts.ref) || !fits(actor, facts.actor)) return [];
      return this.#fires(armed, fault.occurrence) ? [{ id: armed.id, effect: fault.effect }] : [];
    });
  }

  forPush(facts: PushFacts): readonly Hit<PushEffect>[] {
    return this.#armed.flatMap((armed) => {
      const { fault } = armed;
      if (fault.on !== 'push' || facts.tokenAgeMs === null || facts.tokenAgeMs >= fault.effect.youngerThanMs) return [];
      if (!fits(fault.match.repository, facts.repository) || !fits(fault.match.actor, facts.actor)) return [];
      return this.#fires(armed, fault.occurrence) ? [{ id: armed.id, effect: fault.effect }] : [];
    });
  }

  #fires(armed: Armed, occurrence: Occurrence): boolean {
    armed.seen += 1;
    const fires = this.#occurs(armed.seen, occurrence);
    if (fires) armed.hits += 1;
    return fires;
  }

  #occurs(seen: number, occurrence: Occurrence): boolean {
    if ('nth' in occurrence) return seen === occurrence.nth;
    if ('times' in occurrence) return seen <= occurrence.times;
    if ('chance' in occurrence) return this.#random() < occurrence.chance;
    return true;
  }
}

function matchesRequest(match: RequestMatch, facts: RequestFacts): boolean {
  return (
    (match.surface === undefined || match.surface === facts.surface) &&
    fits(match.method, facts.method) &&
    fits(match.operation, facts.operation) &&
    fits(match.actor, facts.actor) &&
    fits(match.path, facts.path) &&
    (match.nodesOver === undefined || (facts.nodes ?? 0) > match.nodesOver) &&
    (match.field === undefined || facts.fields.some((field) => fits(match.field, field)))
  );
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || pattern === text) return true;
  if (!pattern.includes('*')) return false;
  const escaped = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}

/** A small, fast, seedable generator; quality is ample for choosing which requests fail. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
