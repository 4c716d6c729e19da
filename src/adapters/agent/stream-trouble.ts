import type { StepEnd } from '../../domain/agent/next-step.js';
import type { ModelTrouble } from '../../ports/model-gate.js';
import type { StreamState } from './stream-state.js';
import type { StreamResult } from './stream-event.js';

/** The trouble the CLI reports in its fields: a second source besides the key proxy. */
export function troubleInStream({ result, apiErrorKind, limitHit }: StreamState): ModelTrouble | null {
  if (result === null) return null;
  const { terminalReason, apiErrorStatus, apiError } = result;
  const status = apiErrorStatus ?? 0;
  const why = describeError(result);
  if (apiError === 'usage_limit_reached' || limitHit !== null) {
    return { kind: 'quota', until: limitHit?.resetsAt == null ? null : toMilliseconds(limitHit.resetsAt) };
  }
  if (apiErrorKind === 'billing_error' || status === 402) return { kind: 'billing', why };
  if (terminalReason === 'prompt_too_long' || terminalReason === 'image_error') return { kind: 'context-overflow' };
  if (terminalReason === 'blocking_limit' && apiErrorKind === 'invalid_request') return { kind: 'context-overflow' };
  if (status === 401 || status === 403 || apiErrorKind === 'authentication_failed') return { kind: 'auth', why };
  if (status === 404 || apiErrorKind === 'model_not_found') return { kind: 'model-missing', why };
  if (status === 429 || apiErrorKind === 'rate_limit') return { kind: 'throttled', retryAfterMs: null, why };
  // A request without an answer has no status; its kind tells it from a refusal.
  const isDown = status >= 500 || ['overloaded', 'server_error'].includes(apiErrorKind ?? '');
  return isDown ? { kind: 'provider-down', why } : null;
}

/** How a step with this trouble ends. */
export function stepEndOf(trouble: ModelTrouble): StepEnd {
  switch (trouble.kind) {
    case 'context-overflow':
      return { kind: 'overflowed' };
    case 'model-missing':
      return { kind: 'settled', verdict: { kind: 'failed', cause: 'model', why: trouble.why } };
    case 'throttled':
      return { kind: 'settled', verdict: { kind: 'throttled', why: trouble.why } };
    case 'quota':
    case 'provider-down':
    case 'auth':
    case 'billing':
    case 'over-budget':
      return { kind: 'settled', verdict: trouble };
  }
}

/** Some events give milliseconds instead of seconds. */
const toMilliseconds = (moment: number): number => (moment > 1e11 ? moment : moment * 1000);

/** Describes a failed turn, for reports. */
export function describeError(result: StreamResult): string {
  const { apiErrorStatus, apiError, apiErrorType, terminalReason, subtype, text } = result;
  const facts = [terminalReason ?? subtype, apiErrorStatus, apiErrorType, apiError].filter((fact) => fact !== null);
  return `${facts.join(', ')}: ${text}`.slice(0, 1000);
}
