import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { KeyProxy, type KeyProxyOptions } from '../../../../src/adapters/model-gate/key-proxy.js';
import { credentialId } from '../../../../src/adapters/model-gate/run-token.js';
import { ManualClock } from '#pocket-github/clock';
import { cut, fail, rateLimit, say, stall } from '#scripted-claude';
import type { ModelPass } from '../../../../src/ports/model-gate.js';
import { always, modelStarter } from '#scripted-claude/test/test-model';
import { apiStarter, ask, openAnswer, REQUEST } from '../../../support/agent/model-client.js';
import { RecordingLog } from '../../../support/recording-log.js';

const REAL_KEY = 'sk-ant-api03-the-real-one';
const USAGE = { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 5000, cacheWriteTokens: 400 };
/** 1000 in, 200 out, 5000 read from and 400 written to the cache, at 4, 20, 0.2 and 5 USD per million. */
const COST = 0.004 + 0.004 + 0.001 + 0.002;

const startModel = modelStarter();
const startApi = apiStarter();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const log = new RecordingLog();

async function admit(upstream: string, options: Partial<KeyProxyOptions> = {}): Promise<ModelPass> {
  const folder = await mkdtemp(join(tmpdir(), 'gate-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const proxy = new KeyProxy({
    credential: { kind: 'api-key', value: REAL_KEY },
    upstream: new URL(upstream),
    listen: { kind: 'sockets', folder },
    clock: new ManualClock(),
    log,
    ...options,
  });
  const pass = await proxy.admit('run-1');
  closers.push(() => pass.close());
  return pass;
}

