import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApi } from '../../../src/entry/api/api.js';
import { openApi } from '../../../src/entry/api/open-api.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import { ManualClock } from '#pocket-github/clock';
import { GitHubError } from '../../../src/ports/github.js';
import { type ApiClient, serveApi, TOKEN } from '../../support/service/api-client.js';
import { MemoryModelAccount, MemoryAccountStore } from '../../support/memory/memory-model-account.js';
import { MemoryEventLog } from '../../support/memory/memory-event-log.js';
import { RecordingLog } from '../../support/recording-log.js';

/* Who is answered, what goes wrong behind the API, and the account: no GitHub needed. */

const AUTO = '/api/repos/ada/quay/issues/1/auto';

function createTestApi(isLocal = false) {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  const trouble: { error: unknown } = { error: null };
  const failing = async (): Promise<never> => {
    throw trouble.error;
  };
  const account = new MemoryModelAccount({ store: new MemoryAccountStore(), clock, log, budgets: DEFAULT_BUDGETS });
  const runs = { start: failing, preview: failing, stop: failing, report: failing, live: failing, runs: failing };
  const api = createApi({
    access: { token: TOKEN, isLocal },
    runs,
    account,
    events: new MemoryEventLog({ clock }),
    clock,
    log,
  });
  return { api, clock, log, trouble, account };
}

describe('with a token', () => {
  const behind = createTestApi();
  const at: { client?: ApiClient } = {};
  const ask: ApiClient['ask'] = (...request) => {
    if (at.client === undefined) throw new Error('not open');
    return at.client.ask(...request);
  };
  beforeAll(async () => void (at.client = await serveApi(behind.api)));
  afterAll(() => at.client?.close());

  test.each([
    ['none', '', 'missing-token'],
    ['another kind', `Basic ${TOKEN}`, 'missing-token'],
    ['an empty one', 'Bearer ', 'missing-token'],
    ['a wrong one', 'Bearer nonsense', 'invalid-token'],
    ['the beginning of it', `Bearer ${TOKEN.slice(0, -1)}`, 'invalid-token'],
    ['more than it', `Bearer ${TOKEN}x`, 'invalid-token'],
  ])('%s is refused, whatever is asked for', async (_, authorization, code) => {
    for (const path of ['/api/account', '/api/nonsense', '/api/openapi.json']) {
      const { status, headers, body } = await ask('GET', path, undefined, { authorization });
      expect({ status, body }).toMatchObject({ status: 401, body: { error: { code } } });
      expect(headers.get('www-authenticate')).toBe('Bearer realm="sluice"');
    }
  });

  test('it is taken in any case of its kind', async () => {
    const reply = await ask('GET', '/api/account', undefined, { authorization: `bearer  ${TOKEN} ` });
    expect(reply.status).toBe(200);
  });

  test('the description is the one in docs/openapi.json', async () => {
    expect((await ask('GET', '/api/openapi.json')).body).toEqual(openApi());
  });

  test('what GitHub sends is not the API’s, nor is anything else', async () => {
    for (const path of ['/api/github/webhooks', '/api/github', '/apiary', '/']) {
      const answer = await fetch(`${at.client?.url}${path}`);
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 404,
        text: 'there is nothing here\n',
      });
    }
    expect((await fetch(`${at.client?.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${at.client?.url}/readyz`)).status).toBe(200);
  });

  test.each<[number, string, string | null, Error]>([
    [503, 'github-unavailable', '91', new GitHubError('rate-limited', 'used up', behind.clock.now() + 90_500)],
    [503, 'github-unavailable', '5', new GitHubError('transient', 'no answer')],
    [502, 'github-refused', null, new GitHubError('forbidden', 'no')],
    [404, 'no-such-issue', null, new GitHubError('not-found', 'gone')],
    [500, 'internal-error', null, new Error('a secret detail')],
  ])('trouble behind it is told as what it is: %i %s', async (status, code, retryAfter, error) => {
    behind.trouble.error = error;
    const reply = await ask('GET', AUTO);
    expect(reply).toMatchObject({ status, body: { error: { code, remedy: expect.any(String) } } });
    expect(reply.headers.get('retry-after')).toBe(retryAfter);
    expect(JSON.stringify(reply.body)).not.toContain('a secret detail');
    expect(behind.log.said('API request failed')).toHaveLength(status === 500 ? 1 : 0);
  });

  test('what is kept in Redis cannot be told while Redis is away', async () => {
    behind.trouble.error = new Error('Connection is closed.');
    expect(await ask('GET', '/api/runs')).toMatchObject({
      status: 503,
      body: { error: { code: 'redis-unavailable' } },
    });
  });

  test('the kill switch is turned, shown, and turned back', async () => {
    expect((await ask('GET', '/api/kill-switch')).body).toEqual({ on: false, since: null });
    const since = { by: 'api (wren)', why: 'lunch', at: new Date(behind.clock.now()).toISOString() };
    const on = await ask('PUT', '/api/kill-switch', { on: true, why: 'lunch', by: 'wren' });
    expect(on).toMatchObject({ status: 200, body: { on: true, since } });
    expect((await ask('GET', '/api/account')).body).toMatchObject({
      breaker: { kind: 'closed', until: null },
      killSwitch: since,
      holds: [{ on: 'kill-switch' }],
    });
    expect((await ask('PUT', '/api/kill-switch', { on: false, why: 'back' })).body).toEqual({ on: false, since: null });
    expect((await ask('PUT', '/api/kill-switch', { on: 'yes' })).status).toBe(422);
  });

  test('an account that rests says until when and why, and can be cleared', async () => {
    const { account, clock } = behind;
    await account.admit('r1', { owner: 'ada', repo: 'quay' }, { usd: 2, ms: 60_000 });
    await account.recordEnd(
      'r1',
      { owner: 'ada', repo: 'quay' },
      { kind: 'quota', costUsd: 1.5, until: clock.now() + 60_000 },
    );
    expect((await ask('GET', '/api/account')).body).toMatchObject({
      breaker: { kind: 'open', on: 'quota', until: expect.stringMatching(/Z$/), why: expect.any(String) },
      today: { service: { usd: 1.5 }, repositories: [{ repository: 'ada/quay', usd: 1.5 }] },
    });
    expect((await ask('POST', '/api/account/clear')).body).toMatchObject({ breaker: { kind: 'closed' }, holds: [] });
  });
});

describe('with a token nobody has set', () => {
  const at: { client?: ApiClient } = {};
  beforeAll(async () => void (at.client = await serveApi(createTestApi(true).api)));
  afterAll(() => at.client?.close());

  test.each([
    ['127.0.0.1:3000', 200],
    ['127.8.9.10', 200],
    ['localhost', 200],
    ['[::1]:3000', 200],
    ['sluice.example.com', 403],
    ['localhost.example.com', 403],
    ['10.0.0.1', 403],
    ['0.0.0.0', 403],
  ])('asked as %s: %i', async (host, status) => {
    expect(await at.client?.askAs(host, '/api/account')).toBe(status);
  });

  test('a form on somebody else’s page cannot start anything', async () => {
    const reply = await at.client?.ask('POST', AUTO, '{}', { 'content-type': 'text/plain' });
    expect(reply?.status).toBe(415);
  });
});
