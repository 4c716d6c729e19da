import { describe, expect, test } from '@jest/globals';
import { type StepEvidence, judgeStep } from '../../../../src/adapters/agent/judge-step.js';
import { STREAM_START } from '../../../../src/adapters/agent/stream-state.js';
import { readStreamLine } from '../../../support/agent/read-stream-line.js';
import type { StepEnd } from '../../../../src/domain/agent/next-step.js';
import type { StopReason } from '../../../../src/domain/agent/supervision.js';
import type { ModelTrouble } from '../../../../src/ports/model-gate.js';

const INIT = '{"type":"system","subtype":"init","session_id":"s-1"}';
const SAID = '{"type":"assistant","message":{"id":"m-1","content":[{"type":"text","text":"Hello"}]}}';
const GOOD = '{"type":"result","is_error":false,"structured_output":{"nonce":"n-1"}}';
const failure = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: true, ...fields });
const API_ERROR = { terminal_reason: 'api_error' };

interface Story extends Partial<Omit<StepEvidence, 'stream' | 'watch'>> {
  readonly lines?: readonly string[];
  readonly stop?: StopReason | null;
  readonly hasProgressed?: boolean;
}

function judged({ lines = [], stop = null, hasProgressed = false, ...more }: Story): StepEnd {
  return judgeStep({
    stream: [INIT, ...lines].reduce(readStreamLine, STREAM_START),
    watch: { stop, hasProgressed },
    end: stop === null ? { kind: 'exited', code: 1 } : { kind: 'aborted' },
    stderr: '',
    nonce: 'n-1',
    isResumed: false,
    requests: 1,
    trouble: null,
    ...more,
  });
}

/** The verdict of a settled step, else the kind of its end. */
function outcome(story: Story): string {
  const end = judged(story);
  return end.kind === 'settled' ? end.verdict.kind : end.kind;
}

const TROUBLES: readonly (readonly [ModelTrouble, string])[] = [
  [{ kind: 'quota', until: 7 }, 'quota'],
  [{ kind: 'throttled', retryAfterMs: null, why: '' }, 'throttled'],
  [{ kind: 'provider-down', why: '' }, 'provider-down'],
  [{ kind: 'auth', why: '' }, 'auth'],
  [{ kind: 'billing', why: '' }, 'billing'],
  [{ kind: 'context-overflow' }, 'overflowed'],
  [{ kind: 'model-missing', why: '' }, 'failed'],
  [{ kind: 'over-budget', why: '' }, 'over-budget'],
];

describe('what the key proxy saw', () => {
  test.each(TROUBLES)('is believed before the CLI: %j', (trouble, expected) => {
    const witness = failure({ ...API_ERROR, api_error_status: 529 });
    expect(outcome({ lines: [witness], trouble })).toBe(expected);
  });

  test('does not matter to a run that got its result all the same', () => {
    for (const [trouble] of TROUBLES) expect(outcome({ lines: [GOOD], trouble })).toBe('succeeded');
  });

  test('does not matter to one that used up its turns', () => {
    const lines = [failure({ subtype: 'error_max_turns', terminal_reason: 'max_turns' })];
    expect(outcome({ lines, trouble: { kind: 'quota', until: null } })).toBe('turn-capped');
  });

  test.each(TROUBLES)('explains a silence only where a nudge would not help: %j', (trouble, expected) => {
    const lasting = ['quota', 'auth', 'billing', 'over-budget'].includes(trouble.kind);
    expect(outcome({ stop: 'idle', trouble })).toBe(lasting ? expected : 'ended');
    expect(outcome({ stop: 'timed-out', trouble })).toBe('timed-out');
  });
});