describe('a request of a run', () => {
  test('gets through with the run’s token, and the API sees the real key', async () => {
    const model = await startModel([always(say('Hello back.'))], { apiKeys: [REAL_KEY] });
    const pass = await admit(model.url);
    expect(pass.env['ANTHROPIC_API_KEY']).toMatch(/^sk-ant-api03-[\w-]{90,}$/);
    const answer = await ask(pass);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Hello back.');
    expect(model.requests.strays).toEqual([]);
  });

  test('gets through on loopback where there is no sandbox', async () => {
    const model = await startModel([always(say('Hello back.'))], { apiKeys: [REAL_KEY] });
    const pass = await admit(model.url, { listen: { kind: 'loopback' } });
    expect(pass.mounts).toEqual([]);
    expect((await ask(pass)).status).toBe(200);
  });

  test('with a subscription uses tokens of its form', async () => {
    const model = await startModel([always(say('Hello back.'))], { apiKeys: ['sk-ant-oat01-real'] });
    const pass = await admit(model.url, { credential: { kind: 'oauth', value: 'sk-ant-oat01-real' } });
    const token = pass.env['CLAUDE_CODE_OAUTH_TOKEN'] ?? '';
    expect(token).toMatch(/^sk-ant-oat01-/);
    expect((await ask(pass, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await ask(pass, { headers: { 'x-api-key': token } })).status).toBe(401);
    expect(model.requests.all[0]?.request.credential).toBe('bearer');
  });

  test('is refused with any other token, the real key included', async () => {
    const model = await startModel([always(say('Hello back.'))], { apiKeys: [REAL_KEY] });
    const [pass, other] = [await admit(model.url), await admit(model.url)];
    for (const key of ['', 'sk-ant-wrong', REAL_KEY, other.env['ANTHROPIC_API_KEY'] ?? '']) {
      expect((await ask(pass, { headers: { 'x-api-key': key } })).status).toBe(401);
    }
    expect([...model.requests.all, ...model.requests.strays]).toEqual([]);
  });

  test.each([
    ['GET', '/v1/messages'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1/messages/../files'],
    ['POST', '/v1/files'],
    ['GET', '/v1/models'],
    ['POST', 'http://example.com/v1/messages'],
    ['DELETE', '/v1/messages'],
  ])('to %s %s is refused', async (method, path) => {
    const api = await startApi();
    const pass = await admit(api.url);
    expect((await ask(pass, { method, path, body: method === 'GET' ? '' : {} })).status).toBe(404);
    expect(api.seen).toEqual([]);
  });

  test.each<[string, Record<string, unknown> | string]>([
    ['a tool that searches the web', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['a tool that fetches from the web', { tools: [{ name: 'Bash' }, { type: 'web_fetch_20250910', name: 'w' }] }],
    ['a tool that runs code elsewhere', { tools: [{ type: 'code_execution_20250825', name: 'c' }] }],
    ['an MCP server', { mcp_servers: [{ type: 'url', url: 'https://example.com' }] }],
    ['a container', { container: 'c_1' }],
    [
      'an image by URL',
      { messages: [userBlock({ type: 'image', source: { type: 'url', url: 'https://example.com/?x' } })] },
    ],
    [
      'a document by URL in a tool’s result',
      {
        messages: [
          userBlock({
            type: 'tool_result',
            content: [{ type: 'document', source: { type: 'url', url: 'https://example.com' } }],
          }),
        ],
      },
    ],
    ['no JSON', 'hello'],
    ['no messages', '{}'],
  ])('that would carry things out is refused: %s', async (_, body) => {
    const api = await startApi();
    const pass = await admit(api.url);
    expect((await ask(pass, { body })).status).toBe(400);
    expect(api.seen).toEqual([]);
  });

  test('passes on what the API reads and nothing else', async () => {
    const api = await startApi();
    const pass = await admit(`${api.url}/base/`);
    const image = userBlock({ type: 'image', source: { type: 'base64', data: 'AA==' } });
    const tools = [
      { name: 'Bash', input_schema: {} },
      { type: 'bash_20250124', name: 'bash' },
    ];
    const refused = {
      authorization: 'Bearer smuggled',
      cookie: 'session=1',
      'proxy-authorization': 'x',
      via: 'me',
      'anthropic-workspace-id': 'w',
      'x-claude-unheard-of': 'x',
    };
    const wanted = { 'anthropic-beta': 'claude-code-20250219,effort-2025-11-24', 'x-app': 'cli' };
    const betas = 'claude-code-20250219, fast-mode-2026-02-01, effort-2025-11-24,mcp-servers-2025-12-04';
    const headers = { ...refused, ...wanted, 'anthropic-beta': betas, 'accept-encoding': 'gzip' };
    expect((await ask(pass, { body: { messages: [image], tools }, headers })).status).toBe(200);
    expect(api.seen[0]).toMatchObject({
      url: '/base/v1/messages?beta=true',
      headers: { ...wanted, 'x-api-key': REAL_KEY, 'accept-encoding': 'identity' },
    });
    const names = Object.keys(api.seen[0]?.headers ?? {});
    expect(names.filter((name) => name in refused)).toEqual([]);
    expect(JSON.parse(api.seen[0]?.body ?? '')).toEqual({ ...REQUEST, messages: [image], tools });
  });

  test('with a key twice is refused: the API might read the other one', async () => {
    const api = await startApi();
    const pass = await admit(api.url);
    const twice = `{"model":"claude-opus-5-5","max_tokens":10,"messages":[],"max_tokens":64000}`;
    expect(await ask(pass, { body: twice })).toMatchObject({
      status: 400,
      text: expect.stringContaining('max_tokens'),
    });
    expect(api.seen).toEqual([]);
  });

  test('is passed on byte by byte as it was looked at', async () => {
    const api = await startApi();
    const pass = await admit(api.url);
    const body = ` {"messages" : [ {"role":"user","content":"\\u00e9 \\"é\\\\"} ],"max_tokens":10,"model":"claude-opus-5-5"} `;
    expect((await ask(pass, { body })).status).toBe(200);
    expect(api.seen.map((request) => request.body)).toEqual([body]);
  });

  test('to an API that cannot be reached is answered so', async () => {
    const pass = await admit('http://127.0.0.1:9');
    expect(await ask(pass)).toMatchObject({ status: 502, text: expect.stringContaining('ECONNREFUSED') });
    expect(pass.trouble()).toEqual({ kind: 'provider-down', why: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('an answer', () => {
  test('comes as it is made', async () => {
    const model = await startModel([always(stall({ afterEvents: 4 }, say('A long answer that stops in the middle.')))]);
    const pass = await admit(model.url);
    const response = await openAnswer(pass, { body: { stream: true } });
    const chunks: string[] = [];
    for await (const chunk of response) {
      chunks.push(String(chunk));
      if (chunks.join('').includes('content_block_delta')) break;
    }
    expect(chunks.join('')).toContain('message_start');
  });

  test.each([true, false])('is counted (streamed: %s)', async (stream) => {
    const model = await startModel([always(say('Hello.', { usage: USAGE, times: 2 }))]);
    const pass = await admit(model.url);
    await ask(pass, { body: { stream } });
    await ask(pass, { body: { stream } });
    const { costUsd, ...counts } = pass.usage();
    expect(counts).toEqual({
      requests: 2,
      inputTokens: 2000,
      outputTokens: 400,
      cacheReadTokens: 10_000,
      cacheWriteTokens: 800,
      models: ['claude-opus-5-5'],
    });
    expect(costUsd).toBeCloseTo(2 * COST, 10);
  });

  test('that is cut off by the API is counted as far as it came', async () => {
    const long = 'word '.repeat(200);
    const model = await startModel([always(cut({ afterEvents: 20 }, say(long, { usage: USAGE })))]);
    const pass = await admit(model.url);
    await expect(ask(pass, { body: { stream: true } })).rejects.toThrow('aborted');
    // 17 pieces of 24 characters have come through: about 102 tokens.
    expect(pass.usage()).toMatchObject({ inputTokens: 1000, outputTokens: 102, cacheReadTokens: 5000 });
  });

  test('that is torn before it says what it used is counted by its length', async () => {
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100_000 });
      response.write(`{"model":"claude-opus-5-5","content":[{"type":"text","text":"${'word '.repeat(800)}`, () =>
        response.destroy(),
      );
    });
    const pass = await admit(api.url);
    await expect(
      ask(pass, { body: { messages: [userBlock({ type: 'text', text: 'x'.repeat(4000) })] } }),
    ).rejects.toThrow();
    const { inputTokens, outputTokens, models } = pass.usage();
    expect(models).toEqual(['claude-opus-5-5']);
    expect(inputTokens).toBeGreaterThan(1000);
    expect(outputTokens).toBeGreaterThan(1000);
  });

  test('of another model than was asked for costs what that one costs', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const model = await startModel([always(fail(529, { times: 1 }), say('Hello.', { usage, times: 2 }))]);
    const pass = await admit(model.url);
    await ask(pass);
    await ask(pass, { body: { model: 'claude-sonnet-5-5' } });
    await ask(pass, { body: { model: 'claude-opus-5-5' } });
    expect(pass.usage()).toMatchObject({ models: ['claude-sonnet-5-5', 'claude-opus-5-5'], costUsd: 2 + 4 });
  });

  test('of a model without a price is counted as the most expensive one, and somebody is told once', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const model = await startModel([always(say('Hello.', { usage, times: 2 }))]);
    const own = new RecordingLog();
    const pass = await admit(model.url, { log: own });
    await ask(pass, { body: { model: 'claude-unheard-of-9' } });
    await ask(pass, { body: { model: 'claude-unheard-of-9' } });
    expect(pass.usage().costUsd).toBe(30);
    expect(own.lines).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('price'),
        fields: { run: 'run-1', model: 'claude-unheard-of-9' },
      },
    ]);
  });

  test('is told of once a run, when it is whole', async () => {
    const turns = [cut({ times: 1 }), fail(529, { times: 1 }), fail(400, { times: 1 }), say('Hello.', { times: 2 })];
    const model = await startModel([always(...turns)]);
    const told: string[] = [];
    const pass = await admit(model.url, { onAnswer: (run) => told.push(run) });
    const after: number[] = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      await ask(pass, { body: { stream: true } }).catch(() => undefined);
      after.push(told.length);
    }
    expect(after).toEqual([0, 0, 0, 1, 1]);
    expect(told).toEqual(['run-1']);
  });

  test('whose run was killed is counted, and the API is not kept busy', async () => {
    const message = { model: 'claude-opus-5-5', usage: { input_tokens: 1000, output_tokens: 1 } };
    const event = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`;
    const api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event);
    });
    const pass = await admit(api.url);
    const response = await openAnswer(pass, { body: { stream: true } });
    await new Promise((resolve) => response.once('data', resolve));
    response.once('error', () => undefined);
    await pass.close();
    await api.left;
    expect(pass.usage()).toMatchObject({ requests: 1, inputTokens: 1000, outputTokens: 1 });
  });

  test('that nobody waits for any more is called off', async () => {
    const arrived: (() => void)[] = [];
    const api = await startApi(() => arrived.forEach((tell) => tell()));
    const pass = await admit(api.url);
    const inTheMiddle = new Promise<void>((resolve) => arrived.push(resolve));
    const answer = openAnswer(pass).catch(String);
    await inTheMiddle;
    await pass.close();
    await api.left;
    expect(await answer).toContain('socket hang up');
  });

  test('of an error costs nothing, and its advice is kept', async () => {
    const model = await startModel([always(rateLimit({ retryAfterSeconds: 3600 }))]);
    const pass = await admit(model.url);
    expect((await ask(pass)).status).toBe(429);
    expect(pass.usage()).toMatchObject({ requests: 1, costUsd: 0, models: [] });
    expect(pass.trouble()).toEqual({
      kind: 'throttled',
      retryAfterMs: 3_600_000,
      why: expect.stringContaining('rate_limit_error'),
    });
  });

  test('to a count of tokens costs nothing', async () => {
    const model = await startModel([]);
    const pass = await admit(model.url);
    expect(await ask(pass, { path: '/v1/messages/count_tokens' })).toMatchObject({ status: 200 });
    expect(pass.usage().costUsd).toBe(0);
  });
});

test('a pass that is closed is gone, its socket too', async () => {
  const model = await startModel([always(say('Hello back.'))]);
  const pass = await admit(model.url);
  const socket = pass.mounts[0]?.path ?? '';
  expect(pass.mounts).toEqual([{ path: pass.env['ANTHROPIC_UNIX_SOCKET'], access: 'read' }]);
  expect(existsSync(socket)).toBe(true);
  await pass.close();
  await pass.close();
  expect(existsSync(socket)).toBe(false);
  await expect(ask(pass)).rejects.toThrow('ENOENT');
});

test('a folder too long for a socket is refused at once', async () => {
  await expect(
    admit('http://127.0.0.1:9', { listen: { kind: 'sockets', folder: `/${'x'.repeat(100)}` } }),
  ).rejects.toThrow('too long for a socket');
});

test('credentials can be told apart without being known', () => {
  const ids = [REAL_KEY, 'other'].map((value) => credentialId({ kind: 'api-key', value }));
  expect(ids).toEqual([credentialId({ kind: 'api-key', value: REAL_KEY }), expect.stringMatching(/^[0-9a-f]{12}$/)]);
  expect(ids[0]).not.toBe(ids[1]);
});

test('nothing that is logged holds a credential', async () => {
  const model = await startModel([always(fail(401))], { apiKeys: [] });
  const pass = await admit(model.url);
  const token = pass.env['ANTHROPIC_API_KEY'] ?? '';
  await ask(pass);
  await ask(pass, { headers: { 'x-api-key': REAL_KEY } });
  await ask(pass, { path: `/v1/${token}` });
  const lines = log.lines.map((line) => JSON.stringify(line));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter((line) => line.includes(REAL_KEY) || line.includes(token))).toEqual([]);
});

function userBlock(block: Record<string, unknown>): Record<string, unknown> {
  return { role: 'user', content: [block] };
}
