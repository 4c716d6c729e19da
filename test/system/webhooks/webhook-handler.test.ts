import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import {
  commentPayload,
  type WebhookHarness,
  openWebhookHarness,
  postWebhook,
  signatureOf,
} from '../../support/service/webhook-harness.js';
import { RecordingLog } from '../../support/recording-log.js';

/* What GitHub is answered, and what that costs. With the Redis npm installs, so that it runs everywhere. */

const SECOND = 'the secret before it';
const MAX_BYTES = 200_000;
const COMMENT = { event: 'issue_comment', payload: commentPayload() };
const HEARD = { kind: 'comment', ref: { owner: 'ada', repo: 'tideline', number: 7 }, author: { login: 'wren' } };

describe('the webhook handler', () => {
  const at = {} as { server: RedisServer; redis: Redis; harness: WebhookHarness };

  beforeAll(async () => {
    at.server = await openRedis({ path: '', clock: systemClock, log: new RecordingLog() });
    at.redis = new Redis(at.server.url);
    const secrets = ['a webhook secret', SECOND];
    at.harness = await openWebhookHarness({ redisUrl: at.server.url, secrets, maxBytes: MAX_BYTES });
  });

  afterAll(async () => {
    await at.harness.close();
    at.redis.disconnect();
    await at.server.close();
  });

  // Ends the work of one test before the next one counts events.
  afterEach(async () => {
    await at.harness.inbox.idle();
    at.harness.events.splice(0);
    at.harness.log.lines.splice(0);
    at.harness.clock.advance(60_000);
  });

  test('takes a signed delivery and hands it on through Probot, once', async () => {
    const first = await postWebhook(at.harness.url, { ...COMMENT, id: 'd-1' });
    expect([first.status, await first.text()]).toEqual([202, 'taken\n']);
    await at.harness.inbox.idle();
    const second = await postWebhook(at.harness.url, { ...COMMENT, id: 'd-1' });
    expect([second.status, await second.text()]).toEqual([202, 'known already\n']);
    await at.harness.inbox.idle();
    expect(at.harness.events).toMatchObject([HEARD]);
  });

  test('the same delivery a hundred times at once is queued once, and acknowledged every time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => postWebhook(at.harness.url, { ...COMMENT, id: 'd-2' })),
    );
    await at.harness.inbox.idle();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(at.harness.events).toHaveLength(1);
  });

  test('remembers a delivery for three days', async () => {
    await postWebhook(at.harness.url, { ...COMMENT, id: 'd-3' });
    await at.harness.inbox.idle();
    const [key = ''] = await at.redis.keys('*d-3');
    const left = await at.redis.pttl(key);
    expect(left).toBeGreaterThan(71.9 * 3_600_000);
    expect(left).toBeLessThanOrEqual(72 * 3_600_000);
  });

  test('takes what the second secret signed, and nothing a third did', async () => {
    expect((await postWebhook(at.harness.url, { ...COMMENT, secret: SECOND })).status).toBe(202);
    expect((await postWebhook(at.harness.url, { ...COMMENT, secret: 'somebody else’s' })).status).toBe(401);
    await at.harness.inbox.idle();
    expect(at.harness.events).toHaveLength(1);
  });

  const sha256 = signatureOf(JSON.stringify(COMMENT.payload));
  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one of the wrong length', sha256.slice(0, -1)],
    ['one without its prefix', sha256.slice(7)],
    ['one in capitals', sha256.toUpperCase()],
    ['that of other bytes', signatureOf('{}')],
    ['SHA-1', 'sha1=0000000000000000000000000000000000000000'],
  ])('refuses %s for a signature', async (_, signature) => {
    const answer = await postWebhook(at.harness.url, { ...COMMENT, headers: { 'x-hub-signature-256': signature } });
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('WEBHOOK_SECRET')]);
    await at.harness.inbox.idle();
    expect(at.harness.events).toEqual([]);
  });

  test('the signature is over the bytes as they came', async () => {
    const body = ` ${JSON.stringify(COMMENT.payload)}\n`;
    const good = await postWebhook(at.harness.url, { event: 'issue_comment', payload: body });
    const bad = await postWebhook(at.harness.url, {
      event: 'issue_comment',
      payload: body,
      headers: { 'x-hub-signature-256': sha256 },
    });
    expect([good.status, bad.status]).toEqual([202, 401]);
  });

  test.each([
    ['no event', { 'x-github-event': undefined }, 400, 'X-GitHub-Event'],
    ['no delivery id', { 'x-github-delivery': undefined }, 400, 'X-GitHub-Delivery'],
    ['a delivery id that is none', { 'x-github-delivery': 'a:b' }, 400, 'X-GitHub-Delivery'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'application/json'],
    ['something called almost json', { 'content-type': 'application/jsonp' }, 415, 'application/json'],
  ])('says what is wrong with %s', async (_, headers, status, words) => {
    const answer = await postWebhook(at.harness.url, { ...COMMENT, headers });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
  });

  test('only takes POST, and only at its own address', async () => {
    const got = await fetch(at.harness.url);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await postWebhook(`${at.harness.url}/more`, COMMENT)).status).toBe(404);
    expect((await postWebhook(`${at.harness.url}?x=1`, COMMENT)).status).toBe(202);
  });

  test('refuses more than it takes, whether or not the length is announced', async () => {
    const payload = { ...commentPayload(), padding: 'x'.repeat(MAX_BYTES) };
    const announced = await postWebhook(at.harness.url, { event: 'issue_comment', payload });
    expect([announced.status, await announced.text()]).toEqual([413, expect.stringContaining(String(MAX_BYTES))]);
    expect(await chunked(at.harness.url, Buffer.alloc(MAX_BYTES + 1, 'x'))).toBe(413);
    expect(await chunked(at.harness.url, Buffer.alloc(10, 'x'))).toBe(401);
  });

  test('signed rubbish is refused', async () => {
    for (const payload of ['/auto', '["/auto"]', '"/auto"', 'null /auto']) {
      const answer = await postWebhook(at.harness.url, { event: 'issue_comment', payload });
      expect([answer.status, await answer.text()]).toEqual([400, 'the body is not a JSON object\n']);
    }
  });

  test('what does not concern us is acknowledged and costs nothing durable', async () => {
    const before = await at.redis.keys('*');
    const talk = { event: 'issue_comment', payload: commentPayload('I like it.') };
    const mention = { event: 'issue_comment', payload: commentPayload('See docs/automation.') };
    const bot = { ...COMMENT, payload: { ...commentPayload(), sender: { id: 5, login: 'ci[bot]', type: 'Bot' } } };
    const push = { event: 'push', payload: 'this is never even parsed' };
    for (const delivery of [talk, bot, push, { event: 'constructor', payload: {} }, mention]) {
      expect((await postWebhook(at.harness.url, delivery)).status).toBe(202);
    }
    await at.harness.inbox.idle();
    expect(at.harness.events).toEqual([]);
    expect((await at.redis.keys('*')).sort()).toEqual(before.sort());
  });

  test('neither secrets nor payloads get into the log', async () => {
    await postWebhook(at.harness.url, { ...COMMENT, payload: commentPayload('/auto hunter2') });
    await postWebhook(at.harness.url, { ...COMMENT, payload: commentPayload('/auto hunter2'), secret: 'wrong' });
    await at.harness.inbox.idle();
    const text = JSON.stringify(at.harness.log.lines);
    expect(text).toContain('webhook refused');
    expect(text).not.toMatch(/hunter2|webhook secret|the secret before/);
  });

  test('the same refusal is logged once a minute, and counted meanwhile', async () => {
    const wrong = { ...COMMENT, secret: 'wrong' };
    for (let time = 0; time < 20; time += 1) await postWebhook(at.harness.url, wrong);
    expect(at.harness.log.said('webhook refused')).toMatchObject([{ fields: { status: 401 } }]);
    at.harness.clock.advance(60_000);
    await postWebhook(at.harness.url, wrong);
    expect(at.harness.log.said('webhook refused')[1]).toMatchObject({ fields: { status: 401, times: 20 } });
  });
});

/** Sends a body without saying how long it is. */
function chunked(url: string, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-github-event': 'issues', 'x-github-delivery': 'd-9' };
    const outgoing = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    outgoing.once('error', reject);
    outgoing.write(body.subarray(0, 5));
    outgoing.end(body.subarray(5));
  });
}
