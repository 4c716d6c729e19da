import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { GitHub } from '../../../../../src/ports/github.js';
import { pushTo } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import {
  appIdentity,
  appTokens,
  snapshotWithoutState,
  NO_HINTS,
  QUIET_LOG,
  createTestGitHub,
} from '../../../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* GitHub cuts questions that cost too much: with RESOURCE_LIMITS_EXCEEDED and half an answer, or with 502 and 504. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A GraphQL endpoint that hands on what it is asked, unless `cut` has another answer. */
async function inFront(cut: (asked: Asked) => { status: number; body: object } | null, seen: Asked[]): Promise<GitHub> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const asked = JSON.parse(text) as Asked;
      seen.push(asked);
      const instead = cut(asked);
      if (instead !== null) {
        response.writeHead(instead.status, {
          'content-type': 'application/json',
          date: new Date(p.clock.now()).toUTCString(),
        });
        response.end(JSON.stringify(instead.body));
        return;
      }
      const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' };
      const answer = await fetch(p.pocket.urls.graphql, { method: 'POST', headers, body: text });
      const date = answer.headers.get('date') ?? '';
      response.writeHead(answer.status, { 'content-type': 'application/json', date });
      response.end(await answer.text());
    })();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { apiUrl, tokens: appTokens(p), identity: appIdentity(p) };
  return createTestGitHub({ ...options, clock: p.clock, log: QUIET_LOG });
}

const CUT = {
  status: 200,
  body: {
    data: { repository: null },
    errors: [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['repository', 'issue'], message: 'Resource limits exceeded.' }],
  },
};
const GATEWAY = { status: 502, body: { message: 'Bad gateway' } };
const ref = () => ({ ...p.at, number: 1 });

async function issueWithPull(): Promise<string> {
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body: '' });
  const head = await pushTo(p, 'sluice/issue-1', { files: { a: '1' } });
  const pull = { ...p.at, title: 'Grow it', head: 'sluice/issue-1', base: 'main' };
  await p.rest('app').rest.pulls.create(pull);
  return head;
}

describe.each([
  ['RESOURCE_LIMITS_EXCEEDED', CUT],
  ['502', GATEWAY],
  ['504', { ...GATEWAY, status: 504 }],
])('a snapshot answered with %s', (_, cut) => {
  test('is asked for again with smaller pages, which are remembered for a while', async () => {
    const head = await issueWithPull();
    const seen: Asked[] = [];
    const github = await inFront(({ variables }) => (variables['checks'] === 100 ? cut : null), seen);
    expect(await github.snapshot(ref(), NO_HINTS)).toMatchObject({ pulls: [{ head, isCut: false }] });
    const sizes = () => seen.splice(0).map(({ variables }) => variables['checks']);
    expect(sizes()).toEqual([100, 50]);
    await github.snapshot(ref(), NO_HINTS);
    expect(sizes()).toEqual([50]);
    p.clock.advance(61 * 60_000);
    await github.snapshot(ref(), NO_HINTS);
    expect(sizes()).toEqual([100, 50]);
  });

  test('whatever is asked for is a passing trouble, and is not asked for ever', async () => {
    await issueWithPull();
    const seen: Asked[] = [];
    const github = await inFront(() => cut, seen);
    await expect(github.snapshot(ref(), NO_HINTS)).rejects.toMatchObject({ problem: 'transient', retry: 'transient' });
    expect(seen).toHaveLength(3);
  });
});

test('a write whose snapshot was cut short makes the next question smaller', async () => {
  await issueWithPull();
  const seen: Asked[] = [];
  const github = await inFront(({ query }) => (query.startsWith('mutation ProjectIssue') ? CUT : null), seen);
  const read = await github.snapshot(ref(), NO_HINTS);
  if (read === null) throw new Error('the issue is gone');
  await expect(github.project(snapshotWithoutState(read), [{ kind: 'close' }], NO_HINTS)).rejects.toMatchObject({
    problem: 'transient',
  });
  seen.splice(0);
  await github.snapshot(ref(), NO_HINTS);
  expect(seen.map(({ variables }) => variables['checks'])).toEqual([50]);
});

test('with small pages a merged pull request whose branch is gone is still found, and known to be cut', async () => {
  await issueWithPull();
  await p.rest('ada').rest.pulls.merge({ ...p.at, pull_number: 2 });
  await p.rest('ada').rest.git.deleteRef({ ...p.at, ref: 'heads/sluice/issue-1' });
  const github = await inFront(({ variables }) => (variables['checks'] === 100 ? CUT : null), []);
  expect(await github.snapshot(ref(), NO_HINTS)).toMatchObject({
    pulls: [{ number: 2, state: 'merged', isCut: true }],
  });
});
