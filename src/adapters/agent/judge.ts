import type { Verdict } from '../../domain/outcome.js';
import type { SandboxEnd } from '../../ports/sandbox.js';
import type { StreamResult, StreamState } from './stream.js';

export interface Evidence {
  readonly stream: StreamState;
  readonly end: SandboxEnd;
  readonly stderr: string;
  readonly nonce: string;
}

/** How a run ended, from structured fields alone: a result that was given stands, whatever ended the process after it. */
export function judge({ stream, end, stderr, nonce }: Evidence): Verdict {
  const { result } = stream;
  if (result?.isError === false) return judgeOutput(result.structuredOutput, nonce);
  if (end.kind === 'aborted') return { kind: 'stopped' };
  if (end.kind === 'timed-out') return { kind: 'timed-out' };
  if (end.kind === 'failed') return { kind: 'lost', why: `The agent could not be started: ${end.why}` };
  if (result !== null) return judgeError(result, stream.apiErrorKind);
  return { kind: 'lost', why: `The agent ended without a result (${describeEnd(end)}). ${lastWords(stderr)}`.trim() };
}

/** Whether a result is this run's own. Its schema is the caller's to check. */
export function judgeOutput(output: unknown, nonce: string): Verdict {
  if (output === undefined || output === null) return { kind: 'no-op' };
  if (typeof output !== 'object') return invalid('The result is not an object.');
  if (!('nonce' in output) || output.nonce !== nonce) {
    return invalid("The result does not carry this run's nonce.");
  }
  return { kind: 'succeeded', result: output };
}

const invalid = (why: string): Verdict => ({ kind: 'failed', cause: 'invalid-result', why });

function judgeError(result: StreamResult, kind: string | null): Verdict {
  switch (result.terminalReason ?? result.subtype) {
    case 'max_turns':
    case 'error_max_turns':
      return { kind: 'turn-capped' };
    case 'budget_exhausted':
    case 'error_max_budget_usd':
      return { kind: 'over-budget', why: describeError(result) };
    case 'structured_output_retry_exhausted':
    case 'error_max_structured_output_retries':
      return invalid('No result fitted the schema.');
    case 'api_error':
      return judgeApiError(result, kind);
    default:
      return { kind: 'failed', cause: 'model', why: describeError(result) };
  }
}

/** Kinds of failed requests, as the CLI names them. */
const CREDENTIAL_KINDS = ['authentication_failed', 'billing_error'];
const PROVIDER_KINDS = ['rate_limit', 'overloaded', 'server_error'];

function judgeApiError(result: StreamResult, kind: string | null): Verdict {
  const why = describeError(result);
  const status = result.apiErrorStatus ?? 0;
  if ([401, 402, 403].includes(status) || CREDENTIAL_KINDS.includes(kind ?? '')) return { kind: 'auth', why };
  // A request that never got an answer has no status; its kind tells it from an answer that was refused.
  if (status === 429 || status >= 500 || PROVIDER_KINDS.includes(kind ?? '')) return { kind: 'provider-down', why };
  return { kind: 'failed', cause: 'model', why };
}

function describeError({
  apiErrorStatus,
  apiError,
  apiErrorType,
  terminalReason,
  subtype,
  text,
}: StreamResult): string {
  const facts = [terminalReason ?? subtype, apiErrorStatus, apiErrorType, apiError].filter((fact) => fact !== null);
  return `${facts.join(', ')}: ${text}`;
}

function describeEnd(end: Extract<SandboxEnd, { kind: 'exited' | 'killed' }>): string {
  return end.kind === 'exited' ? `exit code ${end.code}` : end.signal;
}

function lastWords(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join(' ').slice(-500);
}
