import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, graphqlFailure, refusalOf } from '../../../../../src/adapters/github/client/errors.js';
import type { RequestEffect } from '#pocket-github';
import type { GitHub } from '../../../../../src/ports/github.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import {
  appTokens,
  githubFor,
  NO_HINTS,
  personalToken,
  QUIET_LOG,
  createTestGitHub,
} from '../../../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../../../support/until.js';

const MINUTE = 60_000;

let p: TestPocket;
let github: GitHub;
freshPocketEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  p.pocket.faults.clear();
  // A rate limit that one test used up is full again for the next.
  p.clock.advance(60 * MINUTE);
});

const ref = { owner: 'ada', repo: 'sandbox', number: 1 };
const look = () => github.snapshot(ref, NO_HINTS);

/** An issue, and an effect on all that follows. */
async function struckBy(effect: RequestEffect): Promise<void> {
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow' });
  const tokens = appTokens(p);
  await tokens.tokenFor(p.at);
  github = githubFor(p, tokens);
  p.pocket.faults.arm({ on: 'request', match: {}, occurrence: { nth: 1 }, effect });
}

describe('what comes over the wire', () => {
  test.each([
    ['a server error', { kind: 'status', status: 503, when: 'before' }],
    ['a cut connection', { kind: 'reset', when: 'after' }],
  ] as const)('%s is transient, and nothing is asked a second time', async (_what, effect) => {
    await struckBy(effect);
    const seq = p.pocket.journal.lastSeq();
    await expect(look()).rejects.toMatchObject({ name: 'GitHubError', problem: 'transient', retry: 'transient' });
    expect(p.pocket.journal.requests(seq)).toHaveLength(1);
  });

  test('silence is transient after thirty seconds, and not before', async () => {
    await struckBy({ kind: 'timeout', when: 'before' });
    const seq = p.pocket.journal.lastSeq();
    const asked = look();
    const ended: string[] = [];
    asked.catch(() => ended.push('ended'));
    await until('the request has arrived', () => p.pocket.journal.requests(seq).length > 0);
    p.clock.advance(29_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual([]);
    p.clock.advance(1);
    await expect(asked).rejects.toMatchObject({ problem: 'transient', message: expect.stringContaining('in time') });
  });

  test('a used-up rate limit says until when', async () => {
    await struckBy({ kind: 'primary-limit' });
    const { world } = p.pocket;
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited', until: world.now() + 60 * MINUTE });
    await expect(github.roleOf(p.at, p.users.ada)).resolves.toBe('admin');
  });

  test.each([
    [403, 90, 90_000],
    [429, null, MINUTE],
    [403, null, MINUTE],
  ] as const)('a secondary limit with %d and retry-after %p is waited out', async (status, retryAfterSeconds, wait) => {
    await struckBy({ kind: 'secondary-limit', status, retryAfterSeconds });
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited', until: p.clock.now() + wait });
  });

  test('a personal token that is not taken is forbidden at once', async () => {
    await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow' });
    github = githubFor(p, personalToken(p, 'wren'), { accountId: 1, appId: null });
    p.pocket.faults.arm({ on: 'request', match: {}, occurrence: { times: 5 }, effect: { kind: 'unauthorized' } });
    const seq = p.pocket.journal.lastSeq();
    await expect(look()).rejects.toMatchObject({ problem: 'forbidden', retry: 'permanent' });
    expect(p.pocket.journal.requests(seq)).toHaveLength(1);
  });

  test('a wrong address does not make issues look gone', async () => {
    const { id: appId, botId: accountId } = p.app;
    const apiUrl = `${p.pocket.urls.html}/nowhere`;
    const options = { apiUrl, tokens: appTokens(p), clock: p.clock, log: QUIET_LOG };
    github = createTestGitHub({ ...options, identity: { accountId, appId } });
    const message = expect.stringContaining(`${apiUrl}/graphql`);
    await expect(look()).rejects.toMatchObject({ problem: 'permanent', message });
  });

  test('a part of a snapshot that must not be read makes the whole of it an error', async () => {
    await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow' });
    p.pocket.world.tables.repositories.update(p.repository, { private: true });
    const tokens = appTokens(p);
    const { text } = await tokens.tokenFor(p.at);
    const { tokens: rows } = p.pocket.world.tables;
    const [row] = rows.by('text', text);
    if (row !== undefined)
      rows.update(row, { permissions: { issues: 'read', metadata: 'read', organization_projects: 'read' } });
    await expect(githubFor(p, tokens).snapshot(ref, NO_HINTS)).rejects.toMatchObject({ problem: 'forbidden' });
  });
});

describe('answers that refuse', () => {
  const NOW = 1_000_000;
  const answer = (status: number, headers: Record<string, string> = {}, data: unknown = { message: 'No' }): Answer => ({
    status,
    headers,
    data,
    at: NOW - 7000,
  });

  test.each([
    [400, 'permanent'],
    [401, 'forbidden'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [408, 'transient'],
    [409, 'transient'],
    [410, 'not-found'],
    [422, 'permanent'],
    [429, 'rate-limited'],
    [451, 'forbidden'],
    [500, 'transient'],
    [502, 'transient'],
  ] as const)('%d is %s', (status, problem) => {
    expect(refusalOf('asking', answer(status), NOW)).toMatchObject({ problem, message: `asking: ${status} No` });
  });

  test('a reset by the clock of GitHub is told by ours', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((NOW - 7000 + 5000) / 1000) };
    expect(refusalOf('asking', answer(403, headers), NOW)).toMatchObject({
      problem: 'rate-limited',
      until: NOW + 5000,
    });
  });

  test('a page of HTML instead of JSON is no obstacle', () => {
    expect(refusalOf('asking', answer(502, {}, '<html>'), NOW).message).toBe('asking: 502 without a message');
  });
});

describe('errors of a document', () => {
  test.each([
    [{ type: 'NOT_FOUND' }, 'not-found'],
    [{ type: 'FORBIDDEN' }, 'forbidden'],
    [{ type: 'INSUFFICIENT_SCOPES' }, 'forbidden'],
    [{ type: 'UNPROCESSABLE' }, 'permanent'],
    [{ type: 'STALE_DATA' }, 'transient'],
    [{}, 'transient'],
    [{ extensions: { code: 'undefinedField' } }, 'permanent'],
  ] as const)('%j is %s', (error, problem) => {
    expect(graphqlFailure('Doc', [{ message: 'No', ...error }])).toMatchObject({ problem, message: 'Doc: No' });
  });

  test('several are told as one, and what will not pass by itself decides', () => {
    const errors = [
      { message: 'Something went wrong' },
      { message: 'Gone', type: 'NOT_FOUND' },
      { message: 'Gone', type: 'NOT_FOUND' },
    ];
    expect(graphqlFailure('Doc', errors)).toMatchObject({
      problem: 'not-found',
      message: 'Doc: Something went wrong; Gone',
    });
  });
});
