import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestEffect, RequestMatch } from '../../src/faults/fault.js';
import { seedRepository } from '../../src/seed/seed-repository.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { until } from '../../../../test/support/until.js';

/* Each kind of fault really bites: the client suffers, and the journal says what was applied. */

let p: TestPocket;

beforeEach(async () => {
  p = await openPocket();
});

afterEach(async () => {
  await p.close();
});

const CREATE: RequestMatch = { operation: 'POST /repos/{owner}/{repo}/issues' };

function arm(effect: RequestEffect, match: RequestMatch = CREATE): void {
  p.pocket.faults.arm({ on: 'request', match, occurrence: { nth: 1 }, effect });
}

const create = () =>
  p.rest('wren').rest.issues.create({ ...p.at, title: 'Fragile', request: { signal: AbortSignal.timeout(20_000) } });
const titles = async () => (await p.rest('ada').rest.issues.listForRepo(p.at)).data.map((issue) => issue.title);
const lastCreate = () => p.pocket.journal.requests().findLast((entry) => entry.operation === CREATE.operation);

describe('faults of requests', () => {
  test('a status before: refused and nothing done', async () => {
    arm({ kind: 'status', status: 502, when: 'before' });
    await expect(create()).rejects.toMatchObject({ status: 502 });
    expect(lastCreate()).toMatchObject({ applied: false, status: 502, fault: 'status#1' });
    expect(await titles()).toEqual([]);
  });

  test('a status after: refused although it was done', async () => {
    arm({ kind: 'status', status: 502, when: 'after' });
    await expect(create()).rejects.toMatchObject({ status: 502 });
    expect(lastCreate()).toMatchObject({ applied: true, status: 502 });
    expect(await titles()).toEqual(['Fragile']);
  });

  test('only the k-th matching request is hit', async () => {
    p.pocket.faults.arm({
      on: 'request',
      match: CREATE,
      occurrence: { nth: 2 },
      effect: { kind: 'status', status: 500, when: 'before' },
    });
    await create();
    await expect(create()).rejects.toMatchObject({ status: 500 });
    await create();
    expect(p.pocket.faults.list()).toMatchObject([{ seen: 3, hits: 1 }]);
  });

  test('a GraphQL field is found in a fragment too', async () => {
    arm({ kind: 'status', status: 502, when: 'before' }, { surface: 'graphql', field: 'viewer' });
    const wren = await p.graphql('wren');
    await expect(wren('{ ...F } fragment F on Query { viewer { login } }')).rejects.toMatchObject({ status: 502 });
    expect(p.pocket.journal.requests().at(-1)).toMatchObject({ fields: ['viewer'] });
  });

  test.each(['before', 'after'] as const)('a reset %s: the connection is cut', async (when) => {
    arm({ kind: 'reset', when });
    await expect(create()).rejects.toMatchObject({ status: 500 });
    expect(lastCreate()).toMatchObject({ applied: when === 'after', status: 0 });
    expect(await titles()).toEqual(when === 'after' ? ['Fragile'] : []);
  });

  test.each(['before', 'after'] as const)('a timeout %s: no answer until the client gives up', async (when) => {
    arm({ kind: 'timeout', when });
    const impatient = new AbortController();
    const pending = p
      .rest('wren')
      .rest.issues.create({ ...p.at, title: 'Fragile', request: { signal: impatient.signal } });
    await until('the request is in the journal', () => lastCreate() !== undefined);
    impatient.abort();
    await expect(pending).rejects.toThrow();
    expect(await titles()).toEqual(when === 'after' ? ['Fragile'] : []);
  });

  test('the primary limit: everything of this caller is refused until the hour is over', async () => {
    arm({ kind: 'primary-limit' });
    await expect(create()).rejects.toMatchObject({
      status: 403,
      response: { headers: { 'x-ratelimit-remaining': '0' } },
    });
    await expect(create()).rejects.toMatchObject({
      response: { data: { message: expect.stringContaining('API rate limit exceeded') } },
    });
    expect(await titles()).toEqual([]);
    p.clock.advance(3_600_000);
    expect((await create()).status).toBe(201);
  });

  test('the primary limit of GraphQL comes as RATE_LIMITED with status 200', async () => {
    arm({ kind: 'primary-limit' }, { surface: 'graphql' });
    const graphql = await p.graphql('wren');
    await expect(graphql('{ viewer { login } }')).rejects.toMatchObject({ errors: [{ type: 'RATE_LIMITED' }] });
  });

  test.each([403, 429] as const)('the secondary limit with %d says when to come back', async (status) => {
    arm({ kind: 'secondary-limit', status, retryAfterSeconds: 30 });
    await expect(create()).rejects.toMatchObject({ status, response: { headers: { 'retry-after': '30' } } });
    expect((await create()).status).toBe(201);
  });

  test('latency: answered when the clock has moved on', async () => {
    arm({ kind: 'latency', ms: 5000 });
    const settled: string[] = [];
    const pending = create().then(() => settled.push('answered'));
    await titles();
    expect(settled).toEqual([]);
    await until('it is answered', () => {
      p.clock.advance(5000);
      return settled.length > 0;
    });
    await pending;
    expect(settled).toEqual(['answered']);
  });

  test('a stale read answers what was true before, a fresh one what is', async () => {
    await create();
    p.clock.advance(2000);
    await p.rest('wren').rest.issues.update({ ...p.at, issue_number: 1, title: 'Newer' });
    p.clock.advance(1000);
    arm({ kind: 'stale', lagMs: 2500 }, { operation: 'GET /repos/{owner}/{repo}/issues/{issue_number}' });
    const read = async () => (await p.rest('ada').rest.issues.get({ ...p.at, issue_number: 1 })).data.title;
    expect(await read()).toBe('Fragile');
    expect(await read()).toBe('Newer');
  });

  test('a mutation never works on stale facts', async () => {
    p.pocket.faults.arm({
      on: 'request',
      match: { surface: 'graphql' },
      occurrence: { always: true },
      effect: { kind: 'stale', lagMs: 60_000 },
    });
    await create();
    const { node_id: id } = (await p.rest('ada').rest.issues.get({ ...p.at, issue_number: 1 })).data;
    const graphql = await p.graphql('wren');
    const answer = await graphql('mutation ($id: ID!) { closeIssue(input: { issueId: $id }) { issue { state } } }', {
      id,
    });
    expect(answer).toEqual({ closeIssue: { issue: { state: 'CLOSED' } } });
  });

  test('a credential that stops working in the middle', async () => {
    arm({ kind: 'unauthorized' });
    await expect(create()).rejects.toMatchObject({ status: 401, response: { data: { message: 'Bad credentials' } } });
    expect((await create()).status).toBe(201);
  });

  test('git suffers too: a push whose answer is lost has happened', async () => {
    arm({ kind: 'reset', when: 'after' }, { surface: 'git', operation: 'git-receive-pack exchange' });
    const { pushFile } = await import('../support/push-with-git.js');
    const { exitCode, oid } = await pushFile(p.gitUrl('wren'), 'topic', { 'a.txt': 'a\n' });
    expect(exitCode).not.toBe(0);
    expect((await p.rest('ada').rest.git.getRef({ ...p.at, ref: 'heads/topic' })).data.object.sha).toBe(oid);
  });

  test('chance follows the seed', async () => {
    const hits = async (seed: number): Promise<string> => {
      const q = await openPocket({ seed });
      q.pocket.faults.arm({
        on: 'request',
        match: { operation: 'GET /user' },
        occurrence: { chance: 0.5 },
        effect: { kind: 'status', status: 500, when: 'before' },
      });
      const outcomes: string[] = [];
      for (let index = 0; index < 24; index += 1) {
        outcomes.push(
          await q
            .rest('ada')
            .rest.users.getAuthenticated()
            .then(
              () => '.',
              () => 'x',
            ),
        );
      }
      await q.close();
      return outcomes.join('');
    };
    const first = await hits(7);
    expect(first).toMatch(/x/);
    expect(first).toMatch(/\./);
    expect(await hits(7)).toBe(first);
    expect(await hits(8)).not.toBe(first);
  });
});

