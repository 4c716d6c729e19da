import { describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/rest';
import { createGitHub } from '../../../src/adapters/github/github.js';
import { createRateLimits } from '../../../src/adapters/github/client/rate-limits.js';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { seedCollaborator, seedPersonalToken, seedUser } from '#pocket-github/testing';
import type { HintStore } from '../../../src/ports/hint-store.js';
import type { EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { appIdentity, appTokens } from '../../support/github/github-adapter.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

/* People who may not give commands, and what their commands cost those who may (G3). In by webhook. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

/** API requests of the service since `seq`, by name. */
const requestsSince = (seq: number): readonly string[] =>
  p.pocket.journal
    .requests(seq)
    .filter(
      ({ surface, tokenKind, operation }) =>
        surface !== 'git' && tokenKind === 'installation' && !/access_tokens/.test(operation),
    )
    .map(({ operation }) => operation);

/** How many writes of the hour are left, for a GitHub whose limits this test has a hand in. */
function countedWrites() {
  const real = createMemoryHintStore(p.clock);
  const at = { key: '', isFull: false };
  const hints: Pick<HintStore, 'spend'> = {
    spend: (key, acts, windows) => {
      if (key.startsWith('writes ada') || !/strangers/.test(key)) at.key = key;
      return at.isFull ? Promise.resolve(p.clock.now() + 3_000_000) : real.spend(key, acts, windows);
    },
  };
  const github: EngineHarnessOptions['github'] = () => {
    const { api: apiUrl } = p.pocket.urls;
    const { clock } = p;
    const log = new RecordingLog();
    const limits = createRateLimits({ clock, log, hints });
    return createGitHub({ apiUrl, tokens: appTokens(p), identity: appIdentity(p), clock, log, limits });
  };
  /** Uses up what work may use of the hour. */
  const useUpWork = async (): Promise<void> => {
    for (let minute = 0; minute < 60; minute += 1) {
      while (
        (await real.spend(at.key, 1, [
          { ms: 60_000, max: 60 },
          { ms: 3_600_000, max: 400 },
        ])) === null
      );
      p.clock.advance(60_000);
      if ((await real.spend(at.key, 1, [{ ms: 3_600_000, max: 400 }])) !== null) return;
    }
  };
  return { github, useUpWork, useUpAll: () => void (at.isFull = true), giveBack: () => void (at.isFull = false) };
}

const reactionsTo = async (number: number): Promise<readonly number[]> => {
  const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: number, per_page: 100 });
  return data.filter(({ body }) => body?.startsWith('/auto')).map((one) => one.reactions?.total_count ?? 0);
};

