import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readCommandComment } from '../../../src/entry/webhooks/events/comment-events.js';
import { startServer } from '../../../src/entry/service/server.js';
import { createBodyBudget } from '../../../src/entry/webhooks/body-budget.js';
import { createWebhookHandler, WEBHOOKS_PATH } from '../../../src/entry/webhooks/webhook-handler.js';
import { ManualClock } from '#pocket-github/clock';
import type { Delivery } from '../../../src/ports/inbox.js';
import { cpuTimeOf } from '../../support/cpu-time.js';
import {
  commentPayload,
  postWebhook,
  receiverFor,
  SECRET,
  SELF,
  signatureOf,
} from '../../support/service/webhook-harness.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

/* Webhooks nobody would think of: byte by byte, odd texts, names that lead elsewhere. */

const KB = 1024;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openWebhookServer(addressBytes = 64 * KB) {
  const kept: Delivery[] = [];
  const inbox = { enqueue: async (delivery: Delivery) => (kept.push(delivery), 'queued' as const) };
  const budget = createBodyBudget({ totalBytes: addressBytes, addressBytes, totalBodies: 10, addressBodies: 10 });
  const parts = { clock: new ManualClock(), log: new RecordingLog(), receive: await receiverFor(inbox), budget };
  const handler = createWebhookHandler({ secrets: [SECRET], maxBytes: 25 * KB * KB, self: SELF, ...parts });
  const server = await startServer({ host: '127.0.0.1', port: 0, handlers: [handler], ready: async () => true });
  closers.push(() => server.close());
  return { url: `${server.url}${WEBHOOKS_PATH}`, kept, budget };
}

/** A webhook whose body comes in pieces of one byte, and does not end unless it is told to. */
function byteByByte(url: string, body: string, ends: boolean) {
  const { port, pathname } = new URL(url);
  const heard = { said: '', isCut: false };
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  closers.push(() => socket.destroy());
  socket.on('data', (data) => (heard.said += data.toString('utf8')));
  socket.on('error', () => undefined);
  socket.on('close', () => (heard.isCut = true));
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-github-event: issue_comment\r\n` +
      `x-github-delivery: d-1\r\nx-hub-signature-256: ${signatureOf(body)}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  socket.write(
    Array.from(body)
      .map((byte) => `1\r\n${byte}\r\n`)
      .join(''),
  );
  if (ends) socket.write('0\r\n\r\n');
  return heard;
}

describe('a body that comes byte by byte', () => {
  test('is counted by what holding it costs, not by its length', async () => {
    const { url } = await openWebhookServer();
    const heard = byteByByte(url, ' '.repeat(2_000), false);
    await until('it is cut', () => heard.isCut);
    expect(heard.said).toMatch(/^HTTP\/1\.1 503 /);
  });

  test('is taken where there is room for it', async () => {
    const { url, kept, budget } = await openWebhookServer(KB * KB);
    const heard = byteByByte(url, JSON.stringify(commentPayload()), true);
    await until('it is answered', () => heard.said.includes('\r\n\r\n'));
    expect([heard.said.slice(0, 12), kept.length, budget.bytes]).toEqual(['HTTP/1.1 202', 1, 0]);
  });
});

test.each([
  ['new lines', '\n'.repeat(65_000)],
  ['Windows’ new lines', '\r\n'.repeat(32_000)],
  ['blanks', ' '.repeat(65_000)],
  ['line separators', '\u2028'.repeat(65_000)],
])('a comment of %s is read in no time at all', (_, filling) => {
  const payload = commentPayload(`a${filling}x /auto`);
  expect(cpuTimeOf(() => readCommandComment(payload, SELF))).toBeLessThan(500);
});

test.each(['/auto', ' \t/auto stop', 'words\n  /auto', 'words\r\n/auto'])('%j is still heard', (body) => {
  expect(readCommandComment(commentPayload(body), SELF)).toMatchObject({ kind: 'comment', body });
});

describe('a signed webhook', () => {
  const about = (name: string, login: string, number: number) => {
    const payload = commentPayload();
    return { ...payload, repository: { name, owner: { login } }, issue: { ...payload.issue, number } };
  };

  test.each([
    ['..', 'ada', 1],
    ['.', 'ada', 1],
    ['tideline', '..', 1],
    ['tideline/../../app', 'ada', 1],
    ['tideline?x=1', 'ada', 1],
    ['tideline', ' ada', 1],
    ['', 'ada', 1],
    ['tideline', 'ada', 0],
    ['tideline', 'ada', -1],
    ['tideline', 'ada', 1.5],
    ['tideline', 'ada', 2 ** 31],
    ['tideline', 'ada', 1e300],
  ])('about %j of %j and the issue %s is about nothing there can be', async (name, login, number) => {
    const { url, kept } = await openWebhookServer(KB * KB);
    const answer = await postWebhook(url, { event: 'issue_comment', payload: about(name, login, number) });
    expect([answer.status, kept]).toEqual([202, []]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'called %s is not listened to',
    async (event) => {
      const { url, kept } = await openWebhookServer(KB * KB);
      expect([(await postWebhook(url, { event, payload: commentPayload() })).status, kept]).toEqual([202, []]);
    },
  );

  test.each([
    ['that hides everything in the prototype', `{"__proto__":${JSON.stringify(commentPayload())}}`],
    ['that is a list', `[${JSON.stringify(commentPayload())}]`],
    ['that begins with a byte order mark', `\ufeff${JSON.stringify(commentPayload())}`],
    ['that is a string', JSON.stringify(JSON.stringify(commentPayload()))],
    ['with a number for a name', JSON.stringify({ ...commentPayload(), repository: { name: 1, owner: {} } })],
  ])('%s is not kept', async (_, payload) => {
    const { url, kept } = await openWebhookServer(KB * KB);
    const answer = await postWebhook(url, { event: 'issue_comment', payload });
    expect(answer.status).toBeLessThan(500);
    expect(kept).toEqual([]);
  });

  test('that is compressed is not unpacked, however it is signed', async () => {
    const { url, kept } = await openWebhookServer(KB * KB);
    const text = JSON.stringify(commentPayload());
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-github-event': 'issue_comment',
      'x-github-delivery': 'd-1',
      'x-hub-signature-256': signatureOf(text),
    };
    const answer = await fetch(url, { method: 'POST', headers, body: gzipSync(text) });
    expect([answer.status, kept]).toEqual([401, []]);
  });

  test.each(['GET', 'HEAD', 'PUT', 'OPTIONS'])(
    'sent with %s is refused, whatever method it says it means',
    async (method) => {
      const { url, kept } = await openWebhookServer(KB * KB);
      const answer = await fetch(url, { method, headers: { 'x-http-method-override': 'POST' } });
      expect([answer.status, kept]).toEqual([405, []]);
    },
  );
});
