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

/** Which refs of pushes a fault is for. A ref that GitHub's own rules refuse is not counted. */
export interface RefMatch {
  /** `owner/name`. */
  readonly repository?: string;
  /** In full, e.g. `refs/heads/main`. */
  readonly ref?: string;
  readonly actor?: string;
}

/** How a pushed ref is refused. It does not move; with `--atomic` neither does any other ref of the push. */
export type RefEffect =
  /**
   * For a moment, in the words github.com has been seen to use (`failed`, `failure`, `Internal Server Error`,
   * `cannot lock ref`), or in any others.
   */
  | { readonly kind: 'refuse-ref'; readonly reason: string; readonly lines?: readonly string[] }
  /** By a hook of the server, with what the hook printed. */
  | { readonly kind: 'pre-receive'; readonly lines: readonly string[] }
  /** By rules Pocket does not model (required signatures, file sizes, …), one sentence each. */
  | { readonly kind: 'rule-violations'; readonly violations: readonly string[] }
  /** By push protection, which has found a secret of this kind at this place. */
  | { readonly kind: 'push-protection'; readonly secret: string; readonly path: string };

/** Which pushes a fault is for. */
export interface PushMatch {
  /** `owner/name`. */
  readonly repository?: string;
  readonly actor?: string;
}

export type PushEffect =
  /** Not every part of GitHub knows a new installation token yet: 403 while it is younger than this, by the clock. */
  { readonly kind: 'young-token'; readonly youngerThanMs: number };

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
    }
  | {
      readonly on: 'ref';
      readonly match: RefMatch;
      readonly occurrence: Occurrence;
      readonly effect: RefEffect;
    }
  | {
      readonly on: 'push';
      readonly match: PushMatch;
      readonly occurrence: Occurrence;
      readonly effect: PushEffect;
    };