describe('commands of strangers', () => {
  test('get one answer on an issue and hour, and the rest cost one question about them a minute', async () => {
    const harness = await atWork();
    const number = await harness.open('mallory');
    await harness.say('mallory', number, '/auto');
    const seq = p.pocket.journal.lastSeq();
    for (const _ of [2, 3, 4, 5, 6, 7, 8, 9, 10]) await harness.say('mallory', number, '/auto');
    expect(await reactionsTo(number)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await harness.said(number)).toHaveLength(1);
    expect(requestsSince(seq)).toEqual([]);
    p.clock.advance(60_000);
    await harness.say('mallory', number, '/auto');
    expect(requestsSince(seq)).toEqual([expect.stringContaining('/permission')]);
  });

  test('are answered again after an hour, by a reaction: the words stand there already', async () => {
    const harness = await atWork();
    const number = await harness.open('mallory');
    await harness.say('mallory', number, '/auto');
    p.clock.advance(3_600_000);
    await harness.say('mallory', number, '/auto');
    expect(await reactionsTo(number)).toEqual([1, 1]);
    expect(await harness.said(number)).toHaveLength(1);
  });

  test('are permitted by nothing that was found out a moment ago, and refused by it for a minute at most', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto status');
    await p.rest('ada').rest.repos.removeCollaborator({ ...p.at, username: 'wren' });
    await harness.say('wren', number, '/auto');
    await expect(harness.state(number)).rejects.toThrow('none');
    seedCollaborator(p.pocket.world, p.repository, p.users.wren, 'write');
    p.clock.advance(60_000);
    await harness.say('wren', number, '/auto');
    expect((await harness.state(number)).run).toMatchObject({ by: { login: 'wren' } });
  });

  test('of thirty accounts leave nearly all of the hour’s writes to others, and a stop is carried out meanwhile', async () => {
    const held = agentHeldAt('code');
    const harness = await atWork({ agent: held.agent });
    const number = await harness.open('wren');
    await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: number, body: '/auto' });
    const running = harness.settle();
    await held.reached;
    const seq = p.pocket.journal.lastSeq();
    const { world, urls } = p.pocket;
    const strangers = Array.from({ length: 30 }, (_, index) => {
      const { text: auth } = seedPersonalToken(world, seedUser(world, { login: `stranger-${index}` }));
      return new Octokit({ baseUrl: urls.api, auth });
    });
    for (const [index, stranger] of strangers.entries()) {
      for (const _ of [1, 2, 3])
        await stranger.rest.issues.createComment({ ...p.at, issue_number: number, body: '/auto' });
      if (index % 10 === 9) p.clock.advance(60_000);
    }
    const hearing = harness.settle();
    const times = (message: string): number => harness.log.said(message).length;
    await until('all of them are heard', () => times('command refused') + times('stranger answered already') === 90);
    await p.pocket.settle();
    const writes = requestsSince(seq).filter((operation) => ['React', 'AddReply', 'Acknowledge'].includes(operation));
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.length).toBeLessThanOrEqual(40);
    await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: number, body: '/auto stop' });
    const stopping = harness.settle();
    await until('the wish is written down', async () => (await harness.state(number)).pendingRequest !== null);
    p.clock.advance(6_000);
    await Promise.all([running, hearing, stopping]);
    expect(held.isStopped()).toBe(true);
    await harness.settle();
    expect((await harness.state(number)).halt).toMatchObject({ code: 'stopped' });
  });
});

describe('with the hour’s writes used up', () => {
  test('a stop is carried out within ten seconds, before anything is said about it, and answered when there is room', async () => {
    const writes = countedWrites();
    const held = agentHeldAt('code');
    const harness = await atWork({ agent: held.agent, github: writes.github });
    const number = await harness.open('wren');
    await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: number, body: '/auto' });
    const running = harness.settle();
    await held.reached;
    writes.useUpAll();
    const asked = p.clock.now();
    await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: number, body: '/auto stop' });
    await expect(harness.settle()).rejects.toMatchObject({ problem: 'rate-limited', until: expect.any(Number) });
    p.clock.advance(6_000);
    await until('the agent is told to stop', () => held.isStopped());
    expect(p.clock.now() - asked).toBeLessThanOrEqual(10_000);
    await running.catch(() => undefined);
    expect((await harness.state(number)).pendingRequest ?? (await harness.state(number)).halt).not.toBeNull();
    writes.giveBack();
    const seq = p.pocket.journal.lastSeq();
    const again = p.receiver.received.filter(({ event }) => event === 'issue_comment').slice(-1);
    p.receiver.received.push(...again);
    await harness.settle();
    expect(requestsSince(seq)).toContain('React');
    expect(requestsSince(seq).filter((operation) => /permission|ReadComment|Acknowledge/.test(operation))).toEqual([]);
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: number });
    expect(data.find(({ body }) => body === '/auto stop')?.reactions).toMatchObject({ rocket: 1, confused: 0 });
  });

  test('by work, those who may give commands are answered at once: a share is theirs', async () => {
    const writes = countedWrites();
    const harness = await atWork({ github: writes.github });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto --stop-at issue');
    await writes.useUpWork();
    const seq = p.pocket.journal.lastSeq();
    await harness.say('wren', number, '/auto status');
    expect(requestsSince(seq)).toEqual(expect.arrayContaining(['AddReply', 'React']));
    expect(requestsSince(seq)).not.toContain('Acknowledge');
    expect((await reactionsTo(number)).at(-1)).toBe(1);
    // Strangers are not.
    await harness.say('mallory', number, '/auto');
    expect((await reactionsTo(number)).at(-1)).toBe(0);
    expect(harness.log.said('stranger not answered')).toHaveLength(1);
  });
});
