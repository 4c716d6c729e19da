import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import { seedInstallation, uninstallApp } from '#pocket-github/testing';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import {
  appIdentity,
  appTokens,
  githubFor,
  NO_HINTS,
  personalToken,
} from '../../../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const HOUR_MS = 3_600_000;

/** What was asked since `seq`, and how it went. */
const askedSince = (seq: number): string[] =>
  p.pocket.journal.requests(seq).map(({ operation, status }) => `${operation} ${status}`);
const LOOKUP = 'GET /repos/{owner}/{repo}/installation';
const MINT = 'POST /app/installations/{installation_id}/access_tokens';

describe('tokens of an App', () => {
  test('are for one repository, with the least permissions', async () => {
    const { text, readsProjects } = await appTokens(p).tokenFor(p.at);
    expect(readsProjects).toBe(true);
    expect(p.pocket.world.tables.tokens.by('text', text)).toMatchObject([
      {
        kind: 'installation',
        repositoryIds: [p.repository.id],
        permissions: {
          checks: 'write',
          contents: 'write',
          issues: 'write',
          metadata: 'read',
          organization_projects: 'read',
          pull_requests: 'write',
          statuses: 'read',
        },
      },
    ]);
  });

  test('are made once, whoever asks at the same time, and again shortly before they end', async () => {
    const tokens = appTokens(p);
    const seq = p.pocket.journal.lastSeq();
    const [first, second] = await Promise.all([
      tokens.tokenFor(p.at),
      tokens.tokenFor({ owner: 'Ada', repo: 'Sandbox' }),
    ]);
    p.clock.advance(HOUR_MS - 6 * 60_000);
    expect([second, await tokens.tokenFor(p.at)]).toEqual([first, first]);
    p.clock.advance(2 * 60_000);
    expect(await tokens.tokenFor(p.at)).not.toEqual(first);
    expect(tokens.minted()).toBe(2);
    // The installation is looked up only once.
    expect(askedSince(seq)).toEqual([`${LOOKUP} 200`, `${MINT} 201`, `${MINT} 201`]);
  });

  test('are counted by the clock of GitHub, however wrong our own is', async () => {
    const ours = new ManualClock(p.clock.now() + 30 * 60_000);
    const tokens = appTokens(p, ours);
    const seq = p.pocket.journal.lastSeq();
    const first = await tokens.tokenFor(p.at);
    expect(askedSince(seq)).toEqual([`${LOOKUP} 401`, `${LOOKUP} 200`, `${MINT} 201`]);
    ours.advance(HOUR_MS - 6 * 60_000);
    expect(await tokens.tokenFor(p.at)).toEqual(first);
  });

  test('come from the new installation when the old one is gone', async () => {
    const tokens = appTokens(p);
    await tokens.tokenFor(p.at);
    const { world } = p.pocket;
    await uninstallApp(world, { userId: p.users.ada.id, viaAppId: null }, p.installation);
    seedInstallation(world, p.app, p.users.ada, 'all');
    p.clock.advance(HOUR_MS);
    const seq = p.pocket.journal.lastSeq();
    await tokens.tokenFor(p.at);
    expect(askedSince(seq)).toEqual([`${MINT} 404`, `${LOOKUP} 200`, `${MINT} 201`]);
  });

  test('that GitHub does not take any more are replaced, and the request repeated once', async () => {
    await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow' });
    const tokens = appTokens(p);
    const { text } = await tokens.tokenFor(p.at);
    const { tokens: rows } = p.pocket.world.tables;
    const [row] = rows.by('text', text);
    if (row !== undefined) rows.update(row, { revokedAt: p.clock.now() });
    const seq = p.pocket.journal.lastSeq();
    expect(await githubFor(p, tokens).snapshot({ ...p.at, number: 1 }, NO_HINTS)).toMatchObject({ title: 'Grow' });
    expect(askedSince(seq)).toEqual(['IssueSnapshot 401', `${MINT} 201`, 'IssueSnapshot 200']);
  });

  test('are all useless after the end, those for sweeping included', async () => {
    const tokens = appTokens(p);
    const [first, reader] = [await tokens.tokenFor(p.at), await tokens.readerOf(p.installation.id)];
    p.clock.advance(HOUR_MS - 4 * 60_000);
    const second = await tokens.tokenFor(p.at);
    await tokens.revoke();
    const rows = [first, reader, second].flatMap(({ text }) => p.pocket.world.tables.tokens.by('text', text));
    expect(rows.map(({ revokedAt }) => revokedAt)).toEqual([1, 2, 3].map(() => p.clock.now()));
    expect((await tokens.tokenFor(p.at)).text).not.toBe(second.text);
  });

  test('that cannot be revoked are no reason not to end', async () => {
    const tokens = appTokens(p);
    await tokens.tokenFor(p.at);
    const effect = { kind: 'status', status: 503, when: 'before' } as const;
    const match = { operation: 'DELETE /installation/token' };
    p.pocket.faults.arm({ on: 'request', match, occurrence: { nth: 1 }, effect });
    await expect(tokens.revoke()).resolves.toBeUndefined();
  });

  test('are not to be had where the App is not installed: nothing to see there', async () => {
    const elsewhere = { owner: 'mallory', repo: 'garden' };
    await expect(appTokens(p).tokenFor(elsewhere)).rejects.toMatchObject({ problem: 'not-found' });
    expect(await githubFor(p).snapshot({ ...elsewhere, number: 1 }, NO_HINTS)).toBeNull();
  });

  test('are not asked for with less than is needed, but with the name of what is missing', async () => {
    const { installations } = p.pocket.world.tables;
    const permissions = {
      contents: 'read',
      issues: 'write',
      metadata: 'read',
      pull_requests: 'write',
      statuses: 'read',
    } as const;
    installations.update(p.installation, { permissions });
    const tokens = appTokens(p);
    await expect(tokens.tokenFor(p.at)).rejects.toMatchObject({
      problem: 'forbidden',
      message: expect.stringContaining('does not grant checks: write, contents: write;'),
    });
    // Granted later, it is noticed without a restart; Projects stay out of reach.
    installations.update(installations.must(p.installation.id), {
      permissions: { ...permissions, checks: 'write', contents: 'write' },
    });
    expect(await tokens.tokenFor(p.at)).toMatchObject({ readsProjects: false });
  });
});

test('an identity is the App with its bot, or the person alone', async () => {
  expect(await appTokens(p).identity()).toEqual({ ...appIdentity(p), login: `${p.app.slug}[bot]` });
  const person = personalToken(p, 'wren');
  expect(await person.identity()).toEqual({ accountId: p.users.wren.id, appId: null, login: 'wren' });
  expect((await person.tokenFor(p.at)).text).toMatch(/^ghp_/);
});
