import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { RunEvent } from '../../../src/domain/events/run-event.js';
import { createApi } from '../../../src/entry/api/api.js';
import { ManualClock } from '#pocket-github/clock';
import { FIRST } from '../../../src/ports/event-log.js';
import { type ApiClient, serveApi, TOKEN } from '../../support/service/api-client.js';
import { MemoryEventStore, MemoryEventLog } from '../../support/memory/memory-event-log.js';
import { assertMessage } from '../../support/service/open-api.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

/* What happens, over real HTTP. The log is the one in memory; its contract is that of the one in Redis. */

const ISSUE = { owner: 'ada', repo: 'quay', number: 7 };

interface ApiHarness {
  readonly client: ApiClient;
  readonly events: MemoryEventLog;
  readonly store: MemoryEventStore;
  readonly clock: ManualClock;
}

const at: { harness?: ApiHarness; sockets: Socket[] } = { sockets: [] };

async function open(maxStreams = 50): Promise<ApiHarness> {
  const clock = new ManualClock();
  const store = new MemoryEventStore();
  const events = new MemoryEventLog({ clock, store });
  const log = new RecordingLog();
  const nothing = async (): Promise<never> => {
    throw new Error('not asked for here');
  };
  const runs = { start: nothing, preview: nothing, stop: nothing, report: nothing, live: nothing, runs: nothing };
  const account = { report: nothing, clear: nothing, setKillSwitch: nothing };
  const api = createApi({
    access: { token: TOKEN, isLocal: false },
    runs,
    account,
    events,
    clock,
    log,
    streams: { maxStreams },
  });
  at.harness = { client: await serveApi(api), events, store, clock };
  return at.harness;
}

afterEach(async () => {
  for (const socket of at.sockets.splice(0)) socket.destroy();
  await at.harness?.client.close();
});

const event = (because: string, issue = ISSUE): RunEvent => ({
  at: Date.UTC(2026, 0, 5, 10),
  issue,
  run: 'run-1',
  phase: 'code',
  because,
  kind: 'waiting',
  on: 'checks',
  until: Date.UTC(2026, 0, 5, 11),
});

interface Message {
  readonly id: string | null;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A client of the stream, as a browser's EventSource would be. */
async function listen({ client }: ApiHarness, query = '', headers: Record<string, string> = {}) {
  const answer = await fetch(`${client.url}/api/events${query}`, {
    headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream', ...headers },
  });
  const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  const state = { text: '' };
  /** The next block, comments included; `null` when it is over. */
  const block = async (): Promise<string | null> => {
    while (!state.text.includes('\n\n')) {
      const { value, done } = await reader.read();
      if (done) return null;
      state.text += value;
    }
    const end = state.text.indexOf('\n\n');
    const found = state.text.slice(0, end);
    state.text = state.text.slice(end + 2);
    return found;
  };
  const message = async (): Promise<Message | null> => {
    for (let found = await block(); found !== null; found = await block()) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(found ?? '')?.[1];
      const data = field('data');
      if (data === undefined) continue;
      const parsed = JSON.parse(data) as Record<string, unknown>;
      assertMessage(parsed);
      return { id: field('id') ?? null, event: field('event') ?? '', data: parsed };
    }
    return null;
  };
  return { answer, block, message, leave: () => reader.cancel() };
}

