import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../src/entry/service/server.js';
import { type BodyBudget, createBodyBudget } from '../../../src/entry/webhooks/body-budget.js';
import { createWebhookHandler, WEBHOOKS_PATH } from '../../../src/entry/webhooks/webhook-handler.js';
import { ManualClock } from '#pocket-github/clock';
import type { Delivery } from '../../../src/ports/inbox.js';
import { ROOT } from '../../support/source-files.js';
import { commentPayload, postWebhook, receiverFor, SELF, SECRET } from '../../support/service/webhook-harness.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

/* Webhooks of people who know no secret and never finish what they send (A40). Over real sockets. */

const MB = 1024 * 1024;
const COMMENT = { event: 'issue_comment', payload: commentPayload() };

/** Somebody who begins a webhook. */
class Sender {
  readonly #socket: Socket;
  said = '';
  isCut = false;

  constructor(url: string, length: number, from = '127.0.0.1') {
    const { port, pathname } = new URL(url);
    this.#socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
    this.#socket.on('data', (data) => (this.said += data.toString('utf8')));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => (this.isCut = true));
    this.#socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-github-event: issues\r\n` +
        `x-github-delivery: d-1\r\nx-hub-signature-256: sha256=${'0'.repeat(64)}\r\ncontent-length: ${length}\r\n\r\n`,
    );
  }

  send(bytes: number): void {
    if (!this.#socket.destroyed) this.#socket.write(Buffer.alloc(bytes, ' '));
  }

  close(): void {
    this.#socket.destroy();
  }
}

const senders: Sender[] = [];
const begin = (url: string, length: number, from?: string): Sender => {
  const sender = new Sender(url, length, from);
  senders.push(sender);
  return sender;
};
const closers: (() => unknown)[] = [];

async function openWebhookServer(budget: BodyBudget) {
  const [clock, log, kept] = [new ManualClock(), new RecordingLog(), [] as Delivery[]];
  const inbox = { enqueue: async (delivery: Delivery) => (kept.push(delivery), 'queued' as const) };
  const handler = createWebhookHandler({
    secrets: [SECRET],
    maxBytes: 25 * MB,
    self: SELF,
    receive: await receiverFor(inbox),
    clock,
    log,
    budget,
  });
  const server = await startServer({ host: '127.0.0.1', port: 0, handlers: [handler], ready: async () => true });
  closers.push(() => server.close());
  return { url: `${server.url}${WEBHOOKS_PATH}`, clock, log, kept };
}

afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  for (const close of closers.splice(0)) await close();
});

describe('unfinished webhooks', () => {
  test('hold no more bytes than there is room for, and a signed one is taken meanwhile', async () => {
    const budget = createBodyBudget({
      totalBytes: 4 * MB,
      addressBytes: 3 * MB,
      totalBodies: 1_000,
      addressBodies: 250,
    });
    const { url, kept } = await openWebhookServer(budget);
    const most = { bytes: 0 };
    for (let round = 0; round < 200; round += 1) begin(url, 24 * MB).send(256 * 1024);
    await until('all of them have come', () => {
      most.bytes = Math.max(most.bytes, budget.bytes);
      return senders.filter(({ isCut }) => isCut).length >= 200 - (3 * MB) / (256 * 1024);
    });
    expect(most.bytes).toBeLessThanOrEqual(3 * MB);
    expect((await postWebhook(url, COMMENT)).status).toBe(202);
    expect(kept).toHaveLength(1);
  });

  test('that had to make room are told to come again later', async () => {
    const budget = createBodyBudget({ totalBytes: MB, addressBytes: 2 * MB, totalBodies: 10, addressBodies: 10 });
    const { url } = await openWebhookServer(budget);
    const large = begin(url, 24 * MB);
    large.send(900 * 1024);
    await until('most of the room is taken', () => budget.bytes >= 900 * 1024);
    const small = begin(url, 24 * MB);
    small.send(200 * 1024);
    await until('the larger one is cut', () => large.isCut);
    expect(large.said).toMatch(/^HTTP\/1\.1 503 .*retry-after: 60/is);
    // Each piece counts a little more than its bytes.
    await until('all of the smaller one is held', () => budget.bytes >= 200 * 1024);
    expect(small.isCut).toBe(false);
    expect(budget.bytes).toBeLessThan(300 * 1024);
  });

  test('of one address leave room for those of another', async () => {
    const budget = createBodyBudget({ totalBytes: 4 * MB, addressBytes: MB, totalBodies: 100, addressBodies: 5 });
    const { url } = await openWebhookServer(budget);
    for (let round = 0; round < 20; round += 1) begin(url, 24 * MB, '127.0.0.2').send(100 * 1024);
    await until(
      'only as many are left as one address may send',
      () => senders.filter(({ isCut }) => isCut).length === 15,
    );
    const other = begin(url, 24 * MB, '127.0.0.3');
    other.send(900 * 1024);
    await until('the other one is held too', () => budget.bytes >= 900 * 1024 + 5 * 100 * 1024);
    expect([other.isCut, budget.bodies]).toEqual([false, 6]);
  });

  test('make room by their number too: the one that has been at it for longest goes', async () => {
    const budget = createBodyBudget({ totalBytes: MB, addressBytes: MB, totalBodies: 3, addressBodies: 10 });
    const { url } = await openWebhookServer(budget);
    const first = begin(url, 1_000);
    await until('it has begun', () => budget.bodies === 1);
    for (let round = 0; round < 3; round += 1) begin(url, 1_000);
    await until('the first is cut', () => first.isCut);
    expect(budget.bodies).toBe(3);
  });

  test('are cut after ten seconds, by when GitHub has given up as well', async () => {
    const budget = createBodyBudget();
    const { url, clock } = await openWebhookServer(budget);
    const slow = begin(url, 24 * MB);
    slow.send(1_000);
    await until('it has begun', () => budget.bytes >= 1_000);
    clock.advance(10_000);
    await until('it is cut', () => slow.isCut);
    // In our words: Node itself answers 408 as well, after a minute of real time.
    expect(slow.said).toMatch(/^HTTP\/1\.1 408 [^]*the body did not come in time/);
    expect([budget.bytes, budget.bodies]).toEqual([0, 0]);
  });

  test('that announce more than is taken are refused before a byte of them is held', async () => {
    const budget = createBodyBudget();
    const { url } = await openWebhookServer(budget);
    const long = begin(url, 26 * MB);
    await until('it is refused', () => long.said.includes('413'));
    expect(budget.bodies).toBe(0);
  });
});

test('two hundred unfinished webhooks of 24 MB leave the process below 300 MB, and real ones are answered', async () => {
  const child = fork(join(ROOT, 'build/test/support/service/webhook-server-process.js'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  closers.push(() => child.kill('SIGKILL'));
  const answer = async <T>(): Promise<T> => ((await once(child, 'message')) as [T])[0];
  const { url } = await answer<{ url: string }>();
  const rss = async (): Promise<number> => {
    const told = answer<{ rss: number }>();
    child.send('how much?');
    return (await told).rss;
  };
  for (let round = 0; round < 200; round += 1) begin(url, 24 * MB).send(2 * MB);
  const most = { bytes: 0 };
  await until('all that cannot be held are cut', async () => {
    most.bytes = Math.max(most.bytes, await rss());
    return senders.filter(({ isCut }) => isCut).length >= 200 - 48 / 2;
  });
  for (let round = 0; round < 20; round += 1) expect((await postWebhook(url, COMMENT)).status).toBe(202);
  most.bytes = Math.max(most.bytes, await rss());
  expect(most.bytes).toBeLessThan(300 * MB);
});
