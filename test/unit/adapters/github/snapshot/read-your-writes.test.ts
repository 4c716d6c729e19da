import { describe, expect, test } from '@jest/globals';
import { ReadYourWrites } from '../../../../../src/adapters/github/snapshot/read-your-writes.js';
import type { Change } from '../../../../../src/domain/render/projection/projection.js';
import type { GitHub, RawSnapshot } from '../../../../../src/ports/github.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import {
  appIdentity,
  appTokens,
  snapshotWithoutState,
  NO_HINTS,
  QUIET_LOG,
  requestsOf,
  createTestGitHub,
} from '../../../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

let p: TestPocket;
let github: GitHub;
let readYourWrites: ReadYourWrites;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const SECOND = 1000;
const ref = { owner: 'ada', repo: 'sandbox', number: 1 };
const WORK = 'sluice/issue-1';

async function openIssue(): Promise<void> {
  p.pocket.faults.clear();
  const { api: apiUrl } = p.pocket.urls;
  readYourWrites = new ReadYourWrites({ clock: p.clock });
  const parts = { apiUrl, tokens: appTokens(p), identity: appIdentity(p), clock: p.clock, log: QUIET_LOG };
  github = createTestGitHub({ ...parts, readYourWrites });
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow' });
  p.clock.advance(10 * SECOND);
}

async function look(hints = NO_HINTS): Promise<RawSnapshot> {
  const snapshot = await github.snapshot(ref, hints);
  if (snapshot === null) throw new Error('the issue is gone');
  return snapshot;
}

/** Every read is answered as it was true some seconds ago. */
const lag = (seconds: number): number =>
  p.pocket.faults.arm({
    on: 'request',
    match: { operation: 'IssueSnapshot' },
    occurrence: { always: true },
    effect: { kind: 'stale', lagMs: seconds * SECOND },
  });

const project = async (...changes: readonly Change[]): Promise<RawSnapshot> =>
  github.project(snapshotWithoutState(await look()), changes, NO_HINTS);
const status = (body: string, existing: string | null = null): Change => ({
  kind: 'comment',
  slot: 'status',
  body,
  existing,
});
const labels = (...add: readonly string[]): Change => ({ kind: 'labels', add, remove: [] });

const facts = ({ labels: names, comments, state, title }: RawSnapshot) => ({
  labels: names,
  comments: comments.map(({ body }) => body),
  state,
  title,
});

describe('a read that lags behind', () => {
  test('does not hide what we wrote ourselves', async () => {
    await openIssue();
    const written = await project(labels('phase/issue', 'auto/running'), status('at work'));
    p.clock.advance(2 * SECOND);
    const fault = lag(5);
    const read = await look();
    expect(facts(read)).toEqual(facts(written));
    expect(read.readAt).toBe(p.clock.now());
    p.pocket.faults.disarm(fault);
    expect(facts(await look())).toEqual(facts(written));
  });

  test('does not hide what it has shown before, and what people do later is seen', async () => {
    await openIssue();
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, title: 'Grow more' });
    expect((await look()).title).toBe('Grow more');
    p.clock.advance(SECOND);
    const fault = lag(5);
    expect((await look()).title).toBe('Grow more');
    p.pocket.faults.disarm(fault);
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, title: 'Grow on' });
    expect((await look()).title).toBe('Grow on');
  });

  test('does not hide the pull request that was opened, nor that it was merged', async () => {
    await openIssue();
    const head = await pushTo(p, WORK, { files: { a: '1' } });
    p.clock.advance(10 * SECOND);
    const pull = { branch: WORK, base: 'main', title: 'Grow it', body: 'Refs #1' };
    const opened = await github.openPull(snapshotWithoutState(await look()), pull, NO_HINTS);
    p.clock.advance(SECOND);
    const fault = lag(5);
    expect((await look()).pulls[0]?.number).toBe(opened.pulls[0]?.number);
    p.pocket.faults.disarm(fault);
    p.clock.advance(10 * SECOND);
    const merge = { pullId: opened.pulls[0]?.id ?? '', head, title: 'Grow it', body: '' };
    await github.merge(snapshotWithoutState(await look()), merge, NO_HINTS);
    p.clock.advance(SECOND);
    lag(5);
    expect((await look()).pulls[0]?.state).toBe('merged');
  });

  test('does not take a state back that we have moved on from: git is asked', async () => {
    await openIssue();
    const [old, next] = ['a'.repeat(40), 'b'.repeat(40)];
    const raw = { ...(await look()), rawState: { oid: old, parents: [], text: '{}' } };
    const dated = { snapshot: raw, updatedAt: p.clock.now(), hints: NO_HINTS, isWhole: true };
    readYourWrites.recordPushes(p.at, [{ ref: 'refs/sluice/issue-1', expected: old, to: next }]);
    expect(readYourWrites.read(dated).rawState).toEqual({ oid: next, parents: [], text: null });
    const newer = { oid: 'c'.repeat(40), parents: [next], text: '{}' };
    expect(readYourWrites.read({ ...dated, snapshot: { ...raw, rawState: newer } }).rawState).toEqual(newer);
  });

  test('does not take our pushes back', async () => {
    await openIssue();
    const before = tipOf(p, 'main');
    const snapshot = await look();
    const [pushed, landed] = ['b'.repeat(40), 'c'.repeat(40)];
    readYourWrites.recordPushes(p.at, [
      { ref: `refs/heads/${WORK}`, expected: null, to: pushed },
      { ref: 'refs/heads/main', expected: before, to: landed },
    ]);
    const read = { snapshot, updatedAt: p.clock.now(), hints: { ...NO_HINTS, landed }, isWhole: true };
    expect(readYourWrites.read(read)).toMatchObject({ workHead: pushed, base: { head: landed, holdsLanded: true } });
    // Somebody may move a branch back; that is no lag.
    p.clock.advance(2 * 60 * SECOND);
    expect(readYourWrites.read(read)).toMatchObject({ workHead: null, base: { head: before } });
  });
});

