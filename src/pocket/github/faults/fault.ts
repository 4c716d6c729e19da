/** Which requests a fault is for. Everything given must fit; text matches as a whole, `*` stands for any run of characters. */
export interface RequestMatch {
  readonly surface?: 'rest' | 'graphql' | 'git';
  readonly method?: string;
  /** Route template, GraphQL operation name or git service. */
  readonly operation?: string;
  /** A top-level GraphQL field, e.g. `mergePullRequest`. */
  readonly field?: string;
  readonly actor?: string;
  readonly path?: string;
  /** GraphQL: only documents that ask for more nodes than this, by Pocket's own count. */
  readonly nodesOver?: number;
}

/** Which of the matching requests are hit. */
export type Occurrence =
  /** The k-th one only, counting from 1. */
  | { readonly nth: number }
  /** The first n. */
  | { readonly times: number }
  /** All of them until the fault is removed. */
  | { readonly always: true }
  /** Each with this chance, from the seeded generator. */
  | { readonly chance: number };

export type RequestEffect =
  /** Answer with an error before or after the work was done. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly when: 'before' | 'after';
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Cut the connection. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** Never answer. The connection stays open until the client or Pocket gives up. */
  | { readonly kind: 'timeout'; readonly when: 'before' | 'after' }
  /** Use up the caller's primary rate limit from here to its next reset. */
  | { readonly kind: 'primary-limit' }
  /** GitHub's abuse answer. */
  | { readonly kind: 'secondary-limit'; readonly status: 403 | 429; readonly retryAfterSeconds: number | null }
  /** Answer later. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** A read answers what was true this long ago. */
  | { readonly kind: 'stale'; readonly lagMs: number }
  /** The credential stops working for this request. */
  | { readonly kind: 'unauthorized' }
  /** A merge that would succeed is refused because another push to base was faster. Does nothing to other requests. */
  | { readonly kind: 'base-modified' }
  /** A place of a GraphQL answer fails; the rest stands. */
  | GraphqlErrorEffect
  /** A place of a GraphQL answer is null without an error, where the schema lets it be: GitHub does that too. */
  | { readonly kind: 'graphql-null'; readonly path: readonly (string | number)[] };

/** Answered with status 200, an entry in `errors` and `null` at the path, or above it where the schema allows no null. */
export interface GraphqlErrorEffect {
  readonly kind: 'graphql-error';
  /** `RESOURCE_LIMITS_EXCEEDED`, `INTERNAL`…; `null` for GitHub's untyped "Something went wrong". */
  readonly type: string | null;
  readonly message: string;
  /**
   * Response names from the top; positions in lists may be left out and then stand for all. A mutation's own field is refused and
   * nothing is done. Without a path the last top-level field is lost, and a mutation has been done by then.
   */
  readonly path?: readonly (string | number)[];
}

/** Which webhook deliveries a fault is for. */
export interface DeliveryMatch {
  readonly event?: string;
  readonly action?: string;
}

export type DeliveryEffect =
  | { readonly kind: 'drop' }
  | { readonly kind: 'duplicate'; readonly copies: number }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Sent after the next delivery instead of before it. */
  | { readonly kind: 'reorder' }
  | { readonly kind: 'mis-sign' };

export type Fault =
  | {
      readonly on: 'request';
      readonly match: RequestMatch;
      readonly occurrence: Occurrence;
      readonly effect: RequestEffect;
    }
  | {
      readonly on: 'delivery';
      readonly match: DeliveryMatch;
      readonly occurrence: Occurrence;
      readonly effect: DeliveryEffect;
    };
