import { describe, expect, test } from '@jest/globals';
import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import { DEFAULT_LIMITS } from '../../../src/domain/limits/policy.js';
import type { Change } from '../../../src/domain/action/change.js';
import { addItem, commitFiles, seedProject, insertField, moveRefs, setFieldValue } from '#pocket-github/testing';
import type { GitHub, RawSnapshot } from '../../../src/ports/github.js';
import { pushTo, tipOf, deleteBranch } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import {
  appIdentity,
  snapshotWithoutState,
  githubFor,
  NO_HINTS,
  personalToken,
  requestsOf,
} from '../../support/github/github-adapter.js';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { addRuleset, protectMain } from '#pocket-github/test/branch-protection';
import { driftOf } from '../../support/domain/rendered.js';

let p: TestPocket;
let github: GitHub;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const ref = { owner: 'ada', repo: 'sandbox', number: 1 };
const WORK = 'sluice/issue-1';

/** Issue #1 and a fresh adapter. */
async function openIssue(body = 'It should grow.'): Promise<void> {
  github = githubFor(p);
  await p.rest('ada').rest.issues.create({ ...p.at, title: 'Grow', body });
}

async function look(hints = NO_HINTS): Promise<RawSnapshot> {
  const snapshot = await github.snapshot(ref, hints);
  if (snapshot === null) throw new Error('the issue is gone');
  return snapshot;
}

const project = async (...changes: readonly Change[]): Promise<RawSnapshot> =>
  github.project(snapshotWithoutState(await look()), changes, NO_HINTS);

const openPull = async (): Promise<RawSnapshot> =>
  github.openPull(
    snapshotWithoutState(await look()),
    { branch: WORK, base: 'main', title: 'Grow it', body: 'Refs #1' },
    NO_HINTS,
  );

const labels = (add: readonly string[], remove: readonly string[] = []): Change => ({ kind: 'labels', add, remove });
const status = (body: string, existing: string | null = null): Change => ({
  kind: 'comment',
  slot: 'status',
  body,
  existing,
});

/** The next request of this operation is carried out, and its answer lost. */
const loseAnswerOf = (operation: string): void =>
  void p.pocket.faults.arm({
    on: 'request',
    match: { operation },
    occurrence: { nth: 1 },
    effect: { kind: 'status', status: 502, when: 'after' },
  });

