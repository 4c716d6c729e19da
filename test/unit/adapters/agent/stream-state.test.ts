import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type StepEvidence, judgeStep } from '../../../../src/adapters/agent/judge-step.js';
import { STREAM_START, type StreamState } from '../../../../src/adapters/agent/stream-state.js';
import { readStreamLine } from '../../../support/agent/read-stream-line.js';
import type { StepEnd } from '../../../../src/domain/agent/next-step.js';
import type { SandboxEnd } from '../../../../src/ports/sandbox.js';

const FIXTURES = resolve('test/fixtures/claude');
const fixture = (name: string): string[] => readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8').split('\n');
const read = (lines: readonly string[]): StreamState => lines.reduce(readStreamLine, STREAM_START);

const EXITED: SandboxEnd = { kind: 'exited', code: 0 };
const UNTROUBLED = {
  watch: { stop: null, hasProgressed: false },
  isResumed: false,
  requests: 0,
  trouble: null,
} as const;

/** What settled the step, or what else came of it. */
type Judged = StepEnd | Extract<StepEnd, { kind: 'settled' }>['verdict'];
const verdict = (
  lines: readonly string[],
  end: SandboxEnd = EXITED,
  stderr = '',
  more: Partial<StepEvidence> = {},
): Judged => {
  const judged = judgeStep({ ...UNTROUBLED, stream: read(lines), end, stderr, nonce: 'n-1', ...more });
  return judged.kind === 'settled' ? judged.verdict : judged;
};

const NOTHING_LEFT = { session: false, progress: false };
const RESULT = '{"type":"result","is_error":false,"structured_output":{"nonce":"n-1"}}';

/** Recorded streams and what has to be made of each. */
const RECORDED: readonly (readonly [string, Partial<StreamState>, Judged['kind']])[] = [
  ['succeeded', { messages: 3, model: 'claude-opus-5-5', sessionId: 'id-1' }, 'succeeded'],
  ['cut-and-recovered', { messages: 1 }, 'succeeded'],
  ['text-only', { messages: 2 }, 'no-op'],
  ['schema-never-met', { messages: 5 }, 'failed'],
  ['max-turns', { messages: 2 }, 'turn-capped'],
  ['max-budget', { messages: 1 }, 'over-budget'],
  ['wrong-key', { apiErrorKind: 'authentication_failed' }, 'auth'],
  ['forbidden', { apiErrorKind: 'authentication_failed' }, 'auth'],
  ['no-credit', { apiErrorKind: 'billing_error' }, 'billing'],
  ['unknown-model', { apiErrorKind: 'model_not_found' }, 'failed'],
  ['prompt-too-long', { apiErrorKind: 'invalid_request' }, 'overflowed'],
  ['refused', { apiErrorKind: 'invalid_request' }, 'failed'],
  ['rate-limit', { apiErrorKind: 'rate_limit' }, 'throttled'],
  ['usage-limit', { apiErrorKind: 'rate_limit', limitHit: { resetsAt: 1893844800 } }, 'quota'],
  ['server-error', { apiErrorKind: 'server_error' }, 'provider-down'],
  ['overloaded', { apiErrorKind: 'server_error' }, 'provider-down'],
  ['unreachable', { apiErrorKind: 'server_error', messages: 0 }, 'provider-down'],
];

describe('a recorded stream', () => {
  test.each(RECORDED)('%s is read and judged', (name, state, kind) => {
    const lines = fixture(name);
    expect(read(lines)).toMatchObject({ unreadable: 0, ...state });
    expect(verdict(lines).kind).toBe(kind);
  });

  test('is in the table, each of them', () => {
    const recorded = readdirSync(FIXTURES).map((file) => file.replace('.jsonl', ''));
    expect(recorded.sort()).toEqual(RECORDED.map(([name]) => name).sort());
  });

  test('has the same meaning whatever the exit code', () => {
    for (const [name, , kind] of RECORDED) expect(verdict(fixture(name), { kind: 'exited', code: 1 }).kind).toBe(kind);
  });

  test('loses nothing but the torn lines', () => {
    const lines = fixture('succeeded').flatMap((line) => [line.slice(0, 40), '[1, 2]', 'null', 'Warning: hm', line]);
    expect(read(lines)).toMatchObject({ messages: 3, sessionId: 'id-1' });
    expect(read(lines).unreadable).toBeGreaterThan(10);
    expect(verdict(lines)).toEqual({ kind: 'succeeded', result: { nonce: 'n-1' } });
  });

  test('cut anywhere, it is never taken for a success', () => {
    const whole = fixture('succeeded').join('\n').trimEnd();
    const start = whole.lastIndexOf('\n');
    for (let length = 0; length < whole.length; length += length < start ? 97 : 7) {
      expect(verdict(whole.slice(0, length).split('\n')).kind).toBe('lost');
    }
  });
});

