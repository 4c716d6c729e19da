import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { openKeyProxy } from '../../support/agent/key-proxy-fixture.js';
import { apiStarter, ask, REQUEST } from '../../support/agent/model-client.js';

/* An agent that wants the model's API to reach out in its place, or to work at another price. What it asks for is refused by name. */

const startApi = apiStarter();

const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const byUrl = (type: string) => ({ type, source: { type: 'url', url: 'https://example.com/?stolen' } });
const inDocument = (...content: unknown[]) => ({ type: 'document', source: { type: 'content', content } });
const inResult = (...content: unknown[]) => ({ type: 'tool_result', tool_use_id: 't', content });

type Body = Record<string, unknown>;

/** What the API saw of a request, and what the agent was told. */
async function tryOut(body: Body | string, headers: Record<string, string> = {}) {
  const api = await startApi();
  const pass = await openKeyProxy(api.url).admit();
  const { status, text } = await ask(pass, { body, headers });
  return { status, text, seen: api.seen };
}

describe('content that the API would fetch (D1)', () => {
  test.each<[string, Body, string]>([
    ['an image', user(byUrl('image')), 'messages[0].content[0].source.type must not be “url”'],
    ['an image in a document', user(inDocument(byUrl('image'))), 'content[0].source.content[0].source.type'],
    ['one in a tool’s result', user(inResult(inDocument(byUrl('image')))), 'content[0].content[0].source.content[0]'],
    ['one four documents deep', user(inDocument(inDocument(inDocument(byUrl('document'))))), 'must not be “url”'],
    ['a system block', { system: [byUrl('document')] }, 'system[0].source.type must not be “url”'],
    [
      'a file of the account',
      user({ type: 'document', source: { type: 'file', file_id: 'file_1' } }),
      'source.type must not be “file”',
    ],
    ['a file without a type', user({ type: 'image', source: { file_id: 'file_1' } }), 'source.file_id is not allowed'],
    ['an upload to a container', user({ type: 'container_upload', file_id: 'file_1' }), 'type must not be “container'],
    ['a type in other letters', user({ type: 'image', source: { type: 'URL', url: 'https://e.com' } }), '“URL”'],
    ['a key in other letters', user({ type: 'image', source: { type: 'base64', URL: 'https://e.com' } }), 'source.URL'],
    ['an address in a text block', user({ type: 'text', text: 'x', url: 'https://e.com' }), 'content[0].url is not'],
    [
      'an address in a message',
      { messages: [{ role: 'user', content: 'x', url: 'https://e.com' }] },
      'messages[0].url',
    ],
    ['an address in a cache mark', user({ type: 'text', text: 'x', cache_control: { url: 'u' } }), 'cache_control.url'],
    ['a search result', user({ type: 'search_result', source: 'https://e.com' }), 'type must not be “search_result”'],
    ['a tool of the API', user({ type: 'server_tool_use', id: 's', name: 'web_fetch', input: {} }), 'server_tool_use'],
  ])('is refused: %s', async (_, body, why) => {
    const { status, text, seen } = await tryOut(body);
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
    expect(JSON.parse(text)).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(why) },
    });
  });

  test('is refused when the key is written with escapes', async () => {
    const body = JSON.stringify({ ...REQUEST, ...user({ type: 'image', source: { type: 'base64', address: 'u' } }) });
    const { status, seen } = await tryOut(body.replace('address', '\\u0075rl'));
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
  });

  test('is refused wherever in a request it stands, for any key that nobody knows', async () => {
    const api = await startApi();
    const { admit } = openKeyProxy(api.url);
    const whole = {
      ...REQUEST,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'Bash', description: 'd', input_schema: { type: 'object' } }],
      thinking: { type: 'adaptive' },
      metadata: { user_id: 'u' },
      output_config: { effort: 'low' },
      context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
      messages: [
        { role: 'user', content: [inResult({ type: 'text', text: 't' }, inDocument({ type: 'text', text: 't' }))] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 'Bash', input: {} }] },
      ],
    };
    expect((await ask(await admit(), { body: whole })).status).toBe(200);
    const places = placesIn(whole);
    const key = fc.oneof(fc.constantFrom('url', 'file_id', 'mcp_servers', 'container', '__proto__'), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), key, async (place, name) => {
        fc.pre(!KNOWN.has(name));
        const text = JSON.stringify(whole);
        const body = `${text.slice(0, place)}${JSON.stringify(name)}:"https://example.com",${text.slice(place)}`;
        // A run of its own each time: one that is refused again and again is not read any more.
        const pass = await admit();
        expect((await ask(pass, { body })).status).toBe(400);
        await pass.close();
      }),
      { numRuns: 150 },
    );
    expect(api.seen).toHaveLength(1);
  });
});

/** Keys that may stand somewhere in the request of the test above. */
const KNOWN = new Set(
  'type text source content id name input title context data thinking signature citations'.split(' '),
);

