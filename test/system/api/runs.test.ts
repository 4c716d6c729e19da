import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunReport } from '../../../src/usecases/report/run-report.js';
import { recordEvents } from '../../../src/usecases/events/record-events.js';
import { engineApi } from '../../../src/entry/api/engine-api.js';
import { acquireLease } from '../../../src/usecases/phases/lease.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { type ApiClient, serveApi, TOKEN } from '../../support/service/api-client.js';
import { standardAgent } from '../../support/agent/standard-agent.js';
import { type EngineInstance, startEngineInstance } from '../../support/service/engine-instance.js';
import { CrashWorld } from '../../chaos/support/crash/crash-world.js';
import { MemoryQueueStore } from '../../support/memory/memory-queue-store.js';
import { RecordingLog } from '../../support/recording-log.js';

/* The API in front of a whole engine on Pocket GitHub: real state refs, real git, a queue and an event log in memory. */

const ACCESS = { token: TOKEN, isLocal: false };
const AUTO = '/api/repos/ada/quay/issues/1/auto';

interface ApiHarness {
  readonly world: CrashWorld;
  readonly instance: EngineInstance;
  readonly client: ApiClient;
  readonly log: RecordingLog;
}

const at: { harness?: ApiHarness } = {};

/** `paused`: nothing works, so that runs stay where they are. */
async function open(paused: boolean): Promise<ApiHarness> {
  const world = await CrashWorld.open();
  const log = new RecordingLog();
  const instance = await startEngineInstance(world, {
    agent: (clock) => standardAgent(clock, 'XS'),
    store: new MemoryQueueStore(),
    log,
    breakEngine: (engine) => ({ ...engine, states: recordEvents(engine.states, engine) }),
    ...(paused ? { breakHandlers: () => ({ wake: async () => undefined, phase: async () => undefined }) } : {}),
  });
  const client = await serveApi(engineApi(instance.engine, ACCESS));
  at.harness = { world, instance, client, log };
  return at.harness;
}

async function close(): Promise<void> {
  await at.harness?.client.close();
  await at.harness?.instance.end();
  await at.harness?.world.close();
}

const code = (body: unknown): string => (body as { error: { code: string } }).error.code;

describe('a run that is asked for', () => {
  afterEach(close);

  test('is started, drives the issue to its end, and can be looked at on the way', async () => {
    const { client, instance, world } = await open(false);
    expect(await client.ask('GET', AUTO)).toMatchObject({ status: 404, body: { error: { code: 'not-driven' } } });
    const started = await client.ask('POST', AUTO, { by: 'wren', maxIterations: 9 });
    expect(started).toMatchObject({
      status: 201,
      body: { issue: { owner: 'ada', repo: 'quay', number: 1 }, run: expect.any(String), location: AUTO },
    });
    expect(started.headers.get('location')).toBe(AUTO);
    await instance.queue.idle();
    await world.pocket.settle();
    const { status, body } = await client.ask('GET', AUTO);
    expect(status).toBe(200);
    const run = body as RunReport;
    expect(run).toMatchObject({
      status: 'done',
      phase: 'done',
      size: 'XS',
      route: 'patch',
      open: false,
      run: { by: 'api (wren)', options: { maxIterations: 9 } },
      landed: expect.stringMatching(/^[0-9a-f]{40}$/),
      halt: null,
      next: { action: 'wait', what: 'rest' },
    });
    expect(run.criteria.map(({ verdict }) => verdict)).toContain('PASS');
    expect(run.transitions[0]).toMatchObject({ phase: 'issue', because: 'api (wren) asked for it' });
    const kinds = (await instance.engine.events.since('0-0', 100)).flatMap((one) =>
      one.kind === 'event' ? [one.event.kind] : [],
    );
    expect(kinds).toEqual(expect.arrayContaining(['run-started', 'phase-started', 'phase-ended', 'effect', 'done']));
    expect(await client.ask('POST', AUTO)).toMatchObject({
      status: 422,
      body: { error: { code: 'refused', reasons: ['The issue is closed. Reopen it first.'] } },
    });
    expect((await client.ask('GET', '/api/runs')).body).toEqual({ runs: [], next: null });
    expect((await client.ask('GET', '/api/runs?status=done')).body).toMatchObject({
      runs: [{ status: 'done', location: AUTO }],
    });
  });

  test('of twenty requests at the same moment exactly one starts it; the others are told where it is', async () => {
    const { client, instance } = await open(true);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.ask('POST', AUTO, {})));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
    for (const { status, headers, body } of replies) {
      expect(headers.get('location')).toBe(AUTO);
      if (status === 409) expect(body).toMatchObject({ error: { code: 'already-running', location: AUTO } });
    }
    const { engine } = instance;
    const runs = (await engine.events.since('0-0', 100)).filter(
      (one) => one.kind === 'event' && one.event.kind === 'run-started',
    );
    expect(runs).toHaveLength(1);
  });

  test('only in thought, says what it would go through and leaves nothing behind', async () => {
    const { client } = await open(true);
    expect((await client.ask('POST', AUTO, { dryRun: true, route: 'patch' })).body).toEqual({
      issue: { owner: 'ada', repo: 'quay', number: 1 },
      size: null,
      route: 'patch',
      phases: ['issue', 'spec', 'code', 'verify', 'done'],
    });
    expect((await client.ask('GET', AUTO)).status).toBe(404);
  });

  test('stops when it is asked to, once, and goes on when it is asked for again', async () => {
    const { client, instance } = await open(true);
    expect(code((await client.ask('DELETE', AUTO)).body)).toBe('not-driven');
    await client.ask('POST', AUTO, {});
    expect(await client.ask('DELETE', `${AUTO}?how=pause&by=wren`)).toMatchObject({
      status: 202,
      body: { how: 'pause', location: AUTO },
    });
    expect((await client.ask('DELETE', AUTO)).status).toBe(202);
    expect((await client.ask('GET', '/api/runs')).body).toMatchObject({
      runs: [{ status: 'stopping', because: 'api asked to stop' }],
    });
    const told = (await instance.engine.events.since('0-0', 100)).flatMap((one) =>
      one.kind === 'event' && one.event.kind === 'stop-requested' ? [`${one.event.by} ${one.event.how}`] : [],
    );
    expect(told).toEqual(['api (wren) pause', 'api stop']);
  });
});

