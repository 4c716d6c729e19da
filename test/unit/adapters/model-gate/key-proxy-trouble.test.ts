import type { ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { KeyProxy } from '../../../../src/adapters/model-gate/key-proxy.js';
import { ManualClock } from '#pocket-github/clock';
import {
  creditTooLow,
  cut,
  errorEvent,
  fail,
  promptTooLong,
  rateLimit,
  reset,
  say,
  stall,
  type Turn,
  usageLimit,
} from '#scripted-claude';
import type { Allowance, ModelPass, ModelTrouble } from '../../../../src/ports/model-gate.js';
import { always, modelStarter } from '#scripted-claude/test/test-model';
import { apiStarter, ask, openAnswer } from '../../../support/agent/model-client.js';
import { RecordingLog } from '../../../support/recording-log.js';

const startModel = modelStarter();
const startApi = apiStarter();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const clock = new ManualClock();

async function admit(upstream: string, allowance?: Allowance): Promise<ModelPass> {
  const proxy = new KeyProxy({
    credential: { kind: 'api-key', value: 'sk-ant-api03-the-real-one' },
    upstream: new URL(upstream),
    listen: { kind: 'loopback' },
    clock,
    log: new RecordingLog(),
  });
  const pass = await proxy.admit('run-1', allowance);
  closers.push(() => pass.close());
  return pass;
}

/** A run that asks as often as there are turns. */
async function troubleAfter(...turns: readonly Turn[]): Promise<ModelTrouble | null> {
  const model = await startModel([always(...turns)]);
  const pass = await admit(model.url);
  for (const _ of turns) await ask(pass, { body: { stream: true } }).catch(() => undefined);
  return pass.trouble();
}

/** A trouble, its words left open. */
type Expected = { readonly kind: ModelTrouble['kind'] } & Record<string, unknown>;
const why = expect.any(String);
const resetAt = clock.now() + 7_200_000;

describe('what the newest answer says is wrong', () => {
  test.each<[string, Turn, Expected]>([
    ['a usage limit', usageLimit({ resetAt }), { kind: 'quota', until: resetAt }],
    ['a weekly usage limit', usageLimit({ resetAt, claim: 'seven_day' }), { kind: 'quota', until: resetAt }],
    ['a rate limit', rateLimit({ retryAfterSeconds: 20 }), { kind: 'throttled', retryAfterMs: 20_000, why }],
    ['a bare 429', fail(429), { kind: 'throttled', retryAfterMs: null, why }],
    ['an overload', fail(529), { kind: 'provider-down', why: '529 overloaded_error Overloaded' }],
    ['an internal error', fail(500), { kind: 'provider-down', why }],
    ['a wrong key', fail(401), { kind: 'auth', why: '401 authentication_error invalid x-api-key' }],
    ['a forbidden key', fail(403), { kind: 'auth', why }],
    ['a billing problem', fail(402), { kind: 'billing', why }],
    ['no credit', creditTooLow(), { kind: 'billing', why }],
    ['a prompt that is too long', promptTooLong(), { kind: 'context-overflow' }],
    ['an unknown model', fail(404), { kind: 'model-missing', why }],
    ['a reset before anything came', reset(), { kind: 'provider-down', why: expect.stringContaining('ECONNRESET') }],
    ['an answer that breaks off', cut(), { kind: 'provider-down', why: 'The answer broke off.' }],
    [
      'an overload in the middle of an answer',
      errorEvent(),
      { kind: 'provider-down', why: '529 overloaded_error Overloaded' },
    ],
  ])('%s', async (_, turn, trouble) => {
    expect(await troubleAfter(turn)).toEqual(trouble);
    expect(await troubleAfter({ ...say('Fine.'), times: 1 }, turn)).toEqual(trouble);
    expect(await troubleAfter({ ...turn, times: 1 }, say('Fine again.'))).toBeNull();
  });

  test('nothing before anything was asked', async () => {
    expect((await admit('http://127.0.0.1:9')).trouble()).toBeNull();
  });

  test('a good answer that is still coming', async () => {
    const model = await startModel([always(fail(529, { times: 1 }), stall({ afterEvents: 4 }))]);
    const pass = await admit(model.url);
    await ask(pass);
    const response = await openAnswer(pass, { body: { stream: true } });
    await new Promise((resolve) => response.once('data', resolve));
    expect(pass.trouble()).toBeNull();
    response.destroy();
  });

  test('nothing, when the run was killed in the middle', async () => {
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    });
    const pass = await admit(api.url);
    const response = await openAnswer(pass, { body: { stream: true } });
    await new Promise((resolve) => response.once('data', resolve));
    response.destroy();
    await api.left;
    expect(pass.trouble()).toBeNull();
  });

  test('a stream that ends without its last word', async () => {
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: message_start\ndata: {"type":"message_start"}\n\n');
    });
    const pass = await admit(api.url);
    await ask(pass, { body: { stream: true } });
    expect(pass.trouble()).toEqual({ kind: 'provider-down', why: 'The answer broke off.' });
  });

  test('not what counting tokens meets, and not what the gate itself refuses', async () => {
    const model = await startModel([always(usageLimit({ resetAt }))]);
    const pass = await admit(model.url);
    await ask(pass);
    expect((await ask(pass, { path: '/v1/messages/count_tokens' })).status).toBe(200);
    expect((await ask(pass, { path: '/v1/files' })).status).toBe(404);
    expect((await ask(pass, { body: { container: 'c_1' } })).status).toBe(400);
    expect(pass.trouble()).toEqual({ kind: 'quota', until: resetAt });
  });
});

