import { describe, expect, test } from '@jest/globals';
import { cut, drip, errorEvent, hang, malformed, reset, stall } from '../src/script/break.js';
import { say } from '../src/script/say.js';
import type { Script } from '../src/script/script.js';
import type { MessageTurn } from '../src/script/turn.js';
import { allEvents, always, ask, eventsOf, modelStarter, stream, type TestModel } from './support/test-model.js';
import { until } from '../../../test/support/until.js';

const startModel = modelStarter();
const text = say('A text that comes in several pieces when it is streamed.');

/** The disturbed turn, and beside it a script that answers at once. */
const beside = (turn: MessageTurn): Script[] => [
  { name: 'quick', when: { promptIncludes: 'quick' }, turns: () => say('Here.') },
  always(turn),
];

const PENDING = Symbol('pending');

/** What the promise has come to while the model answered two whole other requests. */
async function stateAfterOtherTraffic<T>(model: TestModel, promise: Promise<T>): Promise<T | typeof PENDING> {
  const body = { messages: [{ role: 'user', content: 'quick' }] };
  for (const attempt of [1, 2]) {
    const response = await ask(model, { body, headers: { 'x-claude-code-session-id': `other-${attempt}` } });
    await response.text();
  }
  return Promise.race([promise, Promise.resolve(PENDING)]);
}

const endingOf = (model: TestModel): string | undefined => {
  const answer = model.requests.matching({ promptIncludes: 'Hello' })[0]?.answer;
  return answer?.kind === 'scripted' ? answer.ending : undefined;
};

