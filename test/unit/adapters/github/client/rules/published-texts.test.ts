import { describe, expect, test } from '@jest/globals';
import { createStateStore } from '../../../../../../src/adapters/state/state-store.js';
import type { Change } from '../../../../../../src/domain/action/change.js';
import { EMPTY_STATE } from '../../../../../../src/domain/state/state.js';
import { createRedactor } from '../../../../../../src/domain/sanitise/redact.js';
import { createLog } from '../../../../../../src/entry/service/log.js';
import { redactorFor } from '../../../../../../src/entry/service/secrets.js';
import { pushTo } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET } from '../../../../../support/git/git-host.js';
import {
  appIdentity,
  appTokens,
  snapshotWithoutState,
  NO_HINTS,
  QUIET_LOG,
  requestsOf,
  createTestGitHub,
} from '../../../../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { git } from '#pocket-github/test/git-http-fixture';

/* Whatever way a text leaves: what must not be in it is not. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const SECRET = 'harbour-light-at-seven';
const redact = createRedactor([SECRET]);
const ref = { owner: 'ada', repo: 'sandbox', number: 1 };
const BAD = `@mallory fixes #1 ${SECRET} ![x](http://x.y/z.png)`;

async function opened(body = 'It should grow.') {
  const { api: apiUrl } = p.pocket.urls;
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body });
  const parts = { tokens: appTokens(p), identity: appIdentity(p), clock: p.clock, log: QUIET_LOG, redact };
  const github = createTestGitHub({ apiUrl, ...parts });
  const look = async () => {
    const snapshot = await github.snapshot(ref, NO_HINTS);
    if (snapshot === null) throw new Error('the issue is gone');
    return snapshotWithoutState(snapshot);
  };
  return { github, look };
}

describe('on GitHub', () => {
  test('comments and checks call, close, load and tell nothing', async () => {
    const { github, look } = await opened();
    const head = await pushTo(p, 'sluice/issue-1', { files: { a: '1' } });
    const changes: readonly Change[] = [
      { kind: 'comment', slot: 'status', body: BAD, existing: null },
      { kind: 'check-run', name: 'sluice/review', head, conclusion: 'success', title: BAD, summary: BAD },
    ];
    const { comments } = await github.project(await look(), changes, NO_HINTS);
    const clean = '`@mallory` fixes `#1` ‹redacted› ‹image: x›';
    expect(comments.map(({ body }) => body)).toEqual([clean]);
    const { data } = await p.rest('ada').rest.checks.listForRef({ ...p.at, ref: head });
    expect(data.check_runs).toMatchObject([{ output: { summary: clean, title: expect.not.stringContaining(SECRET) } }]);
  });

  test('so do pull requests and what they become', async () => {
    const { github, look } = await opened();
    await pushTo(p, 'sluice/issue-1', { files: { a: '1' } });
    const pull = { branch: 'sluice/issue-1', base: 'main', title: BAD, body: BAD };
    const [made] = (await github.openPull(await look(), pull, NO_HINTS)).pulls;
    const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: made?.number ?? 0 });
    expect(data.title).toBe('`@mallory` fixes issue 1 ‹redacted› ![x](http://x.y/z.png)');
    expect(data.body).toBe('`@mallory` fixes `#1` ‹redacted› ‹image: x›');
    const merge = { pullId: made?.id ?? '', head: made?.head ?? '', title: BAD, body: BAD };
    await github.merge(await look(), merge, NO_HINTS);
    const { data: tip } = await p.rest('ada').rest.repos.getCommit({ ...p.at, ref: 'main' });
    expect(tip.commit.message).not.toContain(SECRET);
    expect(tip.commit.message).not.toMatch(/(?<!`)@mallory|fixes #1/);
    expect((await look()).state).toBe('open');
  });

  test('an answer is not given twice because it was made harmless', async () => {
    const { github, look } = await opened();
    await github.reply(ref, 'x', BAD);
    const { operations } = await requestsOf(p, () => github.reply(ref, 'x', BAD));
    expect(operations).toHaveLength(1);
    expect((await look()).comments).toHaveLength(1);
  });

  test('a person’s own text is left as it is, but for the boxes', async () => {
    const { github, look } = await opened(`- [ ] ${BAD}`);
    const ticked = await github.project(await look(), [{ kind: 'tick', body: `- [x] ${BAD}` }], NO_HINTS);
    expect(ticked.body).toBe(`- [x] ${BAD}`);
  });
});

describe('in git', () => {
  test('messages and states tell nothing', async () => {
    const { host } = await openGitHost(p, { redact });
    const signing = { keys: { current: { id: 'k', secret: 'a signing secret' } }, acceptUnsigned: false } as const;
    const store = createStateStore({ gitHost: host, signing, owner: 'one', redact, clock: p.clock, log: QUIET });
    const subject = { ref: { ...p.at, number: 7 }, repositoryDatabaseId: p.repository.id };
    const next = { ...EMPTY_STATE, epoch: 1, feedback: [`it printed ${SECRET}`] };
    const swapped = await store.swap({ subject, expected: null, next, because: `because of ${SECRET}` });
    expect(swapped).toMatchObject({ kind: 'swapped' });
    const [entry] = await store.history(subject);
    expect(entry).toMatchObject({
      because: 'because of ‹redacted›',
      reading: { state: { feedback: ['it printed ‹redacted›'] } },
    });
    const oid = await host.writeCommit(p.at, { files: {}, parent: null, message: BAD });
    expect(await git(await host.mirror(p.at), 'log', '-1', '--format=%B', oid)).toContain(
      '`@mallory` fixes issue 1 ‹redacted›',
    );
  });
});

describe('in the log', () => {
  const lines: string[] = [];
  const log = createLog(createRedactor([SECRET, 'quote"and\\slash']), { write: (line) => lines.push(line) });

  test('nothing is told, and every line stays a line of JSON', () => {
    log.warn({ url: `https://ada:${SECRET}@x.y`, error: new Error(`it said ${SECRET}`) }, 'broken');
    log.info({ said: ['quote"and\\slash', 'x\\quote"and\\slash'], token: `ghs_${'a1'.repeat(30)}` }, 'said');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
    expect(lines.join('')).not.toMatch(/harbour|quote|ghs_a1/);
    expect(lines.join('')).toContain('‹redacted›');
  });
});

test('every secret of the configuration is known', () => {
  const known = redactorFor({
    app: { privateKey: 'a private key of an App' },
    signingKeys: {
      current: { id: '1', secret: 'the current signing key' },
      previous: { id: '2', secret: 'the previous signing key' },
    },
    webhookSecrets: ['the secret of webhooks'],
    api: { token: 'the token of the API' },
    model: { credential: { value: 'the key of the model' } },
    redisUrl: 'redis://:the%20password@localhost:6379',
  });
  for (const secret of [
    'a private key of an App',
    'the current signing key',
    'the previous signing key',
    'the secret of webhooks',
    'the token of the API',
    'the key of the model',
    'the password',
  ])
    expect(known(`x ${secret} y`)).toBe('x ‹redacted› y');
  expect(known('redis://localhost:6379')).toBe('redis://localhost:6379');
});
