import { describe, expect, test } from '@jest/globals';
import { creditTooLow, fail, promptTooLong, rateLimit, usageLimit } from '../src/script/fail.js';
import { empty, maxTokens, refuse, say } from '../src/script/say.js';
import type { Turn } from '../src/script/turn.js';
import { always, ask, modelStarter, stream } from './support/test-model.js';

const startModel = modelStarter();

const failures: [string, Turn, number, string, RegExp][] = [
  ['a bad request', fail(400), 400, 'invalid_request_error', /not valid/],
  [
    'a prompt that is too long',
    promptTooLong(),
    400,
    'invalid_request_error',
    /^prompt is too long: \d+ tokens > \d+ maximum/,
  ],
  ['no credit left', creditTooLow(), 400, 'invalid_request_error', /^Your credit balance is too low/],
  ['a wrong key', fail(401), 401, 'authentication_error', /invalid x-api-key/],
  ['a billing problem', fail(402), 402, 'billing_error', /billing/],
  ['a forbidden key', fail(403), 403, 'permission_error', /permission/],
  ['an unknown model', fail(404), 404, 'not_found_error', /^model: claude-opus-5-5$/],
  ['a request that is too large', fail(413), 413, 'request_too_large', /maximum size/],
  ['a rate limit', fail(429), 429, 'rate_limit_error', /rate limit/],
  ['an internal error', fail(500), 500, 'api_error', /Internal server error/],
  ['a timeout', fail(504), 504, 'timeout_error', /timed out/],
  ['an overload', fail(529), 529, 'overloaded_error', /^Overloaded$/],
  ['a text of its own', fail(529, { message: 'Busy, come back.' }), 529, 'overloaded_error', /^Busy, come back\.$/],
];

describe.each(failures)('%s', (_name, turn, status, type, message) => {
  test.each([true, false])(`answers ${status} in the API's shape (streamed: %s)`, async (streamed) => {
    const model = await startModel([always(turn)]);
    const response = streamed ? await stream(model) : await ask(model);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type, message: expect.stringMatching(message) },
      request_id: response.headers.get('request-id'),
    });
  });
});

test('a rate limit may say when to come back', async () => {
  const model = await startModel([always(rateLimit({ retryAfterSeconds: 20 }))]);
  const { status, headers } = await ask(model);
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toBe('20');
  expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
  expect(headers.get('anthropic-ratelimit-requests-reset')).toBe(new Date(model.clock.now() + 20_000).toISOString());
});

describe("a subscription's usage limit", () => {
  test('names the five-hour window and its reset in Unix seconds', async () => {
    const resetAt = Date.UTC(2026, 0, 5, 12, 0, 0);
    const model = await startModel([always(usageLimit({ resetAt }))]);
    const { status, headers } = await ask(model);
    expect(status).toBe(429);
    expect(headers.get('anthropic-ratelimit-unified-status')).toBe('rejected');
    expect(headers.get('anthropic-ratelimit-unified-reset')).toBe(String(resetAt / 1000));
    expect(headers.get('anthropic-ratelimit-unified-representative-claim')).toBe('five_hour');
    expect(headers.get('anthropic-ratelimit-unified-5h-status')).toBe('rejected');
    expect(headers.get('anthropic-ratelimit-unified-7d-status')).toBe('allowed');
    expect(headers.get('retry-after')).toBe(String((resetAt - model.clock.now()) / 1000));
  });

  test('names the weekly window, with a reset counted from the answer', async () => {
    const model = await startModel([always(usageLimit({ resetInSeconds: 7200, claim: 'seven_day' }))]);
    model.clock.advance(5000);
    const { headers } = await ask(model);
    expect(headers.get('anthropic-ratelimit-unified-representative-claim')).toBe('seven_day');
    expect(headers.get('anthropic-ratelimit-unified-7d-status')).toBe('rejected');
    expect(headers.get('anthropic-ratelimit-unified-reset')).toBe(String(model.clock.now() / 1000 + 7200));
    expect(headers.get('retry-after')).toBe('7200');
  });
});

test('headers of its own are sent with a failure', async () => {
  const model = await startModel([always(fail(429, { headers: { 'anthropic-ratelimit-tokens-remaining': '0' } }))]);
  expect((await ask(model)).headers.get('anthropic-ratelimit-tokens-remaining')).toBe('0');
});

test.each([
  ['a refusal', refuse(), 'refusal', 1],
  ['an answer that hits max_tokens', maxTokens('Half a'), 'max_tokens', 1],
  ['an empty message', empty(), 'end_turn', 0],
])('%s is a message with that stop reason', async (_name, turn, stopReason, blocks) => {
  const model = await startModel([always(turn)]);
  const message = (await (await ask(model)).json()) as { stop_reason: string; content: unknown[] };
  expect(message).toMatchObject({ type: 'message', stop_reason: stopReason });
  expect(message.content).toHaveLength(blocks);
});

describe('clients that try again', () => {
  test('meet a failure as often as it says, then the next turn', async () => {
    const model = await startModel([always(fail(529, { times: 2 }), fail(500), say('At last.'))]);
    const statuses = [await ask(model), await ask(model), await ask(model), await ask(model)].map(
      (answer) => answer.status,
    );
    expect(statuses).toEqual([529, 529, 500, 200]);
  });

  test('meet a failure that ends the script for ever', async () => {
    const model = await startModel([always(say('First.'), fail(529))]);
    const statuses = [await ask(model), await ask(model), await ask(model), await ask(model)].map(
      (answer) => answer.status,
    );
    expect(statuses).toEqual([200, 529, 529, 529]);
  });
});
