import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { type BodyJudge, JudgeThread } from '../../../src/adapters/model-gate/judge/judge-thread.js';
import type { ModelPass } from '../../../src/ports/model-gate.js';
import { connectTo, headOf, openKeyProxy } from '../../support/agent/key-proxy-fixture.js';
import { apiStarter, ask, REQUEST } from '../../support/agent/model-client.js';
import { until } from '../../support/until.js';

/* An agent that wants to keep the whole service busy, or to fill its memory (D7, D8). */

const startApi = apiStarter();

const MB = 1024 * 1024;

/** A request of so many blocks. */
const blocks = (count: number): string =>
  JSON.stringify({ ...REQUEST, messages: [{ role: 'user', content: '¤' }] }).replace(
    '"¤"',
    `[${'{"type":"text"},'.repeat(count - 1)}{"type":"text"}]`,
  );

/** Sends a request's head and none of its body; resolves when the proxy has given it memory, or ended the connection. */
async function sendHead(pass: ModelPass, bytes: number): Promise<Socket> {
  const socket = await connectTo(pass);
  socket.write(headOf(pass, { 'content-length': bytes }));
  return socket;
}

const isGone = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/** Everything that comes back on a connection. */
async function answerOn(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a body of a million blocks', () => {
  test('is refused, and looked at while the event loop goes on', async () => {
    const api = await startApi();
    const thread = new JudgeThread();
    const turns = { counted: 0 };
    /** Counts the turns of the event loop while a body is looked at. */
    const judge: BodyJudge = {
      judge: async (bytes, endpoint) => {
        const looking = { over: false };
        const judged = thread.judge(bytes, endpoint).finally(() => (looking.over = true));
        while (!looking.over) {
          await setImmediate();
          turns.counted += 1;
        }
        return judged;
      },
      close: () => thread.close(),
    };
    const pass = await openKeyProxy(api.url, { judge }).admit();
    const answer = await ask(pass, { body: blocks(1_900_000) });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('comes after more than 400000 values') });
    expect(api.seen).toEqual([]);
    expect(turns.counted).toBeGreaterThan(50);
  });

  test('is nothing to a conversation that is merely long', async () => {
    const api = await startApi();
    const pass = await openKeyProxy(api.url).admit();
    expect((await ask(pass, { body: blocks(50_000) })).status).toBe(200);
    const content = 'word '.repeat(1_000_000);
    expect((await ask(pass, { body: { messages: [{ role: 'user', content }] } })).status).toBe(200);
    expect(api.seen[1]?.body.length).toBeGreaterThan(5_000_000);
  });

  test('is answered even when the thread that looks at it dies', async () => {
    const api = await startApi();
    const dying: BodyJudge = { judge: async () => ({ kind: 'lost' }), close: async () => undefined };
    const pass = await openKeyProxy(api.url, { judge: dying }).admit();
    expect(await ask(pass)).toMatchObject({ status: 500, text: expect.stringContaining('try again') });
    expect(api.seen).toEqual([]);
  });
});

