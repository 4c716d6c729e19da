import { describe, expect, test } from '@jest/globals';
import { bash, call, say, think, together } from '../src/script/say.js';
import { allEvents, always, ask, modelStarter, stream } from './support/test-model.js';

const startModel = modelStarter();

const usage = { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 900, cacheWriteTokens: 56 };
const wireUsage = {
  input_tokens: 1200,
  output_tokens: 34,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 56,
  cache_creation: { ephemeral_5m_input_tokens: 56, ephemeral_1h_input_tokens: 0 },
  service_tier: 'standard',
};

describe('an answer that is not streamed', () => {
  test('is one message with blocks, stop reason and usage', async () => {
    const model = await startModel([always(together(think('Hm.'), say('Running.'), bash('npm test', { usage })))]);
    const response = await ask(model, { path: '/v1/messages?beta=true' });
    expect(response.status).toBe(200);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: expect.any(String) },
        { type: 'text', text: 'Running.' },
        {
          type: 'tool_use',
          id: expect.stringMatching(/^toolu_/),
          name: 'Bash',
          input: { command: 'npm test', description: 'Run a command' },
        },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: wireUsage,
    });
  });

  test('has estimated usage when the script says none', async () => {
    const model = await startModel([always(say('Done, all of it.'))]);
    const message = (await (await ask(model)).json()) as { usage: Record<string, number>; stop_reason: string };
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage['input_tokens']).toBe(model.requests.all[0]?.request.estimatedInputTokens);
    expect(message.usage['output_tokens']).toBeGreaterThan(0);
  });
});

describe('a streamed answer', () => {
  test('carries the same message piece by piece', async () => {
    const text = `In pieces, but of whole characters: x${'😀'.repeat(40)}`;
    const turn = together(
      think('First I think it through.'),
      say(text),
      call('Grep', { pattern: 'needle' }, { usage }),
    );
    const model = await startModel([always(turn)]);
    const response = await stream(model);
    expect(response.headers.get('content-type')).toContain('text/event-stream');

    const events = (await allEvents(response)).map(({ name, data }) => {
      const parsed = JSON.parse(data) as { type: string; index?: number; delta?: Record<string, string> };
      expect(parsed.type).toBe(name);
      return parsed;
    });
    expect(events.slice(0, 3).map((event) => event.type)).toEqual(['message_start', 'content_block_start', 'ping']);
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
    expect(events.at(-2)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: wireUsage,
    });
    const joined = (index: number, field: string): string =>
      events.flatMap((event) => (event.index === index ? [event.delta?.[field] ?? ''] : [])).join('');
    expect(joined(0, 'thinking')).toBe('First I think it through.');
    expect(joined(0, 'signature')).not.toBe('');
    expect(joined(1, 'text')).toBe(text);
    expect(events.filter((event) => /\p{Surrogate}/u.test(event.delta?.['text'] ?? ''))).toEqual([]);
    expect(JSON.parse(joined(2, 'partial_json'))).toEqual({ pattern: 'needle' });
    expect(events.filter((event) => event.delta?.['type'] === 'text_delta').length).toBeGreaterThan(2);
  });
});

test('ids are the same on every run with the same seed, and others with another', async () => {
  const idsOf = async (seed: string): Promise<unknown[]> => {
    const model = await startModel([always(bash('a'), bash('b'))], { seed });
    return [await (await ask(model)).json(), await (await ask(model)).json()];
  };
  const first = await idsOf('one');
  expect(await idsOf('one')).toEqual(first);
  expect(await idsOf('two')).not.toEqual(first);
  expect(new Set(first.map((message) => (message as { id: string }).id)).size).toBe(2);
});

test('count_tokens answers an estimate without any script', async () => {
  const model = await startModel([]);
  const content = 'word '.repeat(400);
  const response = await ask(model, {
    path: '/v1/messages/count_tokens?beta=true',
    body: { messages: [{ role: 'user', content }], max_tokens: undefined },
  });
  const { input_tokens } = (await response.json()) as { input_tokens: number };
  expect(input_tokens).toBeGreaterThan(400);
  expect(input_tokens).toBeLessThan(800);
  expect(model.requests.all[0]?.answer.kind).toBe('counted');
  model.requests.assertAllMatched();
});

describe('what the API would refuse', () => {
  test('a wrong or missing credential answers 401, the right key or token does not', async () => {
    const model = await startModel([always(say('a', { times: 2 }))], { apiKeys: ['sk-ant-right', 'oauth-right'] });
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await ask(model, { headers })).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ 'x-api-key': 'sk-ant-wrong' })).toBe(401);
    expect(await statusWith({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await statusWith({ 'x-api-key': 'sk-ant-right' })).toBe(200);
    expect(await statusWith({ authorization: 'Bearer oauth-right' })).toBe(200);
    expect(model.requests.strays.map((stray) => stray.kind)).toEqual(Array(3).fill('unauthorised'));
    expect(model.requests.all.map((exchange) => exchange.request.credential)).toEqual(['api-key', 'bearer']);
  });

  test('a body that makes no sense answers 400 naming the fields, and is not all matched', async () => {
    const model = await startModel([always(say('a'))]);
    const response = await ask(model, { body: { max_tokens: 0, messages: [{ role: 'robot', content: 'x' }] } });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringMatching(/messages\.0\.role.*max_tokens/) },
      request_id: response.headers.get('request-id'),
    });
    expect(() => model.requests.assertAllMatched()).toThrow(/max_tokens/);
  });

  test('a request without anthropic-version answers 400', async () => {
    const model = await startModel([always(say('a'))]);
    const response = await fetch(`${model.url}/v1/messages`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain('anthropic-version');
  });

  test('a body larger than 32 MB answers 413', async () => {
    const model = await startModel([always(say('a'))]);
    const response = await ask(model, { body: { metadata: 'x'.repeat(33 * 1024 * 1024) } });
    expect(response.status).toBe(413);
  });

  test('another endpoint answers 404 and is reported', async () => {
    const model = await startModel([always(say('a'))]);
    const response = await fetch(`${model.url}/v1/models?limit=1`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    expect(() => model.requests.assertAllMatched()).toThrow('GET /v1/models');
  });
});
