import { describe, expect, test } from '@jest/globals';
import nock from 'nock';
import { sendGraphql } from '../../../../../src/adapters/github/client/graphql.js';
import { createOctokit } from '../../../../../src/adapters/github/client/octokit.js';
import { verbatim } from '../../../../../src/adapters/github/client/rules/published-texts.js';
import { requestAs } from '../../../../../src/adapters/github/client/rules/rule.js';
import { ManualClock } from '#pocket-github';
import { interceptHttp } from '../../../../support/intercept-http.js';
import { RecordingLog } from '../../../../support/recording-log.js';

/* What leaves for GitHub, at addresses that no server of a test has. */

interceptHttp();

const open = (apiUrl = 'https://api.github.com') => {
  const log = new RecordingLog();
  return { octokit: createOctokit({ apiUrl, clock: new ManualClock(), log }), log };
};

describe('a request', () => {
  test.each([
    ['https://api.github.com', 'https://api.github.com', '/user', '/graphql'],
    ['https://api.acme.ghe.com', 'https://api.acme.ghe.com', '/user', '/graphql'],
    ['https://git.acme.org/api/v3', 'https://git.acme.org', '/api/v3/user', '/api/graphql'],
  ])('to %s goes to the right address, with version and name', async (apiUrl, origin, user, graphql) => {
    const headers = { 'x-github-api-version': '2022-11-28', 'user-agent': /^sluice /, authorization: 'token t' };
    nock(origin, { reqheaders: headers })
      .get(user)
      .reply(200, { id: 1 })
      .post(graphql)
      .reply(200, { data: { a: 1 } });
    const { octokit } = open(apiUrl);
    expect(await octokit.rest.users.getAuthenticated({ request: requestAs('token t') })).toMatchObject({ status: 200 });
    const answer = await sendGraphql(octokit, 'query Q { a }', {}, requestAs('token t').context);
    expect(answer).toMatchObject({ data: { a: 1 }, errors: [] });
    expect(nock.isDone()).toBe(true);
  });

  test('that does not say as whom is not sent', async () => {
    await expect(open().octokit.rest.users.getAuthenticated()).rejects.toThrow(
      'GET /user was called without `request`',
    );
  });

  test('that is sent again with a new credential is the same in all else', async () => {
    const bodies: unknown[] = [];
    const authorizations = ['token old', 'token new'];
    for (const [index, authorization] of authorizations.entries())
      nock('https://api.github.com', { reqheaders: { authorization } })
        .post('/graphql', (body) => bodies.push(body) > 0)
        .reply(index === 0 ? 401 : 200, { data: {} });
    const authorize = async () => ({
      header: authorizations.shift() ?? '',
      rateLimitKey: null,
      shouldRetry: ({ status }: { status: number }) => status === 401,
    });
    const input = { body: '@mallory', title: '@mallory', ticked: { body: verbatim('- [x] @wren') } };
    await sendGraphql(open().octokit, 'mutation M { a }', { input }, { authorize });
    const sent = { body: '`@mallory`', title: '`@mallory`', ticked: { body: '- [x] @wren' } };
    const body = { query: 'mutation M { a }', variables: { input: sent } };
    expect(bodies).toEqual([body, body]);
  });

  test('whose answer has no date is dated by our own clock', async () => {
    nock('https://api.github.com').post('/graphql').reply(200, { data: null });
    const clock = new ManualClock();
    const octokit = createOctokit({ apiUrl: 'https://api.github.com', clock, log: new RecordingLog() });
    const answer = await sendGraphql(octokit, 'query Q { a }', {}, requestAs(null).context);
    expect(answer).toEqual({ data: null, errors: [], at: clock.now() });
  });

  test('to an endpoint that GitHub is going to remove shows in the log, a refusal does not', async () => {
    const headers = { deprecation: 'Sat, 01 Nov 2025 23:59:59 GMT', sunset: 'Sun, 01 Nov 2026 23:59:59 GMT' };
    nock('https://api.github.com').get('/user').reply(404, {}, headers);
    const { octokit, log } = open();
    const asked = octokit.rest.users.getAuthenticated({ request: requestAs(null) });
    await expect(asked).rejects.toMatchObject({ problem: 'not-found' });
    expect(log.lines.map(({ message }) => message)).toEqual(['Octokit warned']);
  });
});
