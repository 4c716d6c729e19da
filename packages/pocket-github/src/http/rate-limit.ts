import type { Clock } from '../clock/clock.js';
import type { Viewer } from '../identity/viewer.js';

export type RateResource = 'core' | 'graphql' | 'search';

export interface RateLimits {
  /** Requests (core) or points (graphql) per hour and identity. */
  readonly core: number;
  readonly graphql: number;
  readonly anonymous: number;
  /** REST searches per minute, for each identity and for anonymous callers. */
  readonly search: number;
  readonly anonymousSearch: number;
}

export const GITHUB_RATE_LIMITS: RateLimits = {
  core: 5000,
  graphql: 5000,
  anonymous: 60,
  search: 30,
  anonymousSearch: 10,
};

export interface RateStatus {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Epoch seconds. */
  readonly reset: number;
  readonly resource: RateResource;
}

const ANONYMOUS = { core: 'anonymous', graphql: 'anonymous', search: 'anonymousSearch' } as const;

interface Bucket {
  used: number;
  resetAt: number;
}

const WINDOW_MS: { readonly [R in RateResource]: number } = { core: 3_600_000, graphql: 3_600_000, search: 60_000 };

/** Primary rate limits: one bucket per identity and resource, emptied every hour (search: every minute) from its first use. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limits: RateLimits;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, limits: RateLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  status(viewer: Viewer, resource: RateResource): RateStatus {
    const bucket = this.#bucket(viewer, resource);
    const limit = this.#limits[viewer.kind === 'anonymous' ? ANONYMOUS[resource] : resource];
    const used = Math.min(bucket.used, limit);
    return { limit, used, remaining: limit - used, reset: Math.ceil(bucket.resetAt / 1000), resource };
  }

  charge(viewer: Viewer, resource: RateResource, points: number): void {
    this.#bucket(viewer, resource).used += points;
  }

  /** Uses up everything that is left until the next reset. */
  exhaust(viewer: Viewer, resource: RateResource): void {
    this.#bucket(viewer, resource).used = Number.MAX_SAFE_INTEGER;
  }

  #bucket(viewer: Viewer, resource: RateResource): Bucket {
    const key = `${identityKey(viewer)} ${resource}`;
    const now = this.#clock.now();
    const known = this.#buckets.get(key);
    if (known !== undefined && now < known.resetAt) return known;
    const fresh: Bucket = { used: 0, resetAt: now + WINDOW_MS[resource] };
    this.#buckets.set(key, fresh);
    return fresh;
  }
}

/** Installations share one bucket however many tokens they mint; users likewise. */
function identityKey(viewer: Viewer): string {
  switch (viewer.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'app':
      return `app ${viewer.app.id}`;
    case 'installation':
      return `installation ${viewer.installation.id}`;
    case 'personal':
      return `user ${viewer.user.id}`;
  }
}

export function rateHeaders(status: RateStatus): Record<string, string> {
  return {
    'x-ratelimit-limit': String(status.limit),
    'x-ratelimit-remaining': String(status.remaining),
    'x-ratelimit-used': String(status.used),
    'x-ratelimit-reset': String(status.reset),
    'x-ratelimit-resource': status.resource,
  };
}
