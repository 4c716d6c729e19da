import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import nock from 'nock';
import { post } from '../../src/webhooks/post.js';

/* Receivers that misbehave in ways a real server on loopback is hard to talk into. */

const STRANGE = 'http://127.0.0.1:9';

beforeAll(() => {
  // Another file of this process may have ended it.
  if (!nock.isActive()) nock.activate();
  // What was imported by name before nock came, and will be after it is gone, is put right by this.
  syncBuiltinESMExports();
});
afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
});
afterAll(() => {
  nock.restore();
  syncBuiltinESMExports();
});

const deliver = (timeoutMs = 10_000) =>
  post(`${STRANGE}/hook`, { 'x-github-event': 'ping' }, '{}', timeoutMs, new AbortController().signal);

describe('a receiver', () => {
  test('that breaks the connection was not reached', async () => {
    nock(STRANGE)
      .post('/hook')
      .replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    expect(await deliver()).toMatchObject({ reached: false, statusCode: 502, status: 'failed to connect to host' });
  });

  test.each([
    [202, 'OK'],
    [404, 'Invalid HTTP Response: 404'],
    [500, 'Invalid HTTP Response: 500'],
  ])('that answers %d is recorded with it, its answer cut to a sensible length', async (code, status) => {
    nock(STRANGE).post('/hook').reply(code, 'x'.repeat(1_000_000));
    const answer = await deliver();
    expect(answer).toMatchObject({ reached: true, statusCode: code, status });
    expect(answer.body.length).toBeLessThanOrEqual(64 * 1024);
  });

  test('on another machine is never asked', async () => {
    const signal = new AbortController().signal;
    const answer = await post('http://hooks.example/hook', {}, '{}', 10_000, signal);
    expect(answer).toMatchObject({ reached: false, statusCode: 502, status: 'not a loopback address' });
  });

  test('that takes too long is given up', async () => {
    nock(STRANGE).post('/hook').delay(60_000).reply(200);
    expect(await deliver(50)).toMatchObject({ reached: false, statusCode: 504, status: 'timed out' });
  });
});