describe('what the CLI says of a failed request', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a usage limit', { ...API_ERROR, api_error: 'usage_limit_reached', api_error_status: 429 }, 'quota'],
    ['too many requests', { ...API_ERROR, api_error_status: 429 }, 'throttled'],
    ['a wrong key', { ...API_ERROR, api_error_status: 401 }, 'auth'],
    ['no permission', { ...API_ERROR, api_error_status: 403 }, 'auth'],
    ['nobody pays', { ...API_ERROR, api_error_status: 402 }, 'billing'],
    ['no such model', { ...API_ERROR, api_error_status: 404 }, 'failed'],
    ['a broken API', { ...API_ERROR, api_error_status: 500 }, 'provider-down'],
    ['an API that is busy', { ...API_ERROR, api_error_status: 529 }, 'provider-down'],
    ['a prompt too long', { terminal_reason: 'prompt_too_long', api_error_status: 400 }, 'overflowed'],
    ['a request too large', { terminal_reason: 'image_error', api_error_status: 413 }, 'overflowed'],
    ['a bad request', { ...API_ERROR, api_error_status: 400 }, 'failed'],
    ['nothing that is known', { terminal_reason: 'rapid_refill_breaker' }, 'failed'],
  ])('%s', (_, fields, expected) => {
    expect(outcome({ lines: [failure(fields)], requests: 0 })).toBe(expected);
    // The API has been asked and had nothing to complain about: then nobody else is held up.
    const isForged = ['quota', 'auth', 'billing'].includes(expected);
    expect(outcome({ lines: [failure(fields)], requests: 1 })).toBe(isForged ? 'failed' : expected);
  });

  test('a limit is one only when it was hit, and names when it ends', () => {
    const event = (status: string, resetsAt: unknown): string =>
      JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt, overageStatus: 'rejected' } });
    const ended = failure({ ...API_ERROR, api_error_status: 429 });
    expect(outcome({ lines: [event('allowed', 1_900_000_000), ended], requests: 0 })).toBe('throttled');
    const until = (resetsAt: unknown): unknown => judged({ lines: [event('rejected', resetsAt), ended], requests: 0 });
    const quota = (moment: number | null) => ({ kind: 'settled', verdict: { kind: 'quota', until: moment } });
    expect(until(1_900_000_000)).toEqual(quota(1_900_000_000_000));
    expect(until(1_900_000_000_000)).toEqual(quota(1_900_000_000_000));
    expect(until('soon')).toEqual(quota(null));
  });
});

describe('a step ended by us', () => {
  test.each<[StopReason, string]>([
    ['idle', 'ended'],
    ['no-progress', 'ended'],
    ['no-first-event', 'ended'],
    ['looped', 'ended'],
    ['compacted', 'overflowed'],
    ['window-full', 'window-full'],
    ['timed-out', 'timed-out'],
  ])('for %s is judged by that, not by how the process took it', (stop, expected) => {
    const aborted = failure({ subtype: 'error_during_execution', terminal_reason: 'aborted_tools' });
    expect(outcome({ stop })).toBe(expected);
    expect(outcome({ stop, lines: [aborted] })).toBe(expected);
    expect(outcome({ stop, end: { kind: 'exited', code: 143 } })).toBe(expected);
  });

  test('for going on after its result is judged by the result, also when that is an error', () => {
    expect(outcome({ stop: 'lingering', lines: [GOOD] })).toBe('succeeded');
    const lines = [failure({ ...API_ERROR, api_error_status: 500 })];
    expect(outcome({ stop: 'lingering', lines })).toBe('provider-down');
  });

  test('leaves behind what it has come to', () => {
    expect(judged({ stop: 'idle', hasProgressed: true })).toMatchObject({ left: { session: true, progress: true } });
    const stream = { ...STREAM_START };
    expect(judgeStep({ ...evidence(), stream })).toMatchObject({ left: { session: false, progress: false } });
  });
});

const evidence = (): StepEvidence => ({
  stream: STREAM_START,
  watch: { stop: 'no-first-event', hasProgressed: false },
  end: { kind: 'aborted' },
  stderr: '',
  nonce: 'n-1',
  isResumed: false,
  requests: 0,
  trouble: null,
});

describe('a session that is gone', () => {
  const gone = failure({ subtype: 'error_during_execution', errors: ['No conversation found with session ID: s-1'] });

  test('is one that was to be resumed and ended before it asked anything', () => {
    expect(outcome({ lines: [gone], isResumed: true, requests: 0 })).toBe('session-lost');
  });

  test.each<[string, Story]>([
    ['begun', { isResumed: false, requests: 0 }],
    ['that asked the model', { isResumed: true, requests: 1 }],
    ['that heard from the model', { isResumed: true, requests: 0, lines: [SAID, gone] }],
  ])('is not one %s, whatever it says', (_, story) => {
    expect(outcome({ lines: [gone], ...story })).toBe('failed');
  });
});

test('tools that were denied are told with a run that came to nothing', () => {
  const denials = [{ tool_name: 'Write' }, { tool_name: 7 }, 'Bash'];
  const lines = [JSON.stringify({ type: 'result', is_error: false, permission_denials: denials })];
  expect(judged({ lines })).toEqual({ kind: 'no-op', missing: null, denied: ['Write'] });
});
