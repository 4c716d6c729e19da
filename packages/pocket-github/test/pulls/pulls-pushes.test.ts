import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { deleteBranch, moveBranch, pushTo, tipOf } from '../support/branches.js';
import { RewindableClock } from '../support/rewindable-clock.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const git = () => p.pocket.world.git(p.repository.id);

async function open(head = 'topic', more: Record<string, unknown> = {}): Promise<number> {
  const { data } = await p
    .rest('wren')
    .rest.pulls.create({ ...p.at, title: 'Add a file', head, base: 'main', ...more });
  return data.number;
}
const get = async (pull_number: number) => (await p.rest('rita').rest.pulls.get({ ...p.at, pull_number })).data;
async function commit(oid: string) {
  const found = await git().commit(oid);
  if (found === null) throw new Error(`${oid} is not a commit`);
  return found;
}

describe('pushes', () => {
  test('by git itself synchronise, and what is tried out can be fetched', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pulls-'));
    const run = execa({ cwd: folder, env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' } });
    const identity = ['-c', 'user.name=Wren', '-c', 'user.email=wren@example.com'];
    await run`git clone --quiet ${p.gitUrl('wren')} .`;
    await run`git checkout --quiet -b topic`;
    await run`git ${identity} commit --quiet --allow-empty -m ${'First step'}`;
    await run`git push --quiet origin topic`;
    const pull = await open();
    await run`git ${identity} commit --quiet --allow-empty -m ${'Second step'}`;
    await run`git push --quiet origin topic`;
    const { stdout: head } = await run`git rev-parse topic`;
    expect(await get(pull)).toMatchObject({ commits: 2, head: { sha: head } });
    await run`git fetch --quiet origin ${`refs/pull/${pull}/head:pr-head`} ${`refs/pull/${pull}/merge:pr-merge`}`;
    expect((await run`git rev-parse pr-head pr-merge^2`).stdout).toBe(`${head}\n${head}`);
    await rm(folder, { recursive: true });
  });

  test('to the head synchronise', async () => {
    const before = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    const after = await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    expect(await get(pull)).toMatchObject({ head: { sha: after }, commits: 2, changed_files: 2 });
    const forced = await pushTo(p, 'topic', { files: { 'c.txt': 'c' }, onto: tipOf(p, 'main') });
    const told = (await p.deliveries())
      .filter(({ payload }) => payload.action === 'synchronize')
      .map(({ payload }) => payload);
    expect(told).toMatchObject([
      { before, after, pull_request: { commits: 2, head: { sha: after } } },
      { before: after, after: forced, pull_request: { commits: 1 } },
    ]);
    const names = p.pocket.world.tables.events.all().map(({ name }) => name);
    expect(names.filter((name) => name === 'head force-pushed')).toHaveLength(1);
    expect((await git().listRefs()).get(`refs/pull/${pull}/head`)).toBe(forced);
  });

  test('mergeability is unknown until the clock has moved on', async () => {
    const shared = p;
    p = await openPocket({ lags: { mergeableMs: 5000 } });
    await pushTo(p, 'topic', { files: { 'README.md': 'mine' } });
    const pull = await open();
    const unknown = { mergeable: null, rebaseable: null, mergeable_state: 'unknown', merge_commit_sha: null };
    expect(await get(pull)).toMatchObject(unknown);
    p.clock.advance(4999);
    expect(await get(pull)).toMatchObject(unknown);
    p.clock.advance(1);
    expect(await get(pull)).toMatchObject({ mergeable: true, mergeable_state: 'clean' });
    await pushTo(p, 'main', { files: { 'README.md': 'theirs' } });
    expect(await get(pull)).toMatchObject(unknown);
    p.clock.advance(5000);
    expect(await get(pull)).toMatchObject({ mergeable: false, mergeable_state: 'dirty', merge_commit_sha: null });
    await p.close();
    p = shared;
  });

  test('mergeability is unknown for a moment where time goes on by itself, and told at once where it does not', async () => {
    await pushTo(p, 'topic', { files: { 'README.md': 'mine' } });
    expect(await get(await open())).toMatchObject({ mergeable: true });
    const shared = p;
    const clock = new RewindableClock();
    p = await openPocket({ clock });
    await pushTo(p, 'topic', { files: { 'README.md': 'mine' } });
    const pull = await open();
    const graphql = await p.graphql('wren');
    const query = `query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {
      pullRequest(number: ${pull}) { mergeable mergeStateStatus potentialMergeCommit { oid } } } }`;
    const unknown = { mergeable: 'UNKNOWN', mergeStateStatus: 'UNKNOWN', potentialMergeCommit: null };
    expect(await graphql(query, p.at)).toEqual({ repository: { pullRequest: unknown } });
    clock.advance(999);
    expect(await get(pull)).toMatchObject({ mergeable: null });
    clock.advance(1001);
    expect(await get(pull)).toMatchObject({ mergeable: true });
    await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    expect(await get(pull)).toMatchObject({ mergeable: null });
    await p.close();
    p = shared;
  });

  test('base moving on does not move `base.sha`, but the trial merge', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    const first = await get(pull);
    const tip = await pushTo(p, 'main', { files: { 'c.txt': 'c' } });
    const second = await get(pull);
    expect(second.base.sha).toBe(first.base.sha);
    expect(second.merge_commit_sha).not.toBe(first.merge_commit_sha);
    const trial = (await git().listRefs()).get(`refs/pull/${pull}/merge`) ?? '';
    expect(trial).toBe(second.merge_commit_sha);
    expect((await commit(trial)).parents[0]).toBe(tip);
  });

  test('that bring the commits to base themselves count as the merge', async () => {
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    const tip = await pushTo(p, 'main', { files: { 'b.txt': 'b' }, onto: head, by: 'ada' });
    expect(await get(pull)).toMatchObject({ merged: true, merged_by: { login: 'ada' }, merge_commit_sha: tip });
  });

  test('that delete the head close; that delete the base close too', async () => {
    await pushTo(p, 'dev', { files: { 'd.txt': 'd' } });
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    await pushTo(p, 'other', { files: { 'b.txt': 'b' } });
    const [gone, orphan] = [await open(), await open('other', { base: 'dev' })];
    await deleteBranch(p, 'topic');
    await deleteBranch(p, 'dev');
    expect([(await get(gone)).state, (await get(orphan)).state]).toEqual(['closed', 'closed']);
    expect((await git().listRefs()).get(`refs/pull/${gone}/head`)).toBeDefined();
    const names = p.pocket.world.tables.events.all().map(({ name }) => name);
    expect(names.filter((name) => name === 'closed' || name === 'head deleted')).toEqual([
      'closed',
      'head deleted',
      'closed',
    ]);
  });

  test('that throw the head back to base close it', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const pull = await open();
    await moveBranch(p, 'topic', tipOf(p, 'main'));
    expect(await get(pull)).toMatchObject({ state: 'closed', merged: false });
  });
});