describe('a snapshot', () => {
  test('of a fresh issue takes one request of one point', async () => {
    await openIssue();
    const { result, operations, points } = await requestsOf(p, look);
    expect({ operations, points }).toEqual({ operations: ['IssueSnapshot'], points: 1 });
    expect(result).toEqual({
      ref,
      readAt: p.clock.now(),
      knownAt: p.clock.now(),
      repositoryId: expect.any(String),
      repositoryDatabaseId: p.repository.id,
      issueId: expect.any(String),
      title: 'Grow',
      body: 'It should grow.',
      author: { id: p.users.ada.id, login: 'ada', kind: 'human' },
      editor: null,
      editedAt: null,
      state: 'open',
      labels: [],
      labelIds: {},
      projectSize: null,
      projectSizeAt: null,
      events: [],
      comments: [],
      base: {
        ref: 'main',
        head: tipOf(p, 'main'),
        protected: false,
        holdsLanded: null,
        checks: 'none',
        defaultHead: null,
      },
      pulls: [],
      pullsCut: false,
      foreignPull: null,
      workHead: null,
      mergeMethod: 'squash',
      openPulls: 0,
      rawState: null,
    });
  });

  test('tells who labelled, commented, closed and reopened, in order', async () => {
    await openIssue();
    const issue = { ...p.at, issue_number: 1 };
    await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'Phase/Ready', color: 'ffffff' });
    await p.rest('wren').rest.issues.addLabels({ ...issue, labels: ['Phase/Ready'] });
    p.clock.advance(1000);
    await p.rest('ada').rest.issues.update({ ...issue, state: 'closed' });
    p.clock.advance(1000);
    await p.rest('ada').rest.issues.update({ ...issue, state: 'open' });
    p.clock.advance(1000);
    await p.rest('app').rest.issues.removeLabel({ ...issue, name: 'Phase/Ready' });
    await p.rest('rita').rest.issues.createComment({ ...issue, body: '/auto' });
    const { events, comments, labels: shown, labelIds } = await look();
    const by = (actor: { id: number } | null) => actor?.id;
    expect(events.map(({ kind, label, actor }) => [kind, label, by(actor)])).toEqual([
      ['labeled', 'Phase/Ready', p.users.wren.id],
      ['closed', null, p.users.ada.id],
      ['reopened', null, p.users.ada.id],
      ['unlabeled', 'Phase/Ready', p.app.botId],
    ]);
    expect(events.at(-1)?.actor?.kind).toBe('bot');
    expect(comments).toMatchObject([{ author: { id: p.users.rita.id, login: 'rita', kind: 'human' }, body: '/auto' }]);
    expect(shown).toEqual([]);
    // Found in spite of its case, and named as we name it.
    expect(Object.keys(labelIds)).toEqual(['phase/ready']);
  });

  test('has the pull request with its checks, those nobody reported yet included', async () => {
    await openIssue();
    protectMain(p, {
      requiredChecks: [
        { context: 'build', appId: null },
        { context: 'lint', appId: null },
      ],
    });
    const head = await pushTo(p, WORK, { files: { 'grow.js': '1' } });
    await p.rest('app').rest.pulls.create({ ...p.at, title: 'Grow it', head: WORK, base: 'main' });
    const run = { ...p.at, head_sha: head, status: 'completed' as const };
    await p.rest('app').rest.checks.create({
      ...run,
      name: 'build',
      conclusion: 'failure',
      output: { title: 'Broken', summary: 'line 3' },
    });
    await p.rest('app').rest.checks.create({ ...run, name: 'docs', conclusion: 'neutral' });
    await p.rest('app').rest.checks.create({ ...p.at, head_sha: head, name: 'slow', status: 'in_progress' });
    await p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha: head, state: 'success', context: 'legacy' });
    await p.rest('ada').rest.pulls.createReview({ ...p.at, pull_number: 2, event: 'APPROVE' });
    const {
      pulls: [pull],
      workHead,
      base,
    } = await look();
    expect({ workHead, protected: base.protected }).toEqual({ workHead: head, protected: true });
    expect(pull).toMatchObject({
      number: 2,
      state: 'open',
      draft: false,
      head,
      baseRef: 'main',
      mergeable: 'yes',
      mergeState: 'BLOCKED',
      mergeCommit: null,
      mergedAt: null,
    });
    const app = p.app.id;
    expect(pull?.checks).toEqual([
      { name: 'build', outcome: 'red', required: true, appId: app, summary: 'Broken\n\nline 3' },
      { name: 'docs', outcome: 'green', required: false, appId: app, summary: '' },
      { name: 'slow', outcome: 'pending', required: false, appId: app, summary: '' },
      { name: 'legacy', outcome: 'green', required: false, appId: null, summary: '' },
      { name: 'lint', outcome: 'pending', required: true, appId: null, summary: expect.any(String) },
    ]);
  });

  test('still has the merged pull request when its branch is gone, and the newest of several', async () => {
    await openIssue();
    await pushTo(p, WORK, { files: { a: '1' } });
    const pulls = p.rest('app').rest.pulls;
    await pulls.create({ ...p.at, title: 'First', head: WORK, base: 'main' });
    await pulls.update({ ...p.at, pull_number: 2, state: 'closed' });
    await pulls.create({ ...p.at, title: 'Second', head: WORK, base: 'main' });
    const { data } = await pulls.merge({ ...p.at, pull_number: 3, merge_method: 'squash' });
    await deleteBranch(p, WORK);
    const {
      pulls: [pull],
      workHead,
    } = await look();
    expect({ workHead, pull }).toMatchObject({
      workHead: null,
      pull: { number: 3, state: 'merged', mergeCommit: data.sha, mergedAt: p.clock.now() },
    });
  });

  test('has the pull request that is written down, and no other that its number may stand for', async () => {
    await openIssue();
    await pushTo(p, WORK, { files: { a: '1' } });
    const [pull] = (await openPull()).pulls;
    const known = { number: pull?.number ?? 0, id: pull?.id ?? '' };
    const fresh = (hint: typeof known) => githubFor(p).snapshot(ref, { ...NO_HINTS, pull: hint });
    const { operations, result, points } = await requestsOf(p, () => fresh(known));
    expect({ operations, points }).toEqual({ operations: ['IssueSnapshot'], points: 1 });
    expect(result?.pulls).toEqual([pull]);
    expect((await fresh({ ...known, id: 'PR_another' }))?.pulls).toEqual([]);
    expect((await fresh({ number: 1, id: 'PR_gone' }))?.pulls).toEqual([]);
    expect((await fresh({ number: 999, id: 'PR_gone' }))?.pulls).toEqual([]);
  });

  test('shows somebody else’s pull request from the work branch as what it is', async () => {
    await openIssue();
    await pushTo(p, WORK, { files: { a: '1' } });
    await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Mine', head: WORK, base: 'main' });
    expect(await look()).toMatchObject({ pulls: [], foreignPull: 2 });
  });

  test('brings the state ref along, with its parent', async () => {
    await openIssue();
    const { world } = p.pocket;
    const write = async (text: string, parent: string | null) =>
      commitFiles(world.git(p.repository.id), {
        parent,
        files: { 'state.json': text },
        message: 'because',
        author: { name: 'Sluice', email: 'sluice@example.com', at: world.now() },
      });
    const first = await write('{"epoch":1}', null);
    const second = await write('{"epoch":2}', first);
    const actor = { userId: p.app.botId, viaAppId: p.app.id };
    await moveRefs(world, actor, p.repository, [{ name: 'refs/sluice/issue-1', before: null, after: second }]);
    expect((await look()).rawState).toEqual({ oid: second, parents: [first], text: '{"epoch":2}' });
  });

  test('answers for the base and the landed commit it was given; a wrong hint does no harm', async () => {
    await openIssue();
    const main = tipOf(p, 'main');
    const release = await pushTo(p, 'release/1', { files: { a: '1' } });
    const base = async (hints: { base: string | null; landed: string | null }) =>
      (await look({ ...NO_HINTS, ...hints })).base;
    expect(await base({ base: 'release/1', landed: main })).toMatchObject({
      ref: 'release/1',
      head: release,
      holdsLanded: true,
    });
    expect(await base({ base: 'release/1', landed: release })).toMatchObject({ holdsLanded: true });
    expect(await base({ base: 'gone', landed: release })).toMatchObject({
      ref: 'main',
      head: main,
      holdsLanded: false,
    });
    expect(await base({ base: null, landed: 'f'.repeat(40) })).toMatchObject({ holdsLanded: false });
  });

  test.each([
    ['a pull request', { requirePullRequest: true }, true],
    ['a green check', { requiredChecks: [{ context: 'build', appId: null }] }, true],
    [
      'a merge queue',
      { mergeQueue: { method: 'squash', maxEntriesToMerge: 1, checkTimeoutMs: 60_000 } as const },
      true,
    ],
    ['nobody to push', { restrictUpdates: true }, true],
    ['no force pushes', { blockForcePushes: true, requireLinearHistory: true, blockDeletions: true }, false],
  ])('says whether a ruleset that wants %s keeps direct pushes out', async (_what, rules, expected) => {
    await openIssue();
    addRuleset(p, ['~DEFAULT_BRANCH'], rules);
    expect((await look()).base.protected).toBe(expected);
  });

  test('is null when the issue is gone, is a pull request, or its repository does not exist', async () => {
    await openIssue();
    await pushTo(p, WORK, { files: { a: '1' } });
    await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Not an issue', head: WORK, base: 'main' });
    expect(await github.snapshot({ ...ref, number: 2 }, NO_HINTS)).toBeNull();
    expect(await github.snapshot({ ...ref, number: 99 }, NO_HINTS)).toBeNull();
    expect(await github.snapshot({ ...ref, repo: 'nowhere' }, NO_HINTS)).toBeNull();
  });

  test('takes the size from the board, for those who may see it', async () => {
    await openIssue();
    const { world } = p.pocket;
    const [issue] = world.tables.issues.by('repositoryId', p.repository.id);
    if (issue === undefined) throw new Error('there is no issue');
    const project = seedProject(world, { owner: p.users.ada, title: 'Board' });
    const size = insertField(world, project, { name: 'Size', options: ['S', 'M'] });
    const actor = { userId: p.users.ada.id, viaAppId: null };
    const card = await addItem(world, actor, project, issue);
    p.clock.advance(60_000);
    const at = p.clock.now();
    await setFieldValue(world, actor, card, size, { singleSelectOptionId: size.options[1]?.id ?? '' });
    p.clock.advance(60_000);
    // A person's board is out of reach for an App.
    expect((await look()).projectSize).toBeNull();
    const person = { accountId: p.users.ada.id, appId: null };
    github = githubFor(p, personalToken(p, 'ada', ['repo', 'read:project']), person);
    const { result, operations } = await requestsOf(p, look);
    expect({ operations, size: result.projectSize, at: result.projectSizeAt }).toEqual({
      operations: ['IssueSnapshot'],
      size: 'M',
      at,
    });
  });

  test('costs a person without the project scope one request more, once', async () => {
    await openIssue();
    github = githubFor(p, personalToken(p, 'wren'), { accountId: p.users.wren.id, appId: null });
    expect((await requestsOf(p, look)).operations).toEqual(['IssueSnapshot', 'IssueSnapshot']);
    expect((await requestsOf(p, look)).operations).toEqual(['IssueSnapshot']);
  });
});

