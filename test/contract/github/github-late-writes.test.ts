import { describe, expect, test } from '@jest/globals';
import { createSteady } from '../../../src/adapters/clock/system-clock.js';
import type { TokenSource } from '../../../src/adapters/github/auth/token-source.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { IssueSnapshot } from '../../../src/domain/state/snapshot.js';
import { type GitHub, type RawSnapshot, WRITE_WITHIN_MS } from '../../../src/ports/github.js';
import { deleteBranch, pushTo } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import {
  appIdentity,
  appTokens,
  snapshotWithoutState,
  githubFor,
  NO_HINTS,
  requestsOf,
} from '../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

let p: TestPocket;
let github: GitHub;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const BRANCH = 'sluice/issue-1';
const PULL = { branch: BRANCH, base: 'main', title: 'Grow it', body: 'Refs #1' };

/** An issue with pushed work, as it looks now. */
async function pushedWork(): Promise<{ seen: IssueSnapshot; head: string }> {
  github = githubFor(p);
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body: '' });
  const head = await pushTo(p, BRANCH, { files: { a: '1' } });
  return { seen: await look(), head };
}

async function look(): Promise<IssueSnapshot> {
  const snapshot = await github.snapshot({ ...p.at, number: 1 }, NO_HINTS);
  if (snapshot === null) throw new Error('the issue is gone');
  return snapshotWithoutState(snapshot);
}

const open = (seen: IssueSnapshot): Promise<RawSnapshot> => github.openPull(seen, PULL, NO_HINTS);
const merge = (seen: IssueSnapshot, head: string) =>
  github.merge(seen, { pullId: seen.pull?.id ?? '', head, title: 'Grow it', body: '' }, NO_HINTS);
const comment = (seen: IssueSnapshot) =>
  github.project(seen, [{ kind: 'comment', slot: 'status', body: 'Hello', existing: null }], NO_HINTS);

describe('a write decided from what was known too long ago', () => {
  test('is not sent', async () => {
    const { seen, head } = await pushedWork();
    p.clock.advance(WRITE_WITHIN_MS + 1);
    for (const write of [() => open(seen), () => merge(seen, head), () => comment(seen)]) {
      const { operations } = await requestsOf(p, () => expect(write()).rejects.toMatchObject({ problem: 'outdated' }));
      expect(operations).toEqual([]);
    }
  });

  test('may leave up to the last moment, and what it answers is known anew', async () => {
    const { seen, head } = await pushedWork();
    p.clock.advance(WRITE_WITHIN_MS);
    const opened = snapshotWithoutState(await open(seen));
    expect(opened.knownAt).toBe(seen.knownAt + WRITE_WITHIN_MS);
    p.clock.advance(WRITE_WITHIN_MS);
    expect(await merge(opened, head)).toMatchObject({ kind: 'merged' });
  });
});

/** The App's tokens, but getting one takes longer than a write may wait. */
function slowTokens(): TokenSource {
  const usual = appTokens(p);
  return {
    tokenFor: async (repo) => {
      const token = await usual.tokenFor(repo);
      if (slow.on) p.clock.advance(WRITE_WITHIN_MS + 1);
      return token;
    },
    refused: (repo, token) => usual.refused(repo, token),
    identity: () => usual.identity(),
    minted: () => usual.minted(),
    revoke: () => usual.revoke(),
  };
}
const slow = { on: false };

test('answers, reactions and labels that are held up do not leave late either', async () => {
  slow.on = false;
  github = githubFor(p, slowTokens());
  const { data: issue } = await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body: '' });
  const { data: said } = await p.rest('ada').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
  const ref = { ...p.at, number: issue.number };
  const seen = await look();
  slow.on = true;
  for (const write of [
    () => github.reply(ref, 'to:1', 'Yes.'),
    () => github.react(p.at, said.node_id, 'ROCKET'),
    () => github.acknowledge(ref, { commentId: said.node_id, isPull: false }, NO_HINTS),
    () => github.project(seen, [{ kind: 'labels', add: ['auto/running'], remove: [] }], NO_HINTS),
  ]) {
    const { operations } = await requestsOf(p, () => expect(write()).rejects.toMatchObject({ problem: 'outdated' }));
    expect(operations.filter((operation) => operation !== 'Conversation')).toEqual([]);
  }
});

test('a clock that is set back lets nothing out late', async () => {
  const back = { ms: 0 };
  const clock: Clock = {
    now: () => p.clock.now() - back.ms,
    steady: () => p.clock.steady(),
    at: (time, task) => p.clock.at(time + back.ms, task),
  };
  github = githubFor(p, appTokens(p), appIdentity(p), clock);
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body: '' });
  const seen = await look();
  p.clock.advance(WRITE_WITHIN_MS + 1);
  back.ms = 60_000;
  await expect(comment(seen)).rejects.toMatchObject({ problem: 'outdated' });
});

describe('the steady clock', () => {
  test.each<[string, readonly (readonly [number, number])[], readonly number[]]>([
    [
      'follows the machine’s time',
      [
        [100, 5],
        [150, 55],
        [160, 65],
      ],
      [100, 150, 160],
    ],
    [
      'goes on at its pace when the time is set back',
      [
        [100, 5],
        [40, 25],
        [60, 45],
      ],
      [100, 120, 140],
    ],
    [
      'jumps with the time, as after a sleep',
      [
        [100, 5],
        [900, 10],
        [910, 20],
      ],
      [100, 900, 910],
    ],
  ])('%s', (_, readings, expected) => {
    const at = { index: 0 };
    const steady = createSteady(
      () => readings[at.index]?.[0] ?? 0,
      () => readings[at.index]?.[1] ?? 0,
    );
    const seen = readings.map((_reading, index) => {
      at.index = index;
      return steady();
    });
    expect(seen).toEqual(expected);
  });
});

test('a pull request asked for long after it was merged is the merged one', async () => {
  const { seen, head } = await pushedWork();
  await merge(snapshotWithoutState(await open(seen)), head);
  await deleteBranch(p, BRANCH);
  expect((await open(seen)).pulls[0]).toMatchObject({ number: 2, state: 'merged' });
  expect((await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' })).data).toHaveLength(1);
});