describe('what is known about a run', () => {
  afterAll(close);
  beforeAll(async () => {
    const { client } = await open(true);
    await client.ask('POST', AUTO, { budgetUsd: 2.5, stopAt: 'review' });
  });
  const client = (): ApiClient => {
    if (at.harness === undefined) throw new Error('not open');
    return at.harness.client;
  };

  test('has a tag: who has it already is sent nothing', async () => {
    const first = await client().ask('GET', AUTO);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await client().ask('GET', AUTO, undefined, { 'if-none-match': `"other", ${etag}` });
    expect(again).toMatchObject({ status: 304, body: '' });
    await client().ask('DELETE', AUTO);
    expect((await client().ask('GET', AUTO, undefined, { 'if-none-match': etag })).status).toBe(200);
  });

  test('is found by repository and number, under its own address', async () => {
    const found = await client().ask('GET', '/api/runs/lookup?repo=ada/quay&issue=1');
    expect(found).toMatchObject({ status: 200, body: { run: { options: { budgetUsd: 2.5, stopAt: 'review' } } } });
    expect(found.headers.get('content-location')).toBe(AUTO);
  });

  test('includes what its agent did last, while one runs', async () => {
    const { engine } = at.harness?.instance ?? {};
    const issue = { owner: 'ada', repo: 'quay', number: 1 };
    const seen = engine === undefined ? null : await observe(engine, issue);
    if (engine === undefined || seen === null) throw new Error('not open');
    const said = { at: engine.clock.now(), issue, phase: 'issue', phaseRun: 'p', kind: 'tool', text: 'Bash' } as const;
    await engine.events.note(said);
    expect((await client().ask('GET', AUTO)).body).toMatchObject({ lease: null, live: null });
    const lease = await acquireLease(engine, seen, 'issue', 'go');
    expect((await client().ask('GET', AUTO)).body).toMatchObject({
      status: 'running',
      lease: { phase: 'issue', phaseRun: lease?.phaseRun },
      live: { recent: [{ kind: 'tool', text: 'Bash', at: new Date(said.at).toISOString() }] },
      next: { action: 'wait', what: 'lease' },
    });
    lease?.abandon();
  });

  test('is not started where the operator does not want it', async () => {
    const { engine } = at.harness?.instance ?? {};
    if (engine === undefined) throw new Error('not open');
    const strict = await serveApi(engineApi({ ...engine, serves: () => false }, ACCESS));
    expect(await strict.ask('POST', AUTO)).toMatchObject({ status: 403, body: { error: { code: 'not-served' } } });
    await strict.close();
  });

  test.each([
    ['GET', '/api/runs/lookup?repo=ada/quay&issue=99', 'no-such-issue'],
    ['GET', '/api/runs/lookup?repo=ada/nothing&issue=1', 'no-such-issue'],
    ['GET', '/api/repos/ada/quay/issues/zero/auto', 'no-such-issue'],
    ['POST', '/api/repos/ada/quay/issues/99/auto', 'no-such-issue'],
    ['POST', '/api/repos/-ada/quay/issues/1/auto', 'no-such-issue'],
    ['DELETE', '/api/repos/ada/quay/issues/99/auto', 'no-such-issue'],
    ['GET', '/api/nonsense', 'not-found'],
    ['GET', '/api/runs/', 'not-found'],
  ])('%s %s: there is nothing', async (method, path, expected) => {
    const { status, body } = await client().ask(method, path);
    expect({ status, code: code(body) }).toEqual({ status: 404, code: expected });
  });
});

