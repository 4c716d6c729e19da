import { describe, expect, test } from '@jest/globals';
import nock from 'nock';
import { openKeyProxy } from '../../../../support/agent/key-proxy-fixture.js';
import { ask, REQUEST } from '../../../../support/agent/model-client.js';
import { interceptHttp } from '../../../../support/intercept-http.js';

/* What leaves for the provider itself, over HTTPS: the scripted model is on loopback and sees neither. */

interceptHttp(/127\.0\.0\.1/);

const PROVIDER = 'https://api.anthropic.com';
const ANSWER = { type: 'message', role: 'assistant', content: [], usage: { input_tokens: 10, output_tokens: 5 } };

describe('a request that is forwarded', () => {
  test('carries the real key, what was looked at, and nothing else of the run', async () => {
    const bodies: unknown[] = [];
    const reqheaders = { 'x-api-key': 'sk-ant-api03-the-real-one', 'x-app': 'cli', 'accept-encoding': 'identity' };
    nock(PROVIDER, { reqheaders, badheaders: ['authorization', 'cookie', 'x-forwarded-for', 'x-own'] })
      .post('/v1/messages?beta=true', (body) => bodies.push(body) > 0)
      .reply(200, ANSWER);
    const pass = await openKeyProxy(PROVIDER).admit();
    const headers = { cookie: 'a=b', 'x-forwarded-for': '10.0.0.1', 'x-own': 'mine', 'x-app': 'cli' };
    const answer = await ask(pass, { headers });
    expect({ ...answer, text: JSON.parse(answer.text) }).toEqual({ status: 200, text: ANSWER });
    expect(bodies).toEqual([REQUEST]);
  });

  test('is sent once, also when the provider breaks off', async () => {
    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const scope = nock(PROVIDER).post('/v1/messages?beta=true').replyWithError(reset);
    // Would answer a second attempt.
    nock(PROVIDER).post('/v1/messages?beta=true').reply(200, ANSWER);
    const pass = await openKeyProxy(PROVIDER).admit();
    expect((await ask(pass)).status).toBe(502);
    expect(pass.trouble()).toMatchObject({ kind: 'provider-down' });
    expect(scope.isDone()).toBe(true);
    expect(nock.pendingMocks()).toHaveLength(1);
  });
});
