import type { OutcomeVerdict } from '../../domain/agent/outcome.js';
import type { StopReason, Watch } from '../../domain/agent/supervision.js';
import { excessText } from '../../domain/render/phrases/sandbox-limits.js';
import type { StepEnd } from '../../domain/agent/next-step.js';
import type { ModelTrouble } from '../../ports/model-gate.js';
import type { SandboxEnd } from '../../ports/sandbox.js';
import type { StreamState } from './stream-state.js';
import type { StreamResult } from './stream-event.js';
import { describeError, stepEndOf, troubleInStream } from './stream-trouble.js';

/** The facts a step is judged by. */
export interface StepEvidence {
  readonly stream: StreamState;
  readonly watch: Pick<Watch, 'stop' | 'hasProgressed'>;
  readonly end: SandboxEnd;
  readonly stderr: string;
  readonly nonce: string;
  /** It was to continue an earlier session. */
  readonly isResumed: boolean;
  /** Requests that reached the model's API. */
  readonly requests: number;
  /** Earlier steps used the same home: its output may contain what the model left there. */
  readonly isLater?: boolean;
  /** What the key proxy saw. It is trusted more than the CLI. */
  readonly trouble: ModelTrouble | null;
}

/** Judges how a step ended from structured fields only. A result counts, whatever ended the process after it. */
export function judgeStep(evidence: StepEvidence): StepEnd {
  const { stream, watch, end, stderr, nonce, trouble } = evidence;
  const { result } = stream;
  const settled = (verdict: OutcomeVerdict): StepEnd => ({ kind: 'settled', verdict });
  if (result?.isError === false) return judgeGiven(result, nonce);
  const left = { session: stream.sessionId !== null, progress: watch.hasProgressed };
  if (end.kind === 'limited') return settled({ kind: 'failed', cause: 'limits', why: excessText(end.excess) });
  // The first reason wins; its consequences are ignored.
  if (watch.stop !== null && watch.stop !== 'lingering') return judgeStop(watch.stop, left, trouble);
  if (end.kind === 'aborted' && watch.stop === null) return settled({ kind: 'stopped' });
  if (end.kind === 'timed-out') return settled({ kind: 'timed-out' });
  if (end.kind === 'failed') return settled({ kind: 'lost', why: `The agent could not be started: ${end.why}` });
  if (result !== null) return judgeError(result, evidence);
  const why = `The agent ended without a result (${describeEnd(end)}). ${endOfStderr(stderr)}`.trim();
  return { kind: 'lost', why, left };
}

function judgeGiven(result: StreamResult, nonce: string): StepEnd {
  const verdict = judgeOutput(result.structuredOutput, nonce);
  if (verdict.kind === 'no-op') return { kind: 'no-op', missing: null, denied: result.denied };
  return { kind: 'settled', verdict };
}

/** Whether a result belongs to this run. The caller checks its schema. */
export function judgeOutput(output: unknown, nonce: string): OutcomeVerdict {
  if (output === undefined || output === null) return { kind: 'no-op' };
  if (typeof output !== 'object') return invalid('The result is not an object.');
  if (!('nonce' in output) || output.nonce !== nonce) {
    return invalid("The result does not carry this run's nonce.");
  }
  return { kind: 'succeeded', result: output };
}

const invalid = (why: string): OutcomeVerdict => ({ kind: 'failed', cause: 'invalid-result', why });

type Left = Extract<StepEnd, { kind: 'lost' }>['left'];

/** Troubles that a nudge cannot fix, however the step ended. */
const LASTING: readonly ModelTrouble['kind'][] = ['quota', 'auth', 'billing', 'over-budget'];

function judgeStop(reason: Exclude<StopReason, 'lingering'>, left: Left, trouble: ModelTrouble | null): StepEnd {
  if (trouble !== null && LASTING.includes(trouble.kind) && reason !== 'timed-out') return stepEndOf(trouble);
  switch (reason) {
    case 'timed-out':
      return { kind: 'settled', verdict: { kind: 'timed-out' } };
    case 'window-full':
      return { kind: 'window-full' };
    case 'compacted':
      return { kind: 'overflowed' };
    case 'looped':
    case 'idle':
    case 'no-progress':
    case 'no-first-event':
      return { kind: 'ended', reason, why: STALLS[reason], left };
  }
}

const STALLS = {
  'no-first-event': 'The agent did not say a word.',
  idle: 'The agent went silent, and neither its processes nor its files moved.',
  'no-progress': 'The agent was busy and achieved nothing.',
  looped: 'The agent said the same thing again and again.',
} as const;

function judgeError(result: StreamResult, evidence: StepEvidence): StepEnd {
  const { isResumed, requests, stream } = evidence;
  const settled = (verdict: OutcomeVerdict): StepEnd => ({ kind: 'settled', verdict });
  switch (result.terminalReason ?? result.subtype) {
    case 'max_turns':
    case 'error_max_turns':
      return settled({ kind: 'turn-capped' });
    case 'budget_exhausted':
    case 'error_max_budget_usd':
      return settled({ kind: 'over-budget', why: describeError(result) });
    case 'structured_output_retry_exhausted':
    case 'error_max_structured_output_retries':
      return settled(invalid('No result fitted the schema.'));
    case 'error_during_execution':
      // If the session is gone the CLI ends before its first request.
      if (isResumed && requests === 0 && stream.messages === 0) return { kind: 'session-lost' };
      break;
    default:
  }
  const trouble = evidence.trouble ?? trustedStreamTrouble(evidence);
  if (trouble !== null) return stepEndOf(trouble);
  return settled({ kind: 'failed', cause: 'model', why: describeError(result) });
}

/** Troubles that affect every run. */
const ACCOUNT_WIDE: readonly ModelTrouble['kind'][] = ['quota', 'auth', 'billing'];

/** The agent could forge the stream. A trouble that affects other runs is believed only before the model could have had influence. */
function trustedStreamTrouble({ stream, requests, isLater = false }: StepEvidence): ModelTrouble | null {
  const claimed = troubleInStream(stream);
  return claimed !== null && (requests > 0 || isLater) && ACCOUNT_WIDE.includes(claimed.kind) ? null : claimed;
}

function describeEnd(end: Exclude<SandboxEnd, { kind: 'failed' | 'timed-out' | 'limited' }>): string {
  if (end.kind === 'aborted') return 'ended by us';
  return end.kind === 'exited' ? `exit code ${end.code}` : end.signal;
}

function endOfStderr(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join(' ').slice(-500);
}