/** Where in the text of a request an object begins, tools' inputs and schemas apart: those are data. */
function placesIn(body: object): number[] {
  const text = JSON.stringify(body);
  return [...text.matchAll(/\{(?=")/g)]
    .map(({ index }) => index + 1)
    .filter((at) => !/"(input|input_schema)":\{$/.test(text.slice(0, at)));
}

describe('tools that run on the API’s side (D1)', () => {
  test.each([
    'web_search_20250305',
    ' web_search_20250305',
    'WEB_SEARCH_20250305',
    'web_fetch_20250910',
    'code_execution_20250825',
    'browser_20270101',
    'computer_20270101',
    'tool_search_tool_regex_20251119',
    'memory_20250818',
    'mcp_toolset',
    'advisor_tool',
    'unheard_of_20300101',
  ])('are refused: %s', async (type) => {
    const { status, text, seen } = await tryOut({
      tools: [
        { name: 'Bash', input_schema: {} },
        { type, name: 'x' },
      ],
    });
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
    expect(text).toContain('tools[1].type must not be');
  });

  test('are refused when they are added in the middle of a conversation', async () => {
    const { status, seen } = await tryOut(
      user({ type: 'tool_addition', tool: { type: 'web_fetch_20250910', name: 'web_fetch' } }),
    );
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
  });

  test.each([
    ['mcp_servers', []],
    ['mcp_servers', [{ type: 'url', url: 'https://example.com' }]],
    ['container', 'c_1'],
    ['skills', ['s']],
    ['fallbacks', [{ model: 'claude-opus-4' }]],
    ['environment', {}],
  ])('are refused by the key that would bring them: %s', async (key, value) => {
    const { status, text, seen } = await tryOut({ [key]: value });
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
    expect(text).toContain(`${key} is not allowed here`);
  });

  test('are not switched on by a beta, a version or any other header', async () => {
    const { status, seen } = await tryOut(
      {},
      {
        'anthropic-beta': 'mcp-client-2025-11-20,files-api-2025-04-14,CLAUDE-CODE-20250219,effort-2025-11-24',
        'anthropic-version': '2099-01-01',
        'anthropic-mcp-server': 'https://example.com',
        'content-type': 'multipart/form-data',
        'content-encoding': 'identity',
        'x-forwarded-host': 'example.com',
      },
    );
    expect(status).toBe(200);
    expect(seen[0]?.headers).toMatchObject({
      'anthropic-beta': 'effort-2025-11-24',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    });
    const names = Object.keys(seen[0]?.headers ?? {});
    expect(names.filter((name) => /mcp|forwarded|content-encoding/.test(name))).toEqual([]);
  });
});

describe('what costs more than the list price (D2)', () => {
  test.each([
    ['speed', 'fast'],
    ['service_tier', 'auto'],
    ['service_tier', 'priority'],
    ['inference_geo', 'us'],
    ['priority', 1],
  ])('is refused: %s', async (key, value) => {
    const { status, text, seen } = await tryOut({ [key]: value });
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
    expect(text).toContain(`${key} is not allowed here`);
  });

  test('is refused where one message sets it', async () => {
    const messages = [{ role: 'user', content: 'x', output_config: { effort: 'low', speed: 'fast' } }];
    const { status, text, seen } = await tryOut({ messages });
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
    expect(text).toContain('messages[0].output_config.speed is not allowed here');
  });

  test('is refused where the API would summarise the conversation itself', async () => {
    const { status, seen } = await tryOut({ context_management: { edits: [{ type: 'compact_20260112' }] } });
    expect({ status, seen }).toEqual({ status: 400, seen: [] });
  });
});

describe('bytes that two readers would read differently', () => {
  const body = JSON.stringify(REQUEST);
  test.each([
    ['a key twice', body.replace('{', '{"max_tokens":64000,')],
    [
      'a key twice in a block',
      JSON.stringify({ ...REQUEST, ...user({ type: 'image' }) }).replace('"image"', '"image","type":"text"'),
    ],
    ['a second value', `${body}${body}`],
    ['a comment', body.replace('{', '{/* */')],
    ['a comma too many', body.replace(/\}$/, ',}')],
    ['a number that is none', body.replace('1000', 'NaN')],
    ['a number with a fraction', body.replace('1000', '1000.0')],
    ['a number as text', body.replace('1000', '"1000"')],
    ['a negative number', body.replace('1000', '-1000')],
    ['a huge number', body.replace('1000', '1e30')],
    ['an unfinished text', body.slice(0, -20)],
    ['an unknown escape', body.replace('Hello', '\\q')],
    ['a bare line break in a text', body.replace('Hello', '\n')],
    ['a byte order mark', `\uFEFF${body}`],
    ['a list', `[${body}]`],
    ['depth without end', body.replace('"Hello"', '['.repeat(100_000))],
    ['depth in data', body.replace('{', `{"tools":[{"input_schema":${'['.repeat(1000)}${']'.repeat(1000)}}],`)],
  ])('are refused: %s', async (_, text) => {
    expect(await tryOut(text)).toMatchObject({ status: 400, seen: [] });
  });

  test('are refused when they are no UTF-8', async () => {
    const api = await startApi();
    const pass = await openKeyProxy(api.url).admit();
    const bytes = Buffer.from(body.replace('Hello', '\u00ff'), 'latin1');
    expect(await ask(pass, { body: bytes })).toMatchObject({ status: 400, text: expect.stringContaining('UTF-8') });
    expect(api.seen).toEqual([]);
  });
});

test.each([
  '/v1/messages?beta=true&speed=fast',
  '/v1/messages?x=1',
  '/v1/messages/',
  '/v1/messages/count_tokens/x',
  '/v1//messages',
])('another address than those needed is refused: %s', async (path) => {
  const api = await startApi();
  const pass = await openKeyProxy(api.url).admit();
  expect((await ask(pass, { path })).status).toBe(404);
  expect(api.seen).toEqual([]);
});

test('an agent that is refused again and again does not fill the log', async () => {
  const api = await startApi();
  const { admit, log } = openKeyProxy(api.url);
  const pass = await admit();
  for (let asked = 0; asked < 60; asked += 1) await ask(pass, { path: '/v1/files' });
  expect(log.lines.filter(({ message }) => message === 'model request refused')).toHaveLength(20);
});