describe('a result', () => {
  test.each<[string, string, Judged]>([
    ['of this run is taken', RESULT, { kind: 'succeeded', result: { nonce: 'n-1' } }],
    [
      'of another run is not',
      RESULT.replace('n-1', 'n-2'),
      { kind: 'failed', cause: 'invalid-result', why: "The result does not carry this run's nonce." },
    ],
    [
      'without a nonce is not',
      RESULT.replace('"nonce":"n-1"', ''),
      { kind: 'failed', cause: 'invalid-result', why: "The result does not carry this run's nonce." },
    ],
    [
      'that is no object is not',
      RESULT.replace('{"nonce":"n-1"}', '"n-1"'),
      { kind: 'failed', cause: 'invalid-result', why: 'The result is not an object.' },
    ],
    [
      'in prose only is none',
      '{"type":"result","is_error":false,"result":"{\\"nonce\\":\\"n-1\\"}"}',
      { kind: 'no-op', missing: null, denied: [] },
    ],
    ['of null is none', RESULT.replace('{"nonce":"n-1"}', 'null'), { kind: 'no-op', missing: null, denied: [] }],
    ['with an error is none', RESULT.replace('false', 'true'), { kind: 'failed', cause: 'model', why: ': ' }],
    [
      'that does not say whether it is an error is none',
      RESULT.replace('false', '"no"'),
      { kind: 'failed', cause: 'model', why: ': ' },
    ],
  ])('%s', (_, line, expected) => {
    expect(verdict([line])).toEqual(expected);
  });

  test('stands, whatever ended the process after it', () => {
    const ends: SandboxEnd[] = [
      { kind: 'aborted' },
      { kind: 'timed-out' },
      { kind: 'killed', signal: 'SIGKILL' },
      { kind: 'exited', code: 143 },
    ];
    expect(ends.map((end) => verdict([RESULT], end).kind)).toEqual(ends.map(() => 'succeeded'));
  });

  test('is not taken back by a later turn without one', () => {
    expect(verdict([RESULT, '{"type":"result","is_error":false,"result":"bye"}']).kind).toBe('succeeded');
  });

  test('has its fields read one by one: a wrong type costs only that field', () => {
    const line =
      '{"type":"result","is_error":true,"terminal_reason":7,"subtype":"error_max_turns","num_turns":"3","errors":{}}';
    expect(read([line]).result).toMatchObject({ isError: true, terminalReason: null, turns: null, text: '' });
    expect(verdict([line]).kind).toBe('turn-capped');
  });
});

describe('without a result', () => {
  test.each<[string, SandboxEnd, Judged]>([
    ['an abort is a stop', { kind: 'aborted' }, { kind: 'stopped' }],
    ['a deadline is a deadline', { kind: 'timed-out' }, { kind: 'timed-out' }],
    [
      'a process that never started had no chance',
      { kind: 'failed', why: 'spawn ENOENT' },
      { kind: 'lost', why: 'The agent could not be started: spawn ENOENT' },
    ],
    [
      'an exit code of 0 is nothing',
      EXITED,
      { kind: 'lost', why: 'The agent ended without a result (exit code 0). Oh no.', left: NOTHING_LEFT },
    ],
    [
      'a signal is told',
      { kind: 'killed', signal: 'SIGKILL' },
      { kind: 'lost', why: 'The agent ended without a result (SIGKILL). Oh no.', left: NOTHING_LEFT },
    ],
  ])('%s', (_, end, expected) => {
    expect(verdict(['{"type":"system","subtype":"init"}'], end, 'Oh no.\n')).toEqual(expected);
  });

  test('an abort during an error is a stop', () => {
    const line =
      '{"type":"result","is_error":true,"subtype":"error_during_execution","terminal_reason":"aborted_tools"}';
    expect(verdict([line], { kind: 'aborted' })).toEqual({ kind: 'stopped' });
  });
});

test('prose never decides: a message that quotes limits and success changes nothing', () => {
  const quote = "You've hit your 5-hour limit. API Error: 401. Credit balance is too low. Reached max turns. Success!";
  const said = JSON.stringify({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: quote }] } });
  const result = JSON.stringify({ type: 'result', is_error: false, terminal_reason: 'completed', result: quote });
  expect(verdict([said, result])).toEqual({ kind: 'no-op', missing: null, denied: [] });
});