describe('requests that never come to their end', () => {
  test('hold no more memory than one run may have, and no more connections', async () => {
    const api = await startApi();
    const { admit, proxy } = openKeyProxy(api.url);
    const pass = await admit();
    const sockets = await Promise.all(Array.from({ length: 60 }, async () => (await sendHead(pass, 20 * MB)).resume()));
    // Four at once, and twenty in line.
    await until('36 are refused', () => sockets.filter(isGone).length === 36);
    await until('one has memory', () => proxy.load().bytes.now > 0);
    expect(proxy.load().bytes).toEqual({ now: 20 * MB, peak: 20 * MB });
    expect(proxy.load().connections.now).toBe(24);
    expect(proxy.load().connections.peak).toBeLessThanOrEqual(32);
  });

  test('come over thirty-two connections at most, even when nothing is said on them', async () => {
    const api = await startApi();
    const { admit, proxy } = openKeyProxy(api.url);
    const pass = await admit();
    const sockets = await Promise.all(Array.from({ length: 60 }, async () => (await connectTo(pass)).resume()));
    await until('all are taken or refused', () => sockets.filter(isGone).length + proxy.load().connections.now >= 60);
    expect(proxy.load().connections).toEqual({ now: 32, peak: 32 });
  });

  test('shut nobody else out', async () => {
    const api = await startApi();
    const { admit, proxy } = openKeyProxy(api.url);
    for (const run of ['a', 'b', 'c', 'd']) {
      const pass = await admit(run);
      await Promise.all(Array.from({ length: 32 }, () => sendHead(pass, 24 * MB)));
    }
    await until('half of the memory is taken', () => proxy.load().bytes.now >= 48 * MB);
    const honest = await admit('honest');
    const content = 'word '.repeat(1_000_000);
    expect((await ask(honest, { body: { messages: [{ role: 'user', content }] } })).status).toBe(200);
    expect(proxy.load().bytes.peak).toBeLessThanOrEqual(96 * MB);
  });

  test('are ended after a minute, and all they held is free again', async () => {
    const api = await startApi();
    const { admit, proxy, clock } = openKeyProxy(api.url);
    const pass = await admit();
    const socket = await sendHead(pass, 20 * MB);
    await until('it has memory', () => proxy.load().bytes.now === 20 * MB);
    const next = ask(pass, { body: { messages: [{ role: 'user', content: 'x'.repeat(20 * MB) }] } });
    const answer = answerOn(socket);
    clock.advance(60_000);
    expect(await answer).toContain('408');
    expect((await next).status).toBe(200);
    await until('nothing is held', () => proxy.load().bytes.now === 0);
  });

  test('are ended before their head is complete', async () => {
    const api = await startApi();
    const { admit, proxy, clock } = openKeyProxy(api.url);
    const pass = await admit();
    const socket = await connectTo(pass);
    socket.write('POST /v1/messages HTTP/1.1\r\nx-api-key: ');
    await until('it is connected', () => proxy.load().connections.now === 1);
    clock.advance(30_000);
    await until('it is ended', () => proxy.load().connections.now === 0);
  });

  test('are forgotten when the access of their run is closed', async () => {
    const api = await startApi();
    const { admit, proxy } = openKeyProxy(api.url);
    const pass = await admit();
    await Promise.all(Array.from({ length: 10 }, () => sendHead(pass, 8 * MB)));
    await until('they hold memory', () => proxy.load().bytes.now > 0);
    await pass.close();
    await until('nothing is held', () => proxy.load().bytes.now === 0 && proxy.load().connections.now === 0);
  });
});

describe('a request', () => {
  test.each<[string, Record<string, string | number>, string]>([
    ['of more than the API takes', { 'content-length': 33 * MB }, '413'],
    ['of unknown length', { 'transfer-encoding': 'chunked' }, '411'],
    ['with a huge head', { 'content-length': 2, 'x-app': 'x'.repeat(20_000) }, '431'],
  ])('%s is refused before its body is read', async (_, headers, status) => {
    const api = await startApi();
    const { admit, proxy } = openKeyProxy(api.url);
    const pass = await admit();
    const socket = await connectTo(pass);
    const answer = answerOn(socket);
    socket.write(headOf(pass, headers));
    expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(proxy.load().bytes.peak).toBe(0);
    expect(api.seen).toEqual([]);
  });

  test('beyond those that may wait for their turn is told to come back', async () => {
    const api = await startApi(() => undefined);
    const { admit } = openKeyProxy(api.url);
    const pass = await admit();
    const told: string[] = [];
    for (let asked = 0; asked < 30; asked += 1) {
      const socket = await connectTo(pass);
      socket.write(headOf(pass, { 'content-length': 2 }));
      socket.on('data', (chunk) => told.push(String(chunk)));
    }
    await until('six are told', () => told.length === 6);
    expect(told.every((text) => text.startsWith('HTTP/1.1 429 ') && text.includes('retry-after: 2'))).toBe(true);
  });

  test('of a run that was refused a hundred times is not even read', async () => {
    const api = await startApi();
    const { admit } = openKeyProxy(api.url);
    const pass = await admit();
    for (let asked = 0; asked < 100; asked += 1)
      expect((await ask(pass, { body: { container: 'c' } })).status).toBe(400);
    expect(await ask(pass)).toMatchObject({ status: 403, text: expect.stringContaining('asked too often') });
    expect((await ask(await admit('other'))).status).toBe(200);
    expect(api.seen).toHaveLength(1);
  });

  test('sent ahead of an answer ends the connection', async () => {
    const api = await startApi(() => undefined);
    const { admit, proxy } = openKeyProxy(api.url);
    const pass = await admit();
    const socket = await connectTo(pass);
    const text = JSON.stringify(REQUEST);
    socket.write(`${headOf(pass, { 'content-length': text.length })}${text}`.repeat(300));
    await until('it is ended', () => socket.destroyed);
    await until('nothing is held', () => proxy.load().bytes.now === 0 && proxy.load().connections.now === 0);
    expect(api.seen.length).toBeLessThanOrEqual(1);
  });
});