test('a private repository is read by the App, and does not exist for those who may not see it', async () => {
  const closed = await openPocket({ private: true });
  await closed.rest('ada').rest.issues.create({ ...closed.at, title: 'Secret' });
  await pushTo(closed, WORK, { files: { a: '1' } });
  await closed.rest('app').rest.pulls.create({ ...closed.at, title: 'Grow it', head: WORK, base: 'main' });
  expect(await githubFor(closed).snapshot(ref, NO_HINTS)).toMatchObject({ title: 'Secret', pulls: [{ number: 2 }] });
  const outsider = githubFor(closed, personalToken(closed, 'mallory'), { accountId: 1, appId: null });
  expect(await outsider.snapshot(ref, NO_HINTS)).toBeNull();
  await closed.close();
});

describe('a projection', () => {
  test('makes all labels of ours the first time, and takes one request from then on', async () => {
    await openIssue();
    const before = snapshotWithoutState(await look());
    const first = await requestsOf(p, () => github.project(before, [labels(['phase/code', 'auto/running'])], NO_HINTS));
    expect(first.operations).toEqual(['CreateLabels', 'ProjectIssue']);
    expect(first.result.labels).toEqual(['phase/code', 'auto/running']);
    const change = labels(['phase/review'], ['phase/code']);
    const second = await requestsOf(p, () => github.project(snapshotWithoutState(first.result), [change], NO_HINTS));
    expect({ operations: second.operations, points: second.points }).toEqual({
      operations: ['ProjectIssue'],
      points: 1,
    });
    expect(second.result.labels.toSorted()).toEqual(['auto/running', 'phase/review']);
    expect(second.result).toEqual(await look());
  });

  test('of everything at once is one request, and its answer is what a look would say', async () => {
    await openIssue('- [ ] grows');
    const head = await pushTo(p, WORK, { files: { a: '1' } });
    await openPull();
    await project(labels(['phase/merge', 'auto/running']), status('one'), {
      kind: 'comment',
      slot: 'spec',
      body: 'spec',
      existing: null,
    });
    const seen = await project(status('a second one, by mistake'));
    const [kept, , surplus] = seen.comments;
    const text = 'quotes " \\ """ ${x} {{y}} \n\n```\nback`ticks\n```\n– ünï ☃';
    const changes: readonly Change[] = [
      labels(['phase/done'], ['phase/merge', 'auto/running']),
      status(text, kept?.id),
      { kind: 'remove-comment', id: surplus?.id ?? '' },
      { kind: 'comment', slot: 'triage', body: 'new', existing: null },
      { kind: 'check-run', name: 'sluice/review', head, conclusion: 'success', title: 'Good', summary: 'All good' },
      { kind: 'tick', body: '- [x] grows' },
      { kind: 'close' },
    ];
    const { result, operations, points } = await requestsOf(p, () =>
      github.project(snapshotWithoutState(seen), changes, NO_HINTS),
    );
    expect({ operations, points }).toEqual({ operations: ['ProjectIssue'], points: 1 });
    expect(result).toMatchObject({ state: 'closed', body: '- [x] grows', labels: ['phase/done'] });
    expect(result.comments.map(({ body }) => body)).toEqual([text, 'spec', 'new']);
    expect(result.pulls[0]?.checks).toEqual([
      { name: 'sluice/review', outcome: 'green', required: false, appId: p.app.id, summary: 'Good\n\nAll good' },
    ]);
    expect(result).toEqual(await look());
  });

  test('that only removes a comment looks by itself', async () => {
    await openIssue();
    const seen = await project(status('surplus'));
    const change: Change = { kind: 'remove-comment', id: seen.comments[0]?.id ?? '' };
    const { result, operations } = await requestsOf(p, () =>
      github.project(snapshotWithoutState(seen), [change], NO_HINTS),
    );
    expect(operations).toEqual(['ProjectIssue', 'IssueSnapshot']);
    expect(result.comments).toEqual([]);
  });

  test('of which a part fails does the rest and says so', async () => {
    await openIssue();
    const seen = await project(status('status'));
    await p.rest('ada').rest.issues.deleteComment({ ...p.at, comment_id: seen.comments[0]?.databaseId ?? 0 });
    const changes = [labels(['phase/code']), status('edited', seen.comments[0]?.id)];
    await expect(github.project(snapshotWithoutState(seen), changes, NO_HINTS)).rejects.toMatchObject({
      problem: 'not-found',
    });
    expect(await look()).toMatchObject({ labels: ['phase/code'], comments: [] });
  });

  test('does not mind that somebody made the labels in the meantime', async () => {
    await openIssue();
    const before = snapshotWithoutState(await look());
    await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'phase/code', color: 'ffffff' });
    expect(await github.project(before, [labels(['phase/code'])], NO_HINTS)).toMatchObject({ labels: ['phase/code'] });
  });

  test('removes a label that is none of ours by the name it has', async () => {
    await openIssue();
    await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'size/Huge', color: 'ffffff' });
    await p.rest('wren').rest.issues.addLabels({ ...p.at, issue_number: 1, labels: ['size/Huge'] });
    expect((await project(labels(['size/S'], ['size/Huge']))).labels).toEqual(['size/S']);
  });

  test.each(['ProjectIssue', 'CreateLabels'])(
    'whose %s answer is lost is healed by looking again',
    async (operation) => {
      await openIssue();
      const seen = snapshotWithoutState(await look());
      const changes = [labels(['phase/code']), status('status')];
      loseAnswerOf(operation);
      await expect(github.project(seen, changes, NO_HINTS)).rejects.toMatchObject({
        problem: 'transient',
        retry: 'transient',
      });
      const now = await look();
      const left = now.comments.length === 0 ? changes : [];
      const end = left.length === 0 ? now : await github.project(snapshotWithoutState(now), left, NO_HINTS);
      expect(end).toMatchObject({
        labels: ['phase/code'],
        comments: [{ body: 'status', author: { id: p.app.botId } }],
      });
    },
  );

  test('by a person cannot write check runs', async () => {
    await openIssue();
    github = githubFor(p, personalToken(p, 'wren'), { accountId: p.users.wren.id, appId: null });
    const change = {
      kind: 'check-run',
      name: 'sluice/review',
      head: tipOf(p, 'main'),
      conclusion: 'success',
      title: '',
      summary: '',
    } as const;
    await expect(project(change)).rejects.toMatchObject({ problem: 'permanent' });
    expect((await project(status('by hand'))).comments).toMatchObject([{ author: { login: 'wren', kind: 'human' } }]);
  });
});

