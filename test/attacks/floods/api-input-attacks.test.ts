import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import { createApi } from '../../../src/entry/api/api.js';
import { repoConfigs } from '../../../src/entry/service/repo-configs.js';
import { ManualClock } from '#pocket-github/clock';
import type { GitHost } from '../../../src/ports/git-host.js';
import { type ApiClient, serveApi, TOKEN } from '../../support/service/api-client.js';
import { cpuTimeOf } from '../../support/cpu-time.js';
import { MemoryModelAccount, MemoryAccountStore } from '../../support/memory/memory-model-account.js';
import { MemoryEventLog } from '../../support/memory/memory-event-log.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

/* Odd requests to the API by whoever has its token, and odd configurations of a repository. */

const AUTO = '/api/repos/ada/quay/issues/1/auto';

/** A log of events whose readers wait until they are let in. */
class SlowEvents extends MemoryEventLog {
  readonly #waiting: (() => void)[] = [];
  isSlow = false;

  override async since(...asked: Parameters<MemoryEventLog['since']>) {
    if (this.isSlow) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return super.since(...asked);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  letIn(): void {
    this.isSlow = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

describe('the API', () => {
  const asked: string[] = [];
  const at = {} as { client: ApiClient; events: SlowEvents; account: MemoryModelAccount };

  beforeEach(async () => {
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
      report: async () => null,
      live: async () => null,
      runs: async () => [],
    };
    at.events = new SlowEvents({ clock });
    at.account = new MemoryModelAccount({ store: new MemoryAccountStore(), clock, log, budgets: DEFAULT_BUDGETS });
    const access = { token: TOKEN, isLocal: true };
    const parts = { access, runs, account: at.account, events: at.events, clock, log };
    at.client = await serveApi(createApi({ ...parts, streams: { maxStreams: 3 } }));
  });
  afterEach(async () => {
    asked.splice(0);
    await at.client.close();
  });

  test('gives back the place of a listener who left before the stream began', async () => {
    at.events.isSlow = true;
    const { port } = new URL(at.client.url);
    const head = `GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`;
    const sockets = [1, 2, 3, 4, 5].map(() => connect({ port: Number(port), host: '127.0.0.1' }));
    const closed = sockets.map((socket) => new Promise((resolve) => void socket.on('close', resolve)));
    for (const socket of sockets) socket.write(head);
    await until('all of them wait', () => at.events.waiting === 5);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    // Their going is known to the service before whatever is answered to a later one.
    expect((await at.client.ask('GET', '/api/kill-switch')).status).toBe(200);
    at.events.letIn();
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { status } = await fetch(`${at.client.url}/api/events`, { headers, signal: stop.signal });
    stop.abort();
    expect(status).toBe(200);
  });

  test.each([
    ['{"__proto__":{"on":false}}'],
    ['{"on":false,"__proto__":{"by":"ada"}}'],
    ['{"on":false,"constructor":{}}'],
    ['{"on":"false"}'],
    ['{"on":0}'],
    ['[]'],
    ['null'],
    ['false'],
    ['{"on":false'],
    ['['.repeat(60_000)],
  ])('is not moved to lift the kill switch by %.40s', async (sent) => {
    await at.account.setKillSwitch(true, 'ada', 'the bill');
    const answer = await fetch(`${at.client.url}/api/kill-switch`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: sent,
    });
    expect(answer.status).toBe(422);
    expect((await at.account.report()).killSwitch).toMatchObject({ by: 'ada' });
  });

  test.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
    'does what the method says, not what %s says',
    async (header) => {
      await at.client.ask('GET', AUTO, undefined, { [header]: 'DELETE' });
      await at.client.ask('GET', `${AUTO}?_method=DELETE`);
      expect(asked).toEqual([]);
    },
  );

  test.each(['HEAD', 'OPTIONS', 'PATCH', 'PROPFIND'])('starts and stops nothing for %s', async (method) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(`${at.client.url}${AUTO}`, { method, headers });
    expect([answer.status, asked]).toEqual([405, []]);
  });

  test.each([
    ['in the query', `${AUTO}?token=${TOKEN}&access_token=${TOKEN}`, {}],
    ['in a cookie', AUTO, { cookie: `token=${TOKEN}` }],
    ['as a password', AUTO, { authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}` }],
    ['after another', AUTO, { authorization: `Bearer x, Bearer ${TOKEN}` }],
    ['with something behind it', AUTO, { authorization: `Bearer ${TOKEN} x` }],
    ['in capitals', AUTO, { authorization: `Bearer ${TOKEN.toUpperCase()}` }],
  ])('takes no token %s', async (_, path, headers) => {
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(`${at.client.url}${path}`, { method: 'POST', headers: all });
    expect([answer.status, asked]).toEqual([401, []]);
  });

  test.each(['0', '-1', '1e3', '0x10', '1.5', '1000', '%EF%BC%99', '', '1&limit=2', 'NaN'])(
    'lists no runs and no events up to a limit of “%s”',
    async (limit) => {
      for (const list of ['runs', 'events']) {
        const answer = await at.client.ask('GET', `/api/${list}?limit=${limit}`, undefined, {
          accept: 'application/json',
        });
        expect(answer.status).toBe(422);
      }
    },
  );

  test('refuses a body that grows past its limit without having said so', async () => {
    const { port } = new URL(at.client.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    const heard = { isCut: false };
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.on('close', () => (heard.isCut = true));
    socket.write(
      `POST ${AUTO} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\n` +
        `transfer-encoding: chunked\r\n\r\n`,
    );
    for (let piece = 0; piece < 5; piece += 1) socket.write(`4000\r\n${' '.repeat(0x4000)}\r\n`);
    await until('it is cut', () => heard.isCut);
    expect(asked).toEqual([]);
    expect((await at.client.ask('GET', '/api/kill-switch')).status).toBe(200);
  });
});

describe('.github/sluice.yml', () => {
  const at = async (text: string) => {
    const gitHost: Pick<GitHost, 'readFile'> = { readFile: async () => text };
    return repoConfigs(gitHost as GitHost).at({ owner: 'ada', repo: 'quay' }, 'a'.repeat(40));
  };

  test.each([
    ['cannot be read', 'merge: [never'],
    ['holds a rule nobody knows', 'merge: never\nmerges: never\n'],
    ['holds a rule twice', 'merge: auto\nmerge: never\n'],
    ['is two files', 'merge: never\n---\nmerge: auto\n'],
  ])('that %s lets nothing land by itself: whatever it was meant to forbid is not permitted', async (_, text) => {
    expect(await at(text)).toEqual({ route: 'pr', merge: 'never' });
  });

  test('of thirty thousand names is refused before they are compared with each other', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(cpuTimeOf(() => expect(parseRepoConfig(text).kind).toBe('invalid'))).toBeLessThan(500);
  });

  test.each([
    ['names of the prototype', '__proto__: {enabled: false}\nconstructor: x\n'],
    ['another map merged in', '<<: {test: "true"}\n'],
    ['bytes for a command', 'test: !!binary aGVsbG8=\n'],
    ['a command no program can be given', 'test: "true\\0; false"\n'],
    ['lists in lists', `test: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`],
    ['maps in maps', Array.from({ length: 240 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['numbers for checks', 'checks: [1e999, .nan]\n'],
  ])('with %s is refused and does not throw', (_, text) => {
    expect(parseRepoConfig(text)).toMatchObject({ kind: 'invalid' });
  });
});