describe('the stream of events', () => {
  test('goes on after an id, and then with what comes', async () => {
    const harness = await open();
    for (const because of ['a', 'b', 'c']) await harness.events.append(event(because));
    const [first] = await harness.events.since(FIRST, 1);
    const id = first?.kind === 'event' ? first.id : '';
    const byHeader = await listen(harness, '?since=0-0', { 'last-event-id': id });
    expect(byHeader.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(byHeader.answer.headers.get('cache-control')).toBe('no-store');
    const b = await byHeader.message();
    expect(b).toEqual({
      id: expect.stringMatching(/^\d+-\d+$/),
      event: 'waiting',
      data: {
        id: b?.id,
        ...event('b'),
        at: '2026-01-05T10:00:00.000Z',
        until: '2026-01-05T11:00:00.000Z',
      },
    });
    expect((await byHeader.message())?.data).toMatchObject({ because: 'c' });
    const coming = byHeader.message();
    await harness.events.append(event('d'));
    expect((await coming)?.data).toMatchObject({ because: 'd' });
    const byQuery = await listen(harness, `?since=${b?.id}`);
    expect((await byQuery.message())?.data).toMatchObject({ because: 'c' });
    await Promise.all([byHeader.leave(), byQuery.leave()]);
  });

  test('tells of a gap when the id is gone, and begins with the oldest', async () => {
    const harness = await open();
    await harness.events.append(event('left'));
    const ear = await listen(harness, '?since=17-3');
    expect(await ear.message()).toEqual({ id: null, event: 'gap', data: { kind: 'gap' } });
    expect((await ear.message())?.data).toMatchObject({ because: 'left' });
    await ear.leave();
  });

  test('without an id begins with what comes; what agents do passes by without one', async () => {
    const harness = await open();
    await harness.events.append(event('before'));
    const ear = await listen(harness);
    expect(await ear.block()).toBe('retry: 3000');
    const at = harness.clock.now();
    await harness.events.note({ at, issue: ISSUE, phase: 'code', phaseRun: 'p', kind: 'tool', text: 'Bash' });
    expect(await ear.message()).toMatchObject({
      id: null,
      event: 'agent-activity',
      data: { kind: 'agent-activity', doing: 'tool', text: 'Bash', phaseRun: 'p' },
    });
    await ear.leave();
  });

  test('shows one repository or one issue to who wants no more', async () => {
    const harness = await open();
    const elsewhere = { owner: 'ada', repo: 'garden', number: 7 };
    await harness.events.append(event('garden', elsewhere));
    await harness.events.append(event('six', { ...ISSUE, number: 6 }));
    await harness.events.append(event('seven'));
    const repo = await listen(harness, '?since=0-0&repo=Ada/quay');
    expect([(await repo.message())?.data, (await repo.message())?.data]).toMatchObject([
      { because: 'six' },
      { because: 'seven' },
    ]);
    const issue = await listen(harness, '?since=0-0&repo=ada/quay&issue=7');
    expect((await issue.message())?.data).toMatchObject({ because: 'seven' });
    await Promise.all([repo.leave(), issue.leave()]);
  });

  test('says that it is there when nothing happens', async () => {
    const harness = await open();
    const ear = await listen(harness);
    await ear.block();
    for (let beat = 0; beat < 3; beat += 1) {
      harness.clock.advance(15_000);
      expect(await ear.block()).toBe(': still here');
    }
    await ear.leave();
  });

  test('has room for so many; who leaves makes room', async () => {
    const harness = await open(2);
    const [one, two] = [await listen(harness), await listen(harness)];
    const refused = await harness.client.ask('GET', '/api/events');
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'too-many-streams' } } });
    expect(refused.headers.get('retry-after')).toBe('30');
    await one.leave();
    // Its leaving is noticed when its connection has ended.
    await until('one listener is left', () => harness.store.listeners.size === 1);
    const three = await listen(harness);
    expect(three.answer.status).toBe(200);
    await Promise.all([two.leave(), three.leave()]);
  });

  test('is not begun when nobody can tell what happens', async () => {
    const harness = await open();
    harness.events.since = async () => {
      throw new Error('Connection is closed.');
    };
    const refused = await harness.client.ask('GET', '/api/events');
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'redis-unavailable' } } });
  });

  test('ends with the service', async () => {
    const harness = await open();
    const ear = await listen(harness);
    await harness.client.close();
    await ear.block();
    expect(await ear.message()).toBeNull();
  });

  test('lets go who does not read, without keeping what they did not', async () => {
    const harness = await open();
    const { port } = new URL(harness.client.url);
    for (let count = 0; count < 6_000; count += 1) await harness.events.append(event(`${count} ${'x'.repeat(2_000)}`));
    const socket = connect(Number(port), '127.0.0.1');
    at.sockets.push(socket);
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET /api/events?since=0-0 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
    // Twelve megabytes do not fit between us: it waits for the client, and its patience is ten seconds.
    await until('somebody listens', () => harness.store.listeners.size > 0);
    await until('nobody listens', () => {
      harness.clock.advance(11_000);
      return harness.store.listeners.size === 0;
    });
    socket.resume();
    await gone;
    expect(socket.bytesRead).toBeLessThan(12_000_000);
  });
});

describe('a page of events', () => {
  test('is given to who asks for JSON, with where to go on', async () => {
    const { client, events } = await open();
    for (const because of ['a', 'b', 'c']) await events.append(event(because));
    const page = async (query: string) =>
      (await client.ask('GET', `/api/events${query}`, undefined, { accept: 'application/json' })).body as {
        gap: boolean;
        events: readonly { because: string }[];
        next: string;
      };
    const first = await page('?limit=2');
    expect(first).toMatchObject({ gap: false, events: [{ because: 'a' }, { because: 'b' }] });
    const second = await page(`?since=${first.next}`);
    expect(second.events).toMatchObject([{ because: 'c' }]);
    expect(await page(`?since=${second.next}`)).toEqual({ gap: false, events: [], next: second.next });
    expect(await page('?since=9-9&issue=8')).toEqual({ gap: true, events: [], next: second.next });
  });
});
