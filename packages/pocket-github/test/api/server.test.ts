import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

describe('the server', () => {
  let p: TestPocket;

  beforeAll(async () => {
    p = await openPocket();
  });

  afterAll(() => p.close({ unmodelledIsFine: true }));

  const asAda = () => ({ authorization: `token ${p.tokenOf('ada')}` });

  test.each([
    '/api/v3/user',
    '/api/graphql',
    '/_pocket/journal',
    '/ada/sandbox',
    '/ada/sandbox.git/info/refs?service=git-upload-pack',
  ])('answers no page of another origin at %s, whatever credentials it brings', async (path) => {
    const foreign = { headers: { ...asAda(), origin: 'http://elsewhere.example' } };
    expect((await fetch(`${p.pocket.urls.html}${path}`, foreign)).status).toBe(403);
    const own = { headers: { ...asAda(), origin: p.pocket.urls.html } };
    expect((await fetch(`${p.pocket.urls.html}${path}`, own)).status).not.toBe(403);
  });

  test('gives tokens that nobody can work out', async () => {
    const other = await openPocket();
    expect(other.tokenOf('ada')).not.toBe(p.tokenOf('ada'));
    await other.close();
  });

  test.each([
    '//',
    '//elsewhere.example/',
    '/ada/%zz',
    '/ada/%zz/info/refs?service=git-upload-pack',
    '/%',
    '/api/v3/%',
  ])('takes %s for an address like any other', async (target) => {
    const { status } = await fetch(`${p.pocket.urls.html}${target}`);
    expect([401, 404, 501]).toContain(status);
  });

  test('answers HEAD as GET, without the body', async () => {
    const got = await p.rest('wren').request('GET /repos/{owner}/{repo}', p.at);
    const head = await p.rest('wren').request('HEAD /repos/{owner}/{repo}', p.at);
    expect(head).toMatchObject({ status: 200, headers: { etag: got.headers.etag } });
    const page = await fetch(`${p.pocket.urls.html}/ada/sandbox`, { method: 'HEAD' });
    expect({ status: page.status, text: await page.text() }).toEqual({ status: 200, text: '' });
    expect((await fetch(p.pocket.urls.html, { method: 'POST' })).status).toBe(405);
  });

  test('a body that is too large costs its sender the connection', async () => {
    const body = Buffer.alloc(25 * 1024 * 1024 + 1, 'x');
    const request = { method: 'POST', headers: asAda(), body };
    const sent = await fetch(`${p.pocket.urls.api}/repos/ada/sandbox/issues`, request).catch(() => null);
    if (sent !== null) expect([sent.status, sent.headers.get('connection')]).toEqual([413, 'close']);
    expect((await fetch(`${p.pocket.urls.api}/user`, { headers: asAda() })).status).toBe(200);
  });
});

describe('the journal', () => {
  test('counts the points a request has really cost', async () => {
    const p = await openPocket();
    const issues = `${p.pocket.urls.api}/repos/ada/sandbox/issues`;
    const headers = { authorization: `token ${p.tokenOf('ada')}` };
    const { headers: first } = await fetch(issues, { headers });
    await fetch(issues, { headers: { ...headers, 'if-none-match': first.get('etag') ?? '' } });
    await fetch(issues, { headers: { authorization: 'token ghp_wrong' } });
    p.pocket.faults.arm({ on: 'request', match: {}, occurrence: { nth: 1 }, effect: { kind: 'primary-limit' } });
    await fetch(issues, { headers });
    const seen = p.pocket.journal.requests().map(({ status, points }) => [status, points]);
    expect(seen).toEqual([
      [200, 1],
      [304, 0],
      [401, 0],
      [403, 0],
    ]);
    await p.close();
  });

  test('keeps a request that ran into a defect of Pocket itself', async () => {
    const defects: unknown[] = [];
    const p = await openPocket({ onDefect: (error) => defects.push(error) });
    p.pocket.world.react(() => {
      throw new Error('a reaction that fails');
    });
    await expect(p.rest('wren').rest.issues.create({ ...p.at, title: 'x', request: { retries: 0 } })).rejects.toThrow();
    expect(defects).toHaveLength(1);
    expect(p.pocket.journal.requests().at(-1)).toMatchObject({
      operation: 'POST /repos/{owner}/{repo}/issues',
      status: 500,
      errors: ['Error: a reaction that fails'],
    });
    await p.close();
  });
});

describe('the comment box', () => {
  test('is for people, and for those only who could comment on GitHub', async () => {
    const p = await openPocket();
    const { data: issue } = await p.rest('ada').rest.issues.create({ ...p.at, title: 'Heated' });
    await p.rest('ada').rest.issues.lock({ ...p.at, issue_number: issue.number });
    const post = async (person: string) => {
      const body = new URLSearchParams({ as: person, body: 'Hm' });
      const page = `${p.pocket.urls.html}/ada/sandbox/issues/${issue.number}`;
      const { status, headers } = await fetch(`${page}/comments?x=/comments`, {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      return [status, headers.get('location')];
    };
    expect(await post('wren')).toEqual([303, '/ada/sandbox/issues/1#latest']);
    expect(await post('mallory')).toEqual([403, null]);
    expect(await post('sluice-dev[bot]')).toEqual([422, null]);
    await p.rest('ada').rest.repos.update({ ...p.at, archived: true });
    expect(await post('ada')).toEqual([403, null]);
    await p.close();
  });
});
