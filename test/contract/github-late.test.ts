import { describe, expect, test } from '@jest/globals';
import type { IssueSnapshot } from '../../src/domain/snapshot.js';
import { type GitHub, type RawSnapshot, WRITE_WITHIN_MS } from '../../src/ports/github.js';
import { deleteBranch, pushTo } from '../support/branches.js';
import { freshEachTest } from '../support/fresh-pocket.js';
import { believed, githubOn, NO_HINTS, requestsOf } from '../support/github-adapter.js';
import type { TestPocket } from '../support/pocket.js';

let p: TestPocket;
let github: GitHub;
freshEachTest((pocket) => {
  p = pocket;
});

const BRANCH = 'sluice/issue-1';
const PULL = { branch: BRANCH, base: 'main', title: 'Grow it', body: 'Refs #1' };

/** An issue with pushed work, as it looks now. */
async function pushedWork(): Promise<{ seen: IssueSnapshot; head: string }> {
  github = githubOn(p);
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body: '' });
  const head = await pushTo(p, BRANCH, { files: { a: '1' } });
  return { seen: await look(), head };
}

async function look(): Promise<IssueSnapshot> {
  const snapshot = await github.snapshot({ ...p.at, number: 1 }, NO_HINTS);
  if (snapshot === null) throw new Error('the issue is gone');
  return believed(snapshot);
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
    const opened = believed(await open(seen));
    expect(opened.knownAt).toBe(seen.knownAt + WRITE_WITHIN_MS);
    p.clock.advance(WRITE_WITHIN_MS);
    expect(await merge(opened, head)).toMatchObject({ kind: 'merged' });
  });
});

test('a pull request asked for long after it was merged is the merged one', async () => {
  const { seen, head } = await pushedWork();
  await merge(believed(await open(seen)), head);
  await deleteBranch(p, BRANCH);
  expect((await open(seen)).pull).toMatchObject({ number: 2, state: 'merged' });
  expect((await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' })).data).toHaveLength(1);
});