describe('a request that is not understood', () => {
  afterAll(close);
  beforeAll(async () => void (await open(true)));
  const ask: ApiClient['ask'] = (...request) => {
    if (at.harness === undefined) throw new Error('not open');
    return at.harness.client.ask(...request);
  };

  test('is told everything that is wrong with it at once', async () => {
    const wrong = { route: 'fast', budgetUsd: -1, maxIterations: 1.5, base: '../x', stopAt: 'lunch', colour: 'red' };
    const { status, body } = await ask('POST', AUTO, wrong);
    const { reasons } = (body as { error: { reasons: string[] } }).error;
    expect(status).toBe(422);
    expect(reasons.map((reason) => reason.split(':')[0])).toEqual([
      'route',
      'base',
      'stopAt',
      'budgetUsd',
      'maxIterations',
      'Unrecognized key',
    ]);
  });

  test.each([
    ['POST', AUTO, '{"route":', {}, 422, 'invalid'],
    ['POST', AUTO, '[]', {}, 422, 'invalid'],
    ['POST', AUTO, '"x"', {}, 422, 'invalid'],
    ['POST', AUTO, '{"by":"@everyone"}', {}, 422, 'invalid'],
    ['POST', AUTO, 'route=pr', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'not-json'],
    ['POST', AUTO, '{}', { 'content-type': 'text/plain' }, 415, 'not-json'],
    ['DELETE', `${AUTO}?how=kill`, undefined, {}, 422, 'invalid'],
    ['GET', '/api/runs?status=lost', undefined, {}, 422, 'invalid'],
    ['GET', '/api/runs?limit=0', undefined, {}, 422, 'invalid'],
    ['GET', '/api/runs?after=nonsense', undefined, {}, 422, 'invalid'],
    ['GET', '/api/runs?repo=a&repo=b', undefined, {}, 422, 'invalid'],
    ['GET', '/api/runs/lookup?repo=quay&issue=1', undefined, {}, 422, 'invalid'],
    ['GET', '/api/runs/lookup?repo=ada/quay', undefined, {}, 422, 'invalid'],
    ['GET', '/api/events?since=1&sinse=2', undefined, {}, 422, 'invalid'],
  ])('%s %s %s: %j', async (method, path, sent, headers, status, expected) => {
    const reply = await ask(method, path, sent, headers);
    expect({ status: reply.status, code: code(reply.body) }).toEqual({ status, code: expected });
  });

  test('is told when it is too long, whether it says so or not', async () => {
    const long = `{"by":"${'x'.repeat(70_000)}"}`;
    expect(code((await ask('POST', AUTO, long)).body)).toBe('too-long');
    const unannounced = await fetch(`${at.harness?.client.url}${AUTO}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: ReadableStream.from([long]).pipeThrough(new TextEncoderStream()),
      duplex: 'half',
    });
    expect(unannounced.status).toBe(413);
  });

  test.each([
    ['PATCH', AUTO, 'POST, GET, DELETE'],
    ['HEAD', AUTO, 'POST, GET, DELETE'],
    ['OPTIONS', '/api/runs', 'GET'],
    ['DELETE', '/api/kill-switch', 'GET, PUT'],
  ])('%s %s is told what may be asked', async (method, path, allow) => {
    const { url } = at.harness?.client ?? { url: '' };
    const answer = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${TOKEN}` } });
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow });
  });
});