describe('opening a pull request', () => {
  test('is one request and answers the snapshot with it', async () => {
    await openIssue();
    const head = await pushTo(p, WORK, { files: { a: '1' } });
    const seen = snapshotWithoutState(await look());
    const pull = { branch: WORK, base: 'main', title: 'Grow it', body: 'Refs #1' };
    const { result, operations, points } = await requestsOf(p, () => github.openPull(seen, pull, NO_HINTS));
    expect({ operations, points }).toEqual({ operations: ['OpenPull'], points: 1 });
    expect(result.pulls[0]).toMatchObject({ number: 2, state: 'open', head, baseRef: 'main' });
    expect(result).toEqual(await look());
  });

  test('again, after a lost answer, finds the one that is there', async () => {
    await openIssue();
    await pushTo(p, WORK, { files: { a: '1' } });
    loseAnswerOf('OpenPull');
    await expect(openPull()).rejects.toMatchObject({ problem: 'transient' });
    expect((await openPull()).pulls[0]).toMatchObject({ number: 2, state: 'open' });
    expect((await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' })).data).toHaveLength(1);
  });

  test('without commits is an error with the words of GitHub', async () => {
    await openIssue();
    await expect(openPull()).rejects.toMatchObject({
      problem: 'permanent',
      message: expect.stringContaining('No commits'),
    });
  });
});

describe('merging', () => {
  async function ready(): Promise<{ pullId: string; head: string; title: string; body: string }> {
    await openIssue();
    const head = await pushTo(p, WORK, { files: { a: '1' } });
    const [pull] = (await openPull()).pulls;
    return { pullId: pull?.id ?? '', head, title: 'Grow it (#2)', body: 'Refs #1' };
  }
  const merge = async (wish: Awaited<ReturnType<typeof ready>>) =>
    github.merge(snapshotWithoutState(await look()), wish, NO_HINTS);

  test('is one request: one commit with our words on base, and the issue stays open', async () => {
    const wish = await ready();
    const seen = snapshotWithoutState(await look());
    const { result, operations, points } = await requestsOf(p, () => github.merge(seen, wish, NO_HINTS));
    expect({ operations, points }).toEqual({ operations: ['MergePull'], points: 1 });
    expect(result).toEqual({ kind: 'merged', snapshot: await look() });
    const {
      base,
      pulls: [pull],
      state,
    } = await look();
    expect({ state, pull }).toMatchObject({ state: 'open', pull: { state: 'merged', mergeCommit: base.head } });
    const { data } = await p.rest('ada').rest.git.getCommit({ ...p.at, commit_sha: base.head });
    expect(data.message).toBe('Grow it (#2)\n\nRefs #1');
    expect(data.parents).toHaveLength(1);
  });

  test('another head than the reviewed one is refused', async () => {
    const wish = await ready();
    await pushTo(p, WORK, { files: { b: '1' } });
    expect(await merge(wish)).toEqual({
      kind: 'moved',
      why: 'Head branch was modified. Review and try the merge again.',
    });
  });

  test('what the base branch does not allow is refused with its reason', async () => {
    const wish = await ready();
    protectMain(p, { requirePullRequest: true, requiredApprovals: 1 });
    expect(await merge(wish)).toMatchObject({ kind: 'refused', why: expect.stringContaining('approving review') });
  });

  test('a lost answer is found by looking, and a second try changes nothing', async () => {
    const wish = await ready();
    loseAnswerOf('MergePull');
    await expect(merge(wish)).rejects.toMatchObject({ problem: 'transient' });
    const {
      pulls: [pull],
      base,
    } = await look();
    expect(pull).toMatchObject({ state: 'merged', mergeCommit: base.head });
    expect(await merge(wish)).toMatchObject({ kind: 'refused' });
    expect(tipOf(p, 'main')).toBe(base.head);
  });
});

test('roles are what they are now; strangers and bots have none worth having', async () => {
  await openIssue();
  const people = (['ada', 'wren', 'tess', 'rita', 'mallory'] as const).map((login) => ({
    login,
    id: p.users[login].id,
  }));
  const machines = ['nobody', 'sluice-dev[bot]'].map((login) => ({ login, id: 1 }));
  const roles = [...people, ...machines].map((account) => github.roleOf(p.at, account));
  expect(await Promise.all(roles)).toEqual(['admin', 'write', 'triage', 'read', 'read', 'none', 'none']);
  // A name that has changed hands gives its new owner's role to nobody.
  expect(await github.roleOf(p.at, { login: 'ada', id: p.users.mallory.id })).toBe('none');
});

test('a reaction is put on a comment, twice as good as once', async () => {
  await openIssue();
  const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
  const { operations } = await requestsOf(p, () => github.react(p.at, data.node_id, 'ROCKET'));
  expect(operations).toEqual(['React']);
  await github.react(p.at, data.node_id, 'ROCKET');
  const reactions = await p.rest('wren').rest.reactions.listForIssueComment({ ...p.at, comment_id: data.id });
  expect(reactions.data.map(({ content, user }) => [content, user?.id])).toEqual([
    ['rocket', appIdentity(p).accountId],
  ]);
});

describe('a comment that is acknowledged', () => {
  const say = async (number: number): Promise<string> => {
    const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: number, body: '/auto' });
    return data.node_id;
  };

  test('gets its eyes and brings the snapshot, in one request', async () => {
    await openIssue();
    const commentId = await say(1);
    const { result, operations } = await requestsOf(p, () =>
      github.acknowledge(ref, { commentId, isPull: false }, NO_HINTS),
    );
    expect(operations).toEqual(['Acknowledge']);
    expect(result).toMatchObject({
      kind: 'issue',
      comment: { author: { login: 'wren', kind: 'human' }, body: '/auto', at: p.clock.now(), edited: false },
      snapshot: { ref, title: 'Grow', author: { login: 'ada' } },
    });
    const again = await github.acknowledge(ref, { commentId, isPull: false }, NO_HINTS);
    expect(again).toMatchObject({ kind: 'issue' });
  });

  test('on a pull request of ours says which issue it works on; on others none', async () => {
    await openIssue();
    await pushTo(p, WORK, { files: { 'work.txt': 'done' } });
    const [pull] = (await openPull()).pulls;
    const number = pull?.number ?? 0;
    const commentId = await say(number);
    expect(await github.acknowledge({ ...ref, number }, { commentId, isPull: true }, NO_HINTS)).toMatchObject({
      kind: 'pull',
      comment: { author: { login: 'wren' }, body: '/auto' },
      issue: 1,
    });
  });

  test('and stands on another issue is not taken for one of this issue', async () => {
    await openIssue();
    await openIssue();
    const commentId = await say(2);
    const elsewhere = { kind: 'elsewhere' };
    expect(await github.acknowledge(ref, { commentId, isPull: false }, NO_HINTS)).toEqual(elsewhere);
    expect(await github.snapshot(ref, NO_HINTS)).toMatchObject({ comments: [] });
  });

  test('and is gone again is let be', async () => {
    await openIssue();
    const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
    await p.rest('wren').rest.issues.deleteComment({ ...p.at, comment_id: data.id });
    expect(await github.acknowledge(ref, { commentId: data.node_id, isPull: false }, NO_HINTS)).toEqual({
      kind: 'gone',
    });
  });
});

