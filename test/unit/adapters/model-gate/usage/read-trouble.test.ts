import { describe, expect, test } from '@jest/globals';
import { readStreamError, readTrouble } from '../../../../../src/adapters/model-gate/usage/read-trouble.js';
import type { ModelTrouble } from '../../../../../src/ports/model-gate.js';

const NOW = Date.UTC(2026, 2, 24, 12, 0, 0);
const HOUR = 3_600_000;
const unified = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]));
const seconds = (time: number): string => String(time / 1000);
/** A trouble, its words left open. */
type Expected = { readonly kind: ModelTrouble['kind'] } & Record<string, unknown>;
const why = expect.any(String);

/** Shapes the API is known to answer with: status, headers, the error's type and message. */
const ANSWERS: [string, number, Record<string, string>, string, string, Expected | null][] = [
  ['a good answer', 200, unified({ status: 'allowed_warning' }), '', '', null],
  [
    'a good answer out of what is paid on top',
    200,
    unified({ status: 'rejected', 'overage-in-use': 'true' }),
    '',
    '',
    null,
  ],
  [
    'a five-hour limit',
    429,
    unified({ status: 'rejected', reset: seconds(NOW + HOUR), 'representative-claim': 'five_hour' }),
    'rate_limit_error',
    "This request would exceed your account's rate limit. Please try again later.",
    { kind: 'quota', until: NOW + HOUR },
  ],
  [
    'a limit whose reset is in milliseconds',
    429,
    unified({ status: 'rejected', reset: String(NOW + HOUR) }),
    '',
    '',
    { kind: 'quota', until: NOW + HOUR },
  ],
  [
    'a limit whose reset is a date',
    429,
    unified({ status: 'rejected', reset: new Date(NOW + HOUR).toISOString() }),
    '',
    '',
    { kind: 'quota', until: NOW + HOUR },
  ],
  [
    'a limit that should be over by now, with better advice',
    429,
    { ...unified({ status: 'rejected', reset: seconds(NOW - HOUR) }), 'retry-after': '60' },
    '',
    '',
    { kind: 'quota', until: NOW + 60_000 },
  ],
  [
    'a limit without a readable reset',
    429,
    unified({ status: 'rejected', reset: 'soon' }),
    '',
    '',
    { kind: 'quota', until: null },
  ],
  [
    'the limit an organisation set itself',
    400,
    {},
    'invalid_request_error',
    'You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.',
    { kind: 'quota', until: Date.UTC(2026, 3, 1) },
  ],
  [
    'the limit of a workspace, without a date',
    400,
    {},
    'invalid_request_error',
    'You have reached your specified workspace API usage limits.',
    { kind: 'quota', until: null },
  ],
  [
    'a 429 of a subscription that is not used up',
    429,
    unified({ status: 'allowed', 'overage-status': 'rejected' }),
    'rate_limit_error',
    'Rate limited',
    { kind: 'throttled', retryAfterMs: null, why: '429 rate_limit_error Rate limited' },
  ],
  ['a bare 429', 429, {}, '', '', { kind: 'throttled', retryAfterMs: null, why: '429' }],
  ['a 429 with retry-after', 429, { 'retry-after': '20' }, '', '', { kind: 'throttled', retryAfterMs: 20_000, why }],
  [
    'a 429 with retry-after as a date',
    429,
    { 'retry-after': new Date(NOW + 20_000).toUTCString() },
    '',
    '',
    { kind: 'throttled', retryAfterMs: 20_000, why },
  ],
  [
    'a 429 that names the limits of a key',
    429,
    {
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-requests-reset': new Date(NOW + HOUR).toISOString(),
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': new Date(NOW + 5000).toISOString(),
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': new Date(NOW + 9000).toISOString(),
    },
    'rate_limit_error',
    '',
    { kind: 'throttled', retryAfterMs: 9000, why },
  ],
  [
    'a long context nobody pays for',
    429,
    {},
    'rate_limit_error',
    'Extra usage is required for long context requests.',
    { kind: 'context-overflow' },
  ],
  ['a wrong key', 401, {}, 'authentication_error', 'invalid x-api-key', { kind: 'auth', why }],
  ['a key without permission', 403, {}, 'permission_error', 'no', { kind: 'auth', why }],
  ['a billing problem', 402, {}, 'billing_error', 'no', { kind: 'billing', why }],
  ['a billing problem under another status', 403, {}, 'billing_error', 'no', { kind: 'billing', why }],
  [
    'no credit left',
    400,
    {},
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API.',
    { kind: 'billing', why },
  ],
  [
    'a prompt that is too long',
    400,
    {},
    'invalid_request_error',
    'prompt is too long: 1200000 tokens > 1000000 maximum',
    { kind: 'context-overflow' },
  ],
  [
    'a prompt that leaves no room for an answer',
    400,
    {},
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000',
    { kind: 'context-overflow' },
  ],
  ['a request that is too large', 413, {}, 'request_too_large', 'Request exceeds', { kind: 'context-overflow' }],
  [
    'an unknown model',
    404,
    {},
    'not_found_error',
    'model: nope-1',
    { kind: 'model-missing', why: '404 not_found_error model: nope-1' },
  ],
  ['a request that is wrong in itself', 400, {}, 'invalid_request_error', 'messages: too few', null],
  ['an internal error', 500, {}, 'api_error', '', { kind: 'provider-down', why }],
  ['a timeout', 504, {}, 'timeout_error', '', { kind: 'provider-down', why }],
  ['an overload', 529, {}, 'overloaded_error', 'Overloaded', { kind: 'provider-down', why }],
  ['an answer that is none of the API', 302, {}, '', '', { kind: 'provider-down', why }],
];

describe('the API says', () => {
  test.each(ANSWERS)('%s', (_, status, headers, type, message, trouble) => {
    const body = type === '' ? '<html>' : JSON.stringify({ type: 'error', error: { type, message } });
    expect(readTrouble({ at: NOW, status, headers, body })).toEqual(trouble);
  });

  test('something of the wrong type, which does not lose the rest', () => {
    const body = '{"error":{"type":7,"message":"prompt is too long: 2 tokens > 1 maximum"}}';
    expect(readTrouble({ at: NOW, status: 400, headers: {}, body })).toEqual({ kind: 'context-overflow' });
  });

  test('no more to people than they can read', () => {
    const body = JSON.stringify({ error: { type: 'api_error', message: 'x'.repeat(10_000) } });
    const trouble = readTrouble({ at: NOW, status: 500, headers: {}, body });
    expect(trouble).toEqual({ kind: 'provider-down', why: expect.stringMatching(/^.{300}$/) });
  });
});

test.each<[string, Expected | null]>([
  ['overloaded_error', { kind: 'provider-down', why: '529 overloaded_error Sorry' }],
  ['api_error', { kind: 'provider-down', why }],
  ['of a kind unheard of', { kind: 'provider-down', why }],
  ['rate_limit_error', { kind: 'throttled', retryAfterMs: null, why }],
  ['authentication_error', { kind: 'auth', why }],
  ['invalid_request_error', null],
])('an error in the middle of an answer: %s', (type, trouble) => {
  expect(readStreamError(NOW, { type, message: 'Sorry' })).toEqual(trouble);
});
