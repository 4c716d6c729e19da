import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiSettings } from '../../../src/config/api-settings.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import { createApi } from '../../../src/entry/api/api.js';
import { openApiAccess } from '../../../src/entry/api/api-token.js';
import { ManualClock } from '#pocket-github/clock';
import { type ApiClient, serveApi, TOKEN } from '../../support/service/api-client.js';
import { MemoryModelAccount, MemoryAccountStore } from '../../support/memory/memory-model-account.js';
import { MemoryEventLog } from '../../support/memory/memory-event-log.js';
import { RecordingLog } from '../../support/recording-log.js';

/* A web page that has a browser ask the API of the machine it runs on (A10, A11), and addresses that lead elsewhere (A15). */

const AUTO = '/api/repos/ada/quay/issues/1/auto';
const WRITES: readonly (readonly [string, string])[] = [
  ['POST', AUTO],
  ['DELETE', AUTO],
  ['PUT', '/api/kill-switch'],
  ['POST', '/api/account/clear'],
];

describe('the API', () => {
  const at: { client?: ApiClient } = {};
  /** What the engine behind it was asked about. */
  const asked: string[] = [];
  const ask: ApiClient['ask'] = (...request) => {
    if (at.client === undefined) throw new Error('not open');
    return at.client.ask(...request);
  };

  beforeAll(async () => {
    const [clock, log] = [new ManualClock(), new RecordingLog()];
    const note = (issue: IssueRef): void => void asked.push(formatIssue(issue));
    const runs = {
      start: async (issue: IssueRef) => {
        note(issue);
        return { kind: 'started', run: 'r1', startsAt: null } as const;
      },
      preview: async () => null,
      stop: async (issue: IssueRef) => {
        note(issue);
        return 'stopping' as const;
      },
      report: async (issue: IssueRef) => {
        note(issue);
        return null;
      },
      live: async () => null,
      runs: async () => [],
    };
    const account = new MemoryModelAccount({ store: new MemoryAccountStore(), clock, log, budgets: DEFAULT_BUDGETS });
    const access = { token: TOKEN, isLocal: true };
    at.client = await serveApi(createApi({ access, runs, account, events: new MemoryEventLog({ clock }), clock, log }));
  });
  afterAll(() => at.client?.close());
  afterEach(() => void asked.splice(0));

  describe.each(WRITES)('%s %s', (method, path) => {
    const sent = method === 'PUT' ? { on: false } : undefined;

    test.each([
      ['another site', { origin: 'https://evil.example' }],
      ['a page without an origin', { origin: 'null' }],
      ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
      ['another site, by what the browser says of it', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling site, by what the browser says of it', { 'sec-fetch-site': 'same-site' }],
    ])('sent by a page of %s is refused, whatever token it has', async (_, headers) => {
      const { status, body } = await ask(method, path, sent, headers);
      expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: 'cross-origin' } } });
      expect(asked).toEqual([]);
    });

    test.each([[''], ['text/plain'], ['application/x-www-form-urlencoded'], ['multipart/form-data; boundary=x']])(
      'that is not declared as JSON but as “%s” is refused, also without a body',
      async (type) => {
        const { status, body } = await ask(method, path, undefined, { 'content-type': type });
        expect({ status, body }).toMatchObject({ status: 415, body: { error: { code: 'not-json' } } });
        expect(asked).toEqual([]);
      },
    );

    test('without the token is refused, also on this machine where nobody has set one', async () => {
      expect((await ask(method, path, sent, { authorization: '' })).status).toBe(401);
      expect(asked).toEqual([]);
    });

    test('is answered to programs, and to a page the service serves itself', async () => {
      const { host, origin } = new URL(at.client?.url ?? '');
      for (const headers of [{}, { origin, host, 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])
        expect((await ask(method, path, sent, headers)).status).toBeLessThan(300);
    });
  });

  test('grants no other site anything when a browser asks beforehand', async () => {
    const answer = await fetch(`${at.client?.url}${AUTO}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each([
    ['/api/runs/lookup?repo=ada/..&issue=1'],
    ['/api/runs/lookup?repo=ada/.&issue=1'],
    ['/api/runs/lookup?repo=../quay&issue=1'],
    ['/api/runs/lookup?repo=ada/%252e%252e&issue=1'],
    ['/api/runs/lookup?repo=ada/quay&issue=2147483648'],
    ['/api/runs/lookup?repo=ada/quay&issue=9999999999'],
    ['/api/runs/lookup?repo=ada/quay&issue=99999999999999999999'],
    ['/api/repos/ada/%2e%2e/issues/1/auto'],
    ['/api/repos/ada/..%2f..%2fuser/issues/1/auto'],
    ['/api/repos/ada%2fquay/x/issues/1/auto'],
    ['/api/repos/ada/quay/issues/2147483648/auto'],
    ['/api/repos/ada/quay/issues/1%2f..%2f2/auto'],
    ['/api/repos/ada/quay/issues/0/auto'],
    ['/api/repos/ada/quay/issues/-1/auto'],
    ['/api/repos/ada/quay/issues/1e3/auto'],
  ])('%s is not found, and does not reach anything behind the API', async (path) => {
    expect((await ask('GET', path)).status).toBe(404);
    if (path.startsWith('/api/repos')) expect((await ask('POST', path)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test('the largest number GitHub can give is asked for', async () => {
    await ask('GET', '/api/repos/ada/quay/issues/2147483647/auto');
    expect(asked).toEqual(['ada/quay#2147483647']);
  });
});

describe('the token of an API nobody has set one for', () => {
  const folders: string[] = [];
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'sluice-token-'));
    folders.push(path);
    return path;
  };
  afterEach(() => {
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
  });
  const UNSET = { kind: 'on', token: null } as const;
  const told: string[] = [];
  afterEach(() => void told.splice(0));
  const access = (settings: ApiSettings, home: string) => openApiAccess(settings, home, (line) => told.push(line));

  test('is generated at the first start, kept for the next ones, and readable by its owner alone', () => {
    const home = folder();
    const first = access(UNSET, join(home, 'deep'));
    expect(first).toEqual({ token: expect.stringMatching(/^[0-9a-f]{64}$/), isLocal: true });
    expect(access(UNSET, join(home, 'deep'))).toEqual(first);
    expect(told).toEqual([expect.stringContaining(first?.token ?? '?')]);
    const path = join(home, 'deep', 'api-token');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(readFileSync(path, 'utf8').trim()).toBe(first?.token);
    expect(access(UNSET, folder())?.token).not.toBe(first?.token);
  });

  test.each([
    ['others can read', 'a'.repeat(64), 0o644],
    ['somebody made easy to guess', '1234', 0o600],
    ['is empty', '', 0o600],
  ])('is a new one where the file holds one that %s', (_, text, mode) => {
    const home = folder();
    const path = join(home, 'api-token');
    writeFileSync(path, text, { mode });
    const token = access(UNSET, home)?.token;
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(token).not.toBe(text);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  test('is the configured one where there is one, and none where the API is off', () => {
    expect(access({ kind: 'on', token: 'configured by hand' }, folder())).toEqual({
      token: 'configured by hand',
      isLocal: false,
    });
    expect(access({ kind: 'off' }, folder())).toBeNull();
  });
});