describe('a cut stream', () => {
  test('is a socket error after so many events', async () => {
    const model = await startModel([always(cut({ afterEvents: 4 }, text))]);
    const names: string[] = [];
    const reading = (async () => {
      for await (const event of eventsOf(await stream(model))) names.push(event.name);
    })();
    await expect(reading).rejects.toThrow(/terminated/);
    expect(names).toEqual(['message_start', 'content_block_start', 'ping', 'content_block_delta']);
    expect(endingOf(model)).toBe('cut');
  });

  test('may be cut inside an event', async () => {
    const model = await startModel([always(cut({ afterBytes: 30 }, text))]);
    await expect((await stream(model)).text()).rejects.toThrow(/terminated/);
  });

  test.each([
    ['event', { afterEvents: 1000 }, /message_delta".*\n\n$/],
    ['byte', { afterBytes: 1_000_000 }, /message_stop"}\n$/],
  ])('never delivers its last %s, however late the cut', async (_unit, point, lastPart) => {
    const model = await startModel([always(cut(point, text))]);
    const received: string[] = [];
    const reading = (async () => {
      const { body } = await stream(model);
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) received.push(chunk);
    })();
    await expect(reading).rejects.toThrow(/terminated/);
    expect(received.join('')).toMatch(lastPart);
  });

  test('is a socket error for a request that is not streamed too', async () => {
    const model = await startModel([always(cut({}, text))]);
    await expect((await ask(model)).text()).rejects.toThrow(/terminated/);
  });
});

describe('a stall', () => {
  test('delivers nothing more until the clock has passed, then the rest', async () => {
    const model = await startModel(beside(stall({ afterEvents: 3, forMs: 60_000 }, text)));
    const events = eventsOf(await stream(model));
    for (const name of ['message_start', 'content_block_start', 'ping']) {
      expect((await events.next()).value).toMatchObject({ name });
    }
    const next = events.next();
    model.clock.advance(59_999);
    expect(await stateAfterOtherTraffic(model, next)).toBe(PENDING);
    expect(endingOf(model)).toBe('open');
    model.clock.advance(1);
    expect((await next).value).toMatchObject({ name: 'content_block_delta' });
    const rest: string[] = [];
    for await (const event of events) rest.push(event.name);
    expect(rest.at(-1)).toBe('message_stop');
  });

  test('without an end is held until the client goes away', async () => {
    const model = await startModel(beside(stall()));
    const client = new AbortController();
    const response = await stream(model, { signal: client.signal });
    const reading = response.text();
    model.clock.advance(24 * 3600 * 1000);
    expect(await stateAfterOtherTraffic(model, reading)).toBe(PENDING);
    client.abort();
    await expect(reading).rejects.toThrow(/abort/);
    // The model learns of it by its own socket, some round trips later.
    await until('the model notices', () => endingOf(model) !== 'open');
    expect(endingOf(model)).toBe('abandoned');
  });

  test('is ended by closing the model', async () => {
    const model = await startModel([always(stall())]);
    const response = await stream(model);
    const reading = expect(response.text()).rejects.toThrow(/terminated/);
    await model.close();
    await reading;
    expect(endingOf(model)).toBe('closed');
  });

  test('holds half a body when the request is not streamed', async () => {
    const model = await startModel(beside(stall({ forMs: 1000 }, text)));
    const body = (await ask(model)).text();
    expect(await stateAfterOtherTraffic(model, body)).toBe(PENDING);
    model.clock.advance(1000);
    expect(JSON.parse(await body)).toMatchObject({ type: 'message', stop_reason: 'end_turn' });
  });
});

describe('a hang', () => {
  test('sends not even headers until the clock has passed', async () => {
    const model = await startModel(beside(hang({ forMs: 5000 }, text)));
    const response = stream(model);
    await model.requests.waitFor({ promptIncludes: 'Hello' });
    expect(await stateAfterOtherTraffic(model, response)).toBe(PENDING);
    model.clock.advance(5000);
    expect((await allEvents(await response)).at(-1)?.name).toBe('message_stop');
  });

  test('without an end is held until the model closes', async () => {
    const model = await startModel([always(hang())]);
    const response = expect(ask(model)).rejects.toThrow('fetch failed');
    await model.requests.waitFor({});
    model.clock.advance(24 * 3600 * 1000);
    await model.close();
    await response;
    expect(endingOf(model)).toBe('closed');
  });
});

test('a reset connection has no answer at all', async () => {
  const model = await startModel([always(reset())]);
  await expect(ask(model)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  expect(endingOf(model)).toBe('reset');
});

test('a dripping stream sends one event each time the clock moves on', async () => {
  const model = await startModel(beside(drip({ everyMs: 1000 }, text)));
  const events = eventsOf(await stream(model));
  const names: string[] = [];
  for (;;) {
    const next = events.next();
    if (names.length < 3) expect(await stateAfterOtherTraffic(model, next)).toBe(PENDING);
    model.clock.advance(1000);
    const { value } = await next;
    if (value === undefined) break;
    names.push(value.name);
  }
  expect(names.length).toBeGreaterThan(6);
  expect(names.at(-1)).toBe('message_stop');
});

describe('a malformed answer', () => {
  test('has an event that is not JSON, and no end', async () => {
    const model = await startModel([always(malformed({ afterEvents: 2 }, text))]);
    const events = await allEvents(await stream(model));
    expect(events).toHaveLength(3);
    expect(() => JSON.parse(events.at(-1)?.data ?? '{}')).toThrow(SyntaxError);
  });

  test('is half a body when the request is not streamed', async () => {
    const model = await startModel([always(malformed({}, text))]);
    await expect((await ask(model)).json()).rejects.toThrow(/JSON/);
  });
});

describe('an error event', () => {
  test('ends the stream with the error', async () => {
    const model = await startModel([always(errorEvent({ afterEvents: 4 }, text))]);
    const events = await allEvents(await stream(model));
    expect(events).toHaveLength(5);
    expect(events.at(-1)?.name).toBe('error');
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    });
  });

  test('is an HTTP error when the request is not streamed', async () => {
    const model = await startModel([always(errorEvent({ type: 'api_error', message: 'Broken.' }))]);
    const response = await ask(model);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { type: 'api_error', message: 'Broken.' } });
  });
});
