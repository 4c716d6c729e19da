import type { BodyShare } from '../../streams/read-body.js';

/** Limits for webhook bodies whose signature was not checked yet. */
export interface BodyLimits {
  readonly totalBytes: number;
  readonly addressBytes: number;
  /** Bodies being received. */
  readonly totalBodies: number;
  readonly addressBodies: number;
}

/** A signature can be checked only when the body is complete, so unchecked bodies are bounded, whoever sends them. */
export interface BodyBudget {
  /** `cut` is called when the body must make room: its bytes are dropped. */
  begin(address: string, cut: () => void): BodyShare;
  /** What is held now. */
  readonly bytes: number;
  readonly bodies: number;
}

const MB = 1024 * 1024;

/** GitHub sends at most 25 MB at once, and nearly always less than 50 KB. */
export const BODY_LIMITS: BodyLimits = {
  totalBytes: 64 * MB,
  addressBytes: 48 * MB,
  totalBodies: 1_000,
  addressBodies: 250,
};

interface Body {
  readonly address: string;
  readonly cut: () => void;
  bytes: number;
}

export function createBodyBudget(limits: BodyLimits = BODY_LIMITS): BodyBudget {
  return new CountedBodies(limits);
}

class CountedBodies implements BodyBudget {
  readonly #limits: BodyLimits;
  /** Oldest first. */
  readonly #bodies = new Set<Body>();
  readonly #byAddress = new Map<string, { bodies: number; bytes: number }>();
  #bytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get bodies(): number {
    return this.#bodies.size;
  }

  begin(address: string, cut: () => void): BodyShare {
    const body: Body = { address, cut, bytes: 0 };
    this.#bodies.add(body);
    this.#count(address, 1, 0);
    const { totalBodies, addressBodies } = this.#limits;
    // GitHub's bodies are complete within moments, so the oldest is the least likely to be GitHub's.
    while (this.#of(address).bodies > addressBodies) this.#cut(this.#oldest((one) => one.address === address));
    while (this.#bodies.size > totalBodies) this.#cut(this.#oldest(() => true));
    return { take: (bytes) => this.#take(body, bytes), end: () => this.#end(body) };
  }

  #take(body: Body, bytes: number): void {
    if (!this.#bodies.has(body)) return;
    body.bytes += bytes;
    this.#count(body.address, 0, bytes);
    const { totalBytes, addressBytes } = this.#limits;
    // The largest makes room for many small ones, as GitHub's usually are.
    while (this.#of(body.address).bytes > addressBytes) this.#cut(this.#largest((one) => one.address === body.address));
    while (this.#bytes > totalBytes) this.#cut(this.#largest(() => true));
  }

  #end(body: Body): void {
    if (!this.#bodies.delete(body)) return;
    this.#count(body.address, -1, -body.bytes);
  }

  #cut(body: Body | undefined): void {
    if (body === undefined) return;
    this.#end(body);
    body.cut();
  }

  #oldest(fits: (body: Body) => boolean): Body | undefined {
    for (const body of this.#bodies) if (fits(body)) return body;
    return undefined;
  }

  #largest(fits: (body: Body) => boolean): Body | undefined {
    let largest: Body | undefined;
    for (const body of this.#bodies) if (fits(body) && body.bytes > (largest?.bytes ?? -1)) largest = body;
    return largest;
  }

  #of(address: string): { bodies: number; bytes: number } {
    return this.#byAddress.get(address) ?? { bodies: 0, bytes: 0 };
  }

  #count(address: string, bodies: number, bytes: number): void {
    this.#bytes += bytes;
    const before = this.#of(address);
    const after = { bodies: before.bodies + bodies, bytes: before.bytes + bytes };
    if (after.bodies === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, after);
  }
}
