import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { costOf } from '../../../src/adapters/model-gate/usage/model-prices.js';
import type { ModelPass } from '../../../src/ports/model-gate.js';
import { openKeyProxy } from '../../support/agent/key-proxy-fixture.js';
import { apiStarter, ask, openAnswer, type TestApi } from '../../support/agent/model-client.js';
import { until } from '../../support/until.js';

/* An agent that wants to spend more than its run was given. */

const startApi = apiStarter();

interface Sent {
  readonly model: string;
  readonly max_tokens: number;
  readonly thinking?: { readonly budget_tokens: number };
}

const bodyOf = (seen: TestApi['seen'][number] | undefined): Sent => JSON.parse(seen?.body ?? '{}') as Sent;

/** The dearest answer there is to a request: a token for each byte, and all the tokens that it allows. */
function dearest(seen: TestApi['seen'][number]) {
  const { model, max_tokens: output } = bodyOf(seen);
  const tokens = { input: seen.body.length, output, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
  const usage = { input_tokens: tokens.input, output_tokens: output };
  return { text: JSON.stringify({ model, usage }), usd: costOf(model, tokens) };
}

/** An API that holds its answers back until it is told to give them. */
async function startSlowApi() {
  const held: { readonly index: number; readonly response: ServerResponse }[] = [];
  const counts = { asked: 0, most: 0, under: 0, usd: 0, dearest: 0 };
  const api = await startApi((response) => {
    held.push({ index: counts.asked, response });
    counts.asked += 1;
    counts.under += 1;
    counts.most = Math.max(counts.most, counts.under);
    response.once('close', () => (counts.under -= 1));
  });
  const answer = (): boolean => {
    const next = held.shift();
    const seen = next === undefined ? undefined : api.seen[next.index];
    if (next === undefined || seen === undefined) return false;
    const { text, usd } = dearest(seen);
    counts.usd += usd;
    counts.dearest = Math.max(counts.dearest, usd);
    next.response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return true;
  };
  return { api, counts, answer };
}

/** Asks so often at once; the answers' statuses, 0 where the connection was refused. */
function askAtOnce(pass: ModelPass, times: number, body: Record<string, unknown>): Promise<number[]> {
  const asking = Array.from({ length: times }, () =>
    ask(pass, { body }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  return Promise.all(asking);
}

describe('a hundred requests at once (D3)', () => {
  test.each([1000, 32_000, 128_000])('cost no more than the budget and one answer (%d tokens each)', async (tokens) => {
    const { api, counts, answer } = await startSlowApi();
    const pass = await openKeyProxy(api.url).admit('run-1', 1);
    const over = { yet: false };
    const asking = askAtOnce(pass, 100, { max_tokens: tokens }).finally(() => (over.yet = true));
    await until('all are answered', () => {
      answer();
      return over.yet;
    });
    await asking;
    expect(counts.asked).toBeGreaterThan(0);
    expect(counts.usd).toBeLessThanOrEqual(1 + counts.dearest);
    expect(pass.usage().costUsd).toBeCloseTo(counts.usd, 8);
  });

  test('reach the API four at a time', async () => {
    const { api, counts, answer } = await startSlowApi();
    const { admit, proxy } = openKeyProxy(api.url);
    const pass = await admit();
    const asking = askAtOnce(pass, 100, {});
    await until('the line is full', () => proxy.load().connections.now === 24);
    await until('four are under way', () => counts.under === 4);
    const over = { yet: false };
    const statuses = asking.finally(() => (over.yet = true));
    await until('all are answered', () => {
      answer();
      return over.yet;
    });
    expect(counts.most).toBe(4);
    expect((await statuses).filter((status) => status === 200).length).toBeGreaterThanOrEqual(24);
  });
});

test('an answer may be as long as what is left pays for, and thinking leaves room for it', async () => {
  const api = await startApi();
  const pass = await openKeyProxy(api.url).admit('run-1', 1);
  const thinking = { type: 'enabled', budget_tokens: 99_999 };
  await ask(pass, { body: { max_tokens: 100_000, thinking } });
  const sent = bodyOf(api.seen[0]);
  // 1 USD at 20 USD per million, less what the input can cost.
  expect(sent.max_tokens).toBeLessThanOrEqual(50_000);
  expect(sent.max_tokens).toBeGreaterThan(49_000);
  expect(sent.thinking?.budget_tokens).toBe(sent.max_tokens - 1024);
});

test('while a cent is left one request goes through, however long the conversation is', async () => {
  const api = await startApi();
  const pass = await openKeyProxy(api.url).admit('run-1', 0.01);
  const messages = [{ role: 'user', content: 'word '.repeat(200_000) }];
  expect((await ask(pass, { body: { max_tokens: 64_000, messages } })).status).toBe(200);
  expect(bodyOf(api.seen[0]).max_tokens).toBe(8192);
});

test('next to one that may use all that is left, another request waits until it is over', async () => {
  const { api, counts, answer } = await startSlowApi();
  const pass = await openKeyProxy(api.url).admit('run-1', 1);
  const first = ask(pass, { body: { max_tokens: 128_000 } });
  await until('the first is under way', () => counts.asked === 1);
  const others = askAtOnce(pass, 3, { max_tokens: 128_000 });
  const over = { yet: false };
  const statuses = others.finally(() => (over.yet = true));
  await until('all are answered', () => {
    answer();
    return over.yet;
  });
  expect((await first).status).toBe(200);
  // The first left a little, which one more may use.
  expect((await statuses).toSorted((a, b) => a - b)).toEqual([200, 402, 402]);
  expect(counts.most).toBe(1);
});

describe('requests that are cut before their first byte (D4)', () => {
  /** Asks, and goes away as soon as the API has the request; `false` when it was refused instead. */
  async function askAndCut(pass: ModelPass, api: TestApi, body: Record<string, unknown>): Promise<boolean> {
    const before = api.seen.length;
    const gone = new AbortController();
    const refused = { yet: false };
    const answer = openAnswer(pass, { body, signal: gone.signal }).then(
      () => (refused.yet = true),
      () => undefined,
    );
    await until('the API has it, or it is refused', () => api.seen.length > before || refused.yet);
    gone.abort();
    await answer;
    return !refused.yet;
  }

  const messages = [{ role: 'user', content: 'x'.repeat(4000) }];

  /** An API that never answers, and how many have gone away from it: what a request costs is counted before that is seen. */
  async function startSilentApi() {
    const left = { times: 0 };
    const api = await startApi((response) => void response.once('close', () => (left.times += 1)));
    return { api, left };
  }

  test('are counted, all two hundred of them', async () => {
    const { api, left } = await startSilentApi();
    const pass = await openKeyProxy(api.url).admit();
    for (let cut = 0; cut < 200; cut += 1) await askAndCut(pass, api, { messages, stream: true });
    await until('the last one is called off', () => left.times === 200);
    expect(pass.usage()).toMatchObject({ requests: 200, models: ['claude-opus-5-5'] });
    expect(pass.usage().inputTokens).toBeGreaterThanOrEqual(200 * 4000);
    // At 4 USD per million.
    expect(pass.usage().costUsd).toBeGreaterThanOrEqual(200 * 4000 * 0.000_004);
  });

  test('use up the budget', async () => {
    const api = await startApi(() => undefined);
    const pass = await openKeyProxy(api.url).admit('run-1', 0.2);
    const passed: boolean[] = [];
    for (let cut = 0; cut < 40; cut += 1) passed.push(await askAndCut(pass, api, { messages, stream: true }));
    const usd = api.seen.reduce((sum, seen) => sum + seen.body.length * 0.000_004, 0);
    expect(usd).toBeLessThanOrEqual(0.2 + 0.04);
    expect(passed.slice(-10)).toEqual(Array.from({ length: 10 }, () => false));
    expect(pass.trouble()).toMatchObject({ kind: 'over-budget' });
  });

  test('count for the whole answer where it is not streamed: it may be made already', async () => {
    const { api, left } = await startSilentApi();
    const pass = await openKeyProxy(api.url).admit();
    await askAndCut(pass, api, { messages, max_tokens: 50_000, stream: false });
    await until('it is called off', () => left.times === 1);
    expect(pass.usage()).toMatchObject({ outputTokens: 50_000 });
  });

  test('count as well when the agent goes away between the head of the answer and its first word', async () => {
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
    });
    const pass = await openKeyProxy(api.url).admit();
    const response = await openAnswer(pass, { body: { messages, stream: true } });
    response.once('error', () => undefined);
    response.destroy();
    await api.left;
    expect(pass.usage().inputTokens).toBeGreaterThanOrEqual(4000);
  });

  test('count for what the model can have thought unseen, when they are cut in the middle', async () => {
    const message = { model: 'claude-opus-5-5', usage: { input_tokens: 1000, output_tokens: 1 } };
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ type: 'message_start', message })}\n\n`);
    });
    const { admit, clock } = openKeyProxy(api.url);
    const pass = await admit();
    const response = await openAnswer(pass, { body: { messages, stream: true, max_tokens: 64_000 } });
    await new Promise((resolve) => response.once('data', resolve));
    clock.advance(60_000);
    response.once('error', () => undefined);
    response.destroy();
    await api.left;
    expect(pass.usage()).toMatchObject({ inputTokens: 1000, outputTokens: 12_000 });
  });

  test('cost nothing when the API was never reached or refused them', async () => {
    const unreached = await openKeyProxy('http://127.0.0.1:9').admit();
    await ask(unreached, { body: { messages } });
    expect(unreached.usage().costUsd).toBe(0);
    const api = await startApi((response) => void response.writeHead(529).end('{}'));
    const refused = await openKeyProxy(api.url).admit();
    await ask(refused, { body: { messages } });
    expect(refused.usage().costUsd).toBe(0);
  });

  test('do not keep the money that was set aside for them', async () => {
    const { api, counts, answer } = await startSlowApi();
    const pass = await openKeyProxy(api.url).admit('run-1', 1);
    const gone = new AbortController();
    const first = openAnswer(pass, { body: { max_tokens: 128_000, stream: true }, signal: gone.signal }).catch(String);
    await until('the first is under way', () => counts.asked === 1);
    const second = ask(pass, { body: { max_tokens: 20_000 } });
    gone.abort();
    await first;
    await until('the second is under way', () => counts.asked === 2);
    while (answer());
    expect((await second).status).toBe(200);
  });
});
