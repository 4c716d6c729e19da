import type { Verdict } from '../../domain/outcome.js';
import type { ModelAnswer } from '../../ports/model-gate.js';
import type { StreamState } from './stream.js';

/** What stood between the agent and its model. */
export type Trouble =
  | Extract<Verdict, { kind: 'quota' | 'throttled' | 'provider-down' | 'auth' | 'billing' }>
  /** The conversation does not fit the model's window. */
  | { readonly kind: 'too-long' }
  /** The request itself was refused: an unknown model, a policy. */
  | { readonly kind: 'refused'; readonly why: string };

/** What the last answer of the API itself says: nothing an agent can make up. */
export function troubleInAnswer(answer: ModelAnswer | null): Trouble | null {
  if (answer === null) return null;
  const { status, limits, retryAfter } = answer;
  const why = `The model's API answered ${status}${retryAfter === null ? '' : `, try again after ${retryAfter} s`}.`;
  if (status === 401 || status === 403) return { kind: 'auth', why };
  if (status === 402) return { kind: 'billing', why };
  if (status === 413) return { kind: 'too-long' };
  if (status >= 500) return { kind: 'provider-down', why };
  if (status !== 429) return null;
  if (limits['anthropic-ratelimit-unified-status'] !== 'rejected') return { kind: 'throttled', why };
  const reset = Number(limits['anthropic-ratelimit-unified-reset'] ?? Number.NaN);
  return { kind: 'quota', until: Number.isFinite(reset) ? reset * 1000 : null };
}

/** What the CLI says about the request that failed: the second witness, by its fields alone. */
export function troubleInStream({ result, apiErrorKind, limitHit }: StreamState): Trouble | null {
  if (result === null) return null;
  const { terminalReason, apiErrorStatus, apiError } = result;
  const status = apiErrorStatus ?? 0;
  const why = describeError(result);
  if (apiError === 'usage_limit_reached' || limitHit !== null) {
    return { kind: 'quota', until: limitHit?.resetsAt == null ? null : toMilliseconds(limitHit.resetsAt) };
  }
  if (apiErrorKind === 'billing_error' || status === 402) return { kind: 'billing', why };
  if (terminalReason === 'prompt_too_long' || terminalReason === 'image_error') return { kind: 'too-long' };
  if (terminalReason === 'blocking_limit' && apiErrorKind === 'invalid_request') return { kind: 'too-long' };
  if (status === 401 || status === 403 || apiErrorKind === 'authentication_failed') return { kind: 'auth', why };
  if (status === 429 || apiErrorKind === 'rate_limit') return { kind: 'throttled', why };
  // A request that never got an answer has no status; its kind tells it from an answer that was refused.
  if (status >= 500 || ['overloaded', 'server_error'].includes(apiErrorKind ?? ''))
    return { kind: 'provider-down', why };
  return terminalReason === 'api_error' ? { kind: 'refused', why } : null;
}

/** Seconds since the epoch; some give milliseconds. */
const toMilliseconds = (moment: number): number => (moment > 1e11 ? moment : moment * 1000);

export function describeError(result: NonNullable<StreamState['result']>): string {
  const { apiErrorStatus, apiError, apiErrorType, terminalReason, subtype, text } = result;
  const facts = [terminalReason ?? subtype, apiErrorStatus, apiErrorType, apiError].filter((fact) => fact !== null);
  return `${facts.join(', ')}: ${text}`.slice(0, 1000);
}