describe('a write whose answer was lost', () => {
  test('is not followed by another comment before a read would show it', async () => {
    await openIssue();
    p.pocket.faults.arm({
      on: 'request',
      match: { operation: 'ProjectIssue' },
      occurrence: { nth: 1 },
      effect: { kind: 'status', status: 502, when: 'after' },
    });
    await expect(project(status('at work'))).rejects.toMatchObject({ problem: 'transient' });
    const stale = lag(5);
    const again = project(status('at work'));
    await expect(again).rejects.toMatchObject({ problem: 'transient', until: p.clock.now() + 10 * SECOND });
    // What can be repeated may be.
    await expect(project(labels('phase/issue'))).resolves.toMatchObject({ labels: ['phase/issue'] });
    p.pocket.faults.disarm(stale);
    p.clock.advance(10 * SECOND);
    expect(facts(await look()).comments).toEqual(['at work']);
  });
});

describe('an answer to a command', () => {
  test('whose confirmation was lost is not given twice', async () => {
    await openIssue();
    const match = { operation: 'AddReply' };
    const effect = { kind: 'status', status: 502, when: 'after' } as const;
    p.pocket.faults.arm({ on: 'request', match, occurrence: { nth: 1 }, effect });
    const said = () => github.reply(ref, 'c1', 'No.');
    await expect(said()).rejects.toMatchObject({ problem: 'transient' });
    const stale = { kind: 'stale', lagMs: 5 * SECOND } as const;
    const late = p.pocket.faults.arm({ on: 'request', match: {}, occurrence: { always: true }, effect: stale });
    await expect(said()).rejects.toMatchObject({ problem: 'transient', until: p.clock.now() + 10 * SECOND });
    p.pocket.faults.disarm(late);
    p.clock.advance(10 * SECOND);
    await said();
    expect((await look()).comments).toHaveLength(1);
  });
});

describe('an issue with more comments than GitHub sends at once', () => {
  const talk = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: `${index}` });
  };
  const ours = ({ comments }: RawSnapshot) => comments.filter(({ author }) => author?.kind === 'bot');

  /** Ours first, and then so much talk that it is two pages back. */
  async function buried(): Promise<string> {
    await openIssue();
    await pushTo(p, 'main', { files: { b: '1' } });
    const { data } = await p.rest('ada').rest.repos.getCommit({ ...p.at, ref: 'main' });
    await p.rest('app').rest.git.createRef({ ...p.at, ref: 'refs/sluice/issue-1', sha: data.sha });
    const [comment] = ours(await project(status('at work')));
    await talk(205);
    return comment?.id ?? '';
  }

  test('shows ours all the same: looked for once, and asked for by name from then on', async () => {
    const id = await buried();
    const fresh = {
      apiUrl: p.pocket.urls.api,
      tokens: appTokens(p),
      log: QUIET_LOG,
    };
    github = createTestGitHub({ ...fresh, identity: appIdentity(p), clock: p.clock });
    const first = await requestsOf(p, look);
    expect(first.operations).toEqual(['IssueSnapshot', 'OlderComments', 'OlderComments']);
    const second = await requestsOf(p, look);
    expect(second.operations).toEqual(['IssueSnapshot']);
    for (const { result } of [first, second]) expect(ours(result)).toMatchObject([{ id, body: 'at work' }]);

    const edited = await github.project(snapshotWithoutState(second.result), [status('done', id)], NO_HINTS);
    expect(ours(edited)).toMatchObject([{ id, body: 'done' }]);
    const third = await requestsOf(p, look);
    expect(third.operations).toEqual(['IssueSnapshot']);
    expect(ours(third.result)).toMatchObject([{ id, body: 'done' }]);

    // A command is answered with the newest comments only; ours are not forgotten over it.
    const { data: command } = await p
      .rest('wren')
      .rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
    await github.acknowledge(ref, { commentId: command.node_id, isPull: false }, NO_HINTS);
    expect(ours(await look())).toMatchObject([{ id, body: 'done' }]);
    github = createTestGitHub({ ...fresh, identity: appIdentity(p), clock: p.clock });
    await github.acknowledge(ref, { commentId: command.node_id, isPull: false }, NO_HINTS);
    expect(ours(await look())).toMatchObject([{ id, body: 'done' }]);

    const databaseId = ours(third.result)[0]?.databaseId ?? 0;
    await p.rest('ada').rest.issues.deleteComment({ ...p.at, comment_id: databaseId });
    expect(ours(await look())).toEqual([]);
  }, 60_000);
});
