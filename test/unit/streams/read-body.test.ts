import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import { type BodyBounds, type NoBody, readBody } from '../../../src/streams/read-body.js';

const server = createServer();
beforeEach(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

/** Sends the head of a request; what is made of its body is `read`. */
async function send(bounds: BodyBounds, headers: Record<string, string> = {}) {
  const arrived = new Promise<IncomingMessage>((resolve) =>
    server.once('request', (incoming, response) => {
      resolve(incoming);
      incoming.once('close', () => response.destroy());
    }),
  );
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers });
  outgoing.on('error', () => undefined);
  outgoing.flushHeaders();
  const incoming = await arrived;
  const read: Promise<Buffer | NoBody> = readBody(incoming, bounds);
  const piece = (text: string): Promise<void> =>
    new Promise((resolve) => {
      incoming.once('data', () => resolve());
      outgoing.write(text);
    });
  return { outgoing, read, piece };
}

describe('a body within bounds', () => {
  test('is put together from its pieces', async () => {
    const { outgoing, read, piece } = await send({ maxBytes: 6 });
    await piece('abc');
    outgoing.end('def');
    expect((await read).toString()).toBe('abcdef');
  });

  test('may be empty', async () => {
    const { outgoing, read } = await send({ maxBytes: 6 });
    outgoing.end();
    expect((await read).toString()).toBe('');
  });

  test.each([{}, { 'content-length': '7' }])('is refused when it is longer: %j', async (headers) => {
    const { outgoing, read } = await send({ maxBytes: 6 }, headers);
    outgoing.end('abcdefg');
    expect(await read).toBe('too-long');
  });

  test('is refused when it is not complete in time', async () => {
    const clock = new ManualClock();
    const { read, piece } = await send({ maxBytes: 6, deadline: { clock, ms: 1_000 } });
    await piece('abc');
    clock.advance(1_000);
    expect(await read).toBe('too-slow');
  });

  test('is broken when its sender goes away', async () => {
    const { outgoing, read, piece } = await send({ maxBytes: 6 });
    await piece('abc');
    outgoing.destroy();
    expect(await read).toBe('broken');
  });

  test('is counted while it is held, with what each piece costs, and cut when others need the room', async () => {
    const counted: (number | 'end')[] = [];
    const room = { cut: (): void => undefined };
    const share: BodyBounds['share'] = (cut) => {
      room.cut = cut;
      return { take: (bytes) => void counted.push(bytes), end: () => void counted.push('end') };
    };
    const { read, piece } = await send({ maxBytes: 6, share });
    await piece('abc');
    room.cut();
    expect(await read).toBe('crowded');
    expect(counted).toEqual([3 + 512, 'end']);
  });

  test('with an announced length has memory of its own', async () => {
    const { outgoing, read, piece } = await send({ maxBytes: 6, ownMemory: { length: 6 } }, { 'content-length': '6' });
    await piece('abc');
    outgoing.end('def');
    const body = await read;
    expect(body.toString()).toBe('abcdef');
    expect(Buffer.isBuffer(body) ? body.buffer.byteLength : body).toBe(6);
  });
});