test('an answer that two instances gave at once heals: the oldest stays, whoever looks next', async () => {
  await openIssue();
  const give = async (about: string): Promise<void> => {
    const app = p.rest('app');
    await app.rest.issues.createComment({ ...p.at, issue_number: 1, body: `<!-- sluice:reply ${about} -->\nNo.` });
  };
  const said = async (): Promise<readonly (string | undefined)[]> => {
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: 1 });
    return data.map(({ id, body }) => `${id} ${body?.split('\n').at(-1)}`);
  };
  for (const about of ['to:IC_1', 'to:IC_1', 'to:IC_1', 'to:IC_2']) await give(about);
  const [first, , , other] = await said();
  await github.reply(ref, 'to:IC_1', 'No.');
  expect(await said()).toEqual([first, other]);
  await give('to:IC_2');
  const snapshot = await github.snapshot(ref, NO_HINTS);
  if (snapshot === null) throw new Error('the issue is gone');
  const policy = { ...DEFAULT_LIMITS, identity: appIdentity(p), budgets: DEFAULT_BUDGETS, holds: [] };
  const changes = driftOf(snapshotWithoutState(snapshot), policy).filter(({ kind }) => kind === 'remove-comment');
  expect(changes).toHaveLength(1);
  await github.project(snapshotWithoutState(snapshot), changes, NO_HINTS);
  expect(await said()).toEqual([first, other]);
});

test('an answer is given once, brought up to date, and given to pull requests too', async () => {
  await openIssue();
  const said = async (): Promise<readonly (string | undefined)[]> => {
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: 1 });
    return data.map(({ body }) => body?.split('\n').at(-1));
  };
  for (const text of ['No.', 'No.', 'Not today.']) await github.reply(ref, 'to:IC_1', text);
  expect(await said()).toEqual(['Not today.']);
  loseAnswerOf('AddReply');
  await expect(github.reply(ref, 'to:IC_2', 'Yes.')).rejects.toMatchObject({ problem: 'transient' });
  await github.reply(ref, 'to:IC_2', 'Yes.');
  expect(await said()).toEqual(['Not today.', 'Yes.']);
});
