import type { ErrorStatus } from '../protocol/errors.js';
import type { FailureTurn, Quota, QuotaClaim, QuotaReset } from './turn.js';

export interface FailOptions {
  /** Instead of the API's usual text. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many requests fail before the script continues; all of them when nothing follows. */
  readonly times?: number;
}

/** An HTTP error in Anthropic's shape. `fail(429)` has no `retry-after`; see `rateLimit` for one that has. */
export function fail(status: ErrorStatus, options: FailOptions = {}): FailureTurn {
  return failure(status, options, null);
}

/** 400: the conversation is larger than the model's window. */
export const promptTooLong = (options: FailOptions = {}): FailureTurn =>
  fail(400, { message: 'prompt is too long: 1200000 tokens > 1000000 maximum', ...options });

/** 400: the account has no credit left. */
export const creditTooLow = (options: FailOptions = {}): FailureTurn =>
  fail(400, {
    message:
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ...options,
  });

/** 429 with `retry-after` and the `anthropic-ratelimit-requests-*` headers. */
export function rateLimit(options: FailOptions & { readonly retryAfterSeconds: number }): FailureTurn {
  return failure(429, options, { kind: 'requests', retryAfterSeconds: options.retryAfterSeconds });
}

/** 429 as a subscription gets it when its five-hour or weekly allowance is used up. */
export function usageLimit(options: FailOptions & QuotaReset & { readonly claim?: QuotaClaim }): FailureTurn {
  const message = "This request would exceed your account's rate limit. Please try again later.";
  const reset = 'resetAt' in options ? { resetAt: options.resetAt } : { resetInSeconds: options.resetInSeconds };
  return failure(429, { message, ...options }, { kind: 'subscription', claim: options.claim ?? 'five_hour', reset });
}

function failure(status: ErrorStatus, options: FailOptions, quota: Quota | null): FailureTurn {
  return {
    kind: 'failure',
    status,
    message: options.message ?? null,
    headers: options.headers ?? {},
    quota,
    times: options.times ?? null,
  };
}
