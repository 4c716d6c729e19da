import type { Instant } from '../clock.js';
import type { ErrorStatus, ErrorType } from '../protocol/errors.js';

export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** A tool call: Bash, Write, StructuredOutput or any other name. */
  | { readonly type: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export const STOP_REASONS = ['end_turn', 'tool_use', 'max_tokens', 'refusal', 'stop_sequence', 'pause_turn'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Token counts to report; those left out are estimated from the text (cache: 0). */
export interface TurnUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** A point inside a stream. It is never after the last event, so that what follows always has an effect. */
export type StreamPoint = { readonly afterEvents: number } | { readonly afterBytes: number };

export type Delivery =
  | { readonly kind: 'whole' }
  /** Accepts the request and sends nothing, not even headers, for that long (`null`: until either side closes). */
  | { readonly kind: 'hang'; readonly forMs: number | null }
  /** TCP reset before any answer. */
  | { readonly kind: 'reset' }
  /** Destroys the socket in mid-answer. */
  | { readonly kind: 'cut'; readonly at: StreamPoint }
  /** Stops in the middle of the answer for that long (`null`: until either side closes), then continues. */
  | { readonly kind: 'stall'; readonly at: StreamPoint; readonly forMs: number | null }
  /** Waits that long before each event. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Sends an event that is not JSON and ends. */
  | { readonly kind: 'malformed'; readonly at: StreamPoint }
  /** Sends `event: error` and ends. */
  | {
      readonly kind: 'error-event';
      readonly at: StreamPoint;
      readonly errorType: ErrorType;
      readonly message: string | null;
    };

/** The model answers. */
export interface MessageTurn {
  readonly kind: 'message';
  readonly blocks: readonly ReplyBlock[];
  /** `null`: `tool_use` when there is a tool call, else `end_turn`. */
  readonly stopReason: StopReason | null;
  readonly usage: TurnUsage;
  readonly delivery: Delivery;
  /** How often the turn is played; `null` as `timesOf` says. */
  readonly times: number | null;
}

/** When a subscription limit ends: at a moment, or so long after the answer. */
export type QuotaReset = { readonly resetAt: Instant } | { readonly resetInSeconds: number };

export type QuotaClaim = 'five_hour' | 'seven_day';

export type Quota =
  /** Requests per minute of an API key: `retry-after` and `anthropic-ratelimit-requests-*`. */
  | { readonly kind: 'requests'; readonly retryAfterSeconds: number }
  /** The usage limit of a subscription: `anthropic-ratelimit-unified-*`. */
  | { readonly kind: 'subscription'; readonly claim: QuotaClaim; readonly reset: QuotaReset };

/** The API refuses with an HTTP error. */
export interface FailureTurn {
  readonly kind: 'failure';
  readonly status: ErrorStatus;
  /** `null`: the API's usual text for this status. */
  readonly message: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly quota: Quota | null;
  readonly times: number | null;
}

/** One answer of the scripted model, as plain data. */
export type Turn = MessageTurn | FailureTurn;

/** Does the client get a whole, ordinary answer? */
function isOrdinary(turn: Turn): boolean {
  if (turn.kind === 'failure' || turn.blocks.length === 0) return false;
  if (turn.stopReason === 'refusal' || turn.stopReason === 'max_tokens') return false;
  return turn.delivery.kind === 'whole' || turn.delivery.kind === 'drip' || endsByItself(turn.delivery);
}

/** A hang or stall with an end delivers the whole answer, only late. */
function endsByItself(delivery: Delivery): boolean {
  return (delivery.kind === 'hang' || delivery.kind === 'stall') && delivery.forMs !== null;
}

/** Clients retry what failed, so a failure that ends a script stays; anything else is played once. */
export function timesOf(turn: Turn, isLast: boolean): number {
  if (turn.times !== null) return turn.times;
  return isLast && !isOrdinary(turn) ? Number.POSITIVE_INFINITY : 1;
}