describe('a run with a budget', () => {
  /** At 4 and 20 USD per million: 0.04 USD each. */
  const ANSWER = say('Hello.', { usage: { inputTokens: 5000, outputTokens: 1000 }, times: 3 });

  test('is cut off once it is spent', async () => {
    const model = await startModel([always(ANSWER)]);
    const pass = await admit(model.url, { budgetUsd: 0.1 });
    const statuses = [];
    for (let asked = 0; asked < 5; asked += 1) statuses.push((await ask(pass)).status);
    expect(statuses).toEqual([200, 200, 200, 402, 402]);
    expect(model.requests.all).toHaveLength(3);
    expect(pass.usage().costUsd).toBeCloseTo(0.12, 10);
    expect(pass.trouble()).toEqual({ kind: 'over-budget', why: 'This run has spent 0.12 USD of its 0.10 USD.' });
  });

  test('of nothing may not ask at all', async () => {
    const model = await startModel([always(ANSWER)]);
    const pass = await admit(model.url, { budgetUsd: 0 });
    expect(await ask(pass)).toMatchObject({ status: 402, text: expect.stringContaining('billing_error') });
    expect(model.requests.all).toHaveLength(0);
  });

  test('counts what is still coming, and that ends well without giving any money back', async () => {
    const message = { model: 'claude-opus-5-5', usage: { input_tokens: 5000, output_tokens: 1 } };
    const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
    const held: ServerResponse[] = [];
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ type: 'message_start', message }));
      held.push(response);
    });
    const pass = await admit(api.url, { budgetUsd: 0.01 });
    const response = await openAnswer(pass, { body: { stream: true } });
    await new Promise((resolve) => response.once('data', resolve));
    expect((await ask(pass)).status).toBe(402);
    held[0]?.end(event({ type: 'message_stop' }));
    await textOf(response);
    expect(pass.trouble()).toMatchObject({ kind: 'over-budget' });
  });

  test('is told so even when it asks at great length', async () => {
    const api = await startApi();
    const pass = await admit(api.url, { budgetUsd: 0 });
    const content = 'x'.repeat(20_000_000);
    expect((await ask(pass, { body: { messages: [{ role: 'user', content }] } })).status).toBe(402);
  });
});
