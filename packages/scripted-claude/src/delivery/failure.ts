import type { Instant } from '../clock.js';
import { type ApiError, apiError } from '../protocol/errors.js';
import type { ModelRequest } from '../protocol/model-request.js';
import type { FailureTurn, Quota, QuotaClaim } from '../script/turn.js';

/** The body of a scripted failure. The API answers an unknown model with nothing but its name. */
export function failureBody(turn: FailureTurn, request: ModelRequest, requestId: string): ApiError {
  return apiError(turn.status, requestId, turn.message ?? (turn.status === 404 ? `model: ${request.model}` : null));
}

export function failureHeaders(turn: FailureTurn, now: Instant): Record<string, string> {
  return { ...(turn.quota === null ? {} : quotaHeaders(turn.quota, now)), ...turn.headers };
}

function quotaHeaders(quota: Quota, now: Instant): Record<string, string> {
  if (quota.kind === 'requests') {
    return {
      'retry-after': String(quota.retryAfterSeconds),
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': new Date(now + quota.retryAfterSeconds * 1000).toISOString(),
    };
  }
  const { reset } = quota;
  const resetAt = 'resetAt' in reset ? reset.resetAt : now + reset.resetInSeconds * 1000;
  return subscriptionHeaders(quota.claim, Math.floor(resetAt / 1000), Math.max(0, Math.ceil((resetAt - now) / 1000)));
}

/** Resets are Unix seconds here, unlike those of an API key. */
function subscriptionHeaders(claim: QuotaClaim, resetAt: number, inSeconds: number): Record<string, string> {
  const prefix = 'anthropic-ratelimit-unified';
  const spent = claim === 'five_hour' ? '5h' : '7d';
  const other = claim === 'five_hour' ? '7d' : '5h';
  return {
    'retry-after': String(inSeconds),
    [`${prefix}-status`]: 'rejected',
    [`${prefix}-reset`]: String(resetAt),
    [`${prefix}-representative-claim`]: claim,
    [`${prefix}-${spent}-status`]: 'rejected',
    [`${prefix}-${spent}-reset`]: String(resetAt),
    [`${prefix}-${spent}-utilization`]: '1',
    [`${prefix}-${other}-status`]: 'allowed',
    [`${prefix}-${other}-reset`]: String(resetAt),
    [`${prefix}-${other}-utilization`]: '0.5',
    [`${prefix}-overage-status`]: 'rejected',
    [`${prefix}-overage-disabled-reason`]: 'org_level_disabled',
  };
}