describe('the control API', () => {
  const control = (path: string, init: RequestInit = {}) =>
    fetch(`${p.pocket.urls.html}/_pocket/${path}`, { headers: { 'content-type': 'application/json' }, ...init });

  test('arms, lists and removes faults', async () => {
    const fault = {
      on: 'request',
      match: CREATE,
      occurrence: { always: true },
      effect: { kind: 'status', status: 503, when: 'before' },
    };
    expect(await (await control('faults', { method: 'POST', body: JSON.stringify(fault) })).json()).toEqual({ id: 1 });
    await expect(create()).rejects.toMatchObject({ status: 503 });
    expect(await (await control('faults')).json()).toMatchObject([{ id: 1, seen: 1, hits: 1 }]);
    expect((await control('faults/1', { method: 'DELETE' })).status).toBe(204);
    expect((await create()).status).toBe(201);
  });

  test('says what is wrong with a fault', async () => {
    const response = await control('faults', {
      method: 'POST',
      body: '{"on":"request","match":{"verb":"GET"},"occurrence":{"nth":1},"effect":{"kind":"explode"}}',
    });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { message: string }).message).toMatch(/verb[^]*effect\.kind/);
  });

  test('a page of another site cannot use it', async () => {
    const response = await control('faults', { method: 'DELETE', headers: { 'content-type': 'text/plain' } });
    expect(response.status).toBe(415);
  });

  test('moves the clock and gives out the journal', async () => {
    const { now } = (await (await control('clock')).json()) as { now: number };
    expect(await (await control('clock', { method: 'POST', body: '{"ms":1000}' })).json()).toEqual({ now: now + 1000 });
    await create();
    const { entries } = (await (await control('journal')).json()) as {
      entries: { operation: string; actor: string; tokenKind: string }[];
    };
    expect(entries).toMatchObject([{ operation: CREATE.operation, actor: 'wren', tokenKind: 'personal' }]);
  });

  test('goes back to a snapshot: records and refs', async () => {
    const { pushFile } = await import('../support/push-with-git.js');
    await create();
    const { id } = (await (await control('snapshots', { method: 'POST' })).json()) as { id: number };
    await p.rest('wren').rest.issues.update({ ...p.at, issue_number: 1, state: 'closed' });
    await pushFile(p.gitUrl('wren'), 'topic', { 'a.txt': 'a\n' });
    expect((await control(`snapshots/${id}`, { method: 'POST' })).status).toBe(204);
    expect((await p.rest('wren').rest.issues.get({ ...p.at, issue_number: 1 })).data.state).toBe('open');
    await expect(p.rest('wren').rest.git.getRef({ ...p.at, ref: 'heads/topic' })).rejects.toMatchObject({
      status: 404,
    });
    expect((await pushFile(p.gitUrl('wren'), 'topic', { 'b.txt': 'b\n' })).exitCode).toBe(0);
  });

  test('goes back while others are writing', async () => {
    // Going back goes through all repositories, which takes a while.
    for (const name of ['b', 'c', 'd', 'e', 'f', 'g'])
      await seedRepository(p.pocket.world, { owner: p.users.ada, name });
    const { id } = (await (await control('snapshots', { method: 'POST' })).json()) as { id: number };
    const write = (path: string) =>
      p.rest('wren').rest.repos.createOrUpdateFileContents({ ...p.at, path, message: 'm', content: 'eA==' });
    await write('first');
    const back = control(`snapshots/${id}`, { method: 'POST' });
    const written = await Promise.all(Array.from({ length: 5 }, (_, at) => write(`a${at}`)));
    expect((await back).status).toBe(204);
    expect(written.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });

  test('stale reads go back ten minutes at most', async () => {
    const effect = { kind: 'stale', lagMs: 600_001 };
    const fault = { on: 'request', match: {}, occurrence: { always: true }, effect };
    expect((await control('faults', { method: 'POST', body: JSON.stringify(fault) })).status).toBe(422);
  });

  test('a host name that is not loopback is refused', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const url = new URL(`${p.pocket.urls.html}/_pocket/journal`);
      request(
        { host: url.hostname, port: url.port, path: url.pathname, headers: { host: 'evil.example' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});
