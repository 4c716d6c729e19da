import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BranchRules } from '../../src/world/model.js';
import { pushTo, tipOf } from '../support/branches.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

const HOUR = 3_600_000;
const QUEUE: Partial<BranchRules> = {
  requiredChecks: [{ context: 'test', appId: null }],
  mergeQueue: { method: 'merge', checkTimeoutMs: HOUR, maxEntriesToMerge: 5 },
};

let p: TestPocket;
beforeEach(async () => {
  p = await openPocket();
});
afterEach(() => p.close());

interface Opened {
  readonly number: number;
  readonly id: string;
  readonly branch: string;
  readonly head: string;
}

const report = (sha: string, state: 'success' | 'failure' | 'pending') =>
  p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha, state, context: 'test' });

/** A pull request whose own check is green, so that it may queue. */
async function openPull(
  branch: string,
  files: Record<string, string> = { [`${branch}.txt`]: branch },
): Promise<Opened> {
  const head = await pushTo(p, branch, { files });
  const { data } = await p
    .rest('wren')
    .rest.pulls.create({ ...p.at, title: `Add ${branch}`, head: branch, base: 'main' });
  await report(head, 'success');
  return { number: data.number, id: data.node_id, branch, head };
}

const ENQUEUE = `mutation ($id: ID!, $jump: Boolean, $head: GitObjectID) {
  enqueuePullRequest(input: { pullRequestId: $id, jump: $jump, expectedHeadOid: $head }) {
    mergeQueueEntry { id position state jump solo enqueuer { login } estimatedTimeToMerge pullRequest { number isInMergeQueue } }
  }
}`;
interface Enqueued {
  enqueuePullRequest: { mergeQueueEntry: Record<string, unknown> };
}
const enqueue = async ({ id }: Opened, more: { jump?: boolean; head?: string } = {}, who: Person | 'app' = 'wren') => {
  const graphql = await p.graphql(who);
  return (await graphql<Enqueued>(ENQUEUE, { id, ...more })).enqueuePullRequest.mergeQueueEntry;
};
const dequeue = async ({ id }: Opened) =>
  (await p.graphql('wren'))(
    'mutation ($id: ID!) { dequeuePullRequest(input: { id: $id }) { mergeQueueEntry { pullRequest { number } } } }',
    { id },
  );

const entries = () => p.pocket.world.tables.queueEntries;
const entryOf = ({ number }: Opened) => {
  const entry = entries()
    .all()
    .find(({ pullId }) => p.pocket.world.tables.pulls.must(pullId).number === number);
  if (entry?.headOid == null) throw new Error(`#${number} is not being tested in the queue`);
  return { ...entry, headOid: entry.headOid };
};
const waiting = async () => {
  const graphql = await p.graphql('rita');
  const { repository } = await graphql<{
    repository: { mergeQueue: { entries: { nodes: { state: string; pullRequest: { number: number } }[] } } };
  }>(
    '{ repository(owner: "ada", name: "sandbox") { mergeQueue { entries(first: 10) { nodes { state pullRequest { number } } } } } }',
  );
  return repository.mergeQueue.entries.nodes.map(({ state, pullRequest }) => [pullRequest.number, state]);
};
const stateOf = async ({ number }: Opened) => {
  const { data } = await p.rest('rita').rest.pulls.get({ ...p.at, pull_number: number });
  return data.merged ? 'merged' : data.state;
};
const queueBranches = () =>
  p.pocket.world.tables.refs
    .all()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('refs/heads/gh-readonly-queue/'));

/** What was told about queue and pull requests while `task` ran. */
async function told(task: () => Promise<unknown>): Promise<string[]> {
  const before = (await p.deliveries()).length;
  await task();
  return (await p.deliveries()).slice(before).flatMap(({ event, payload }) => {
    const { action = '', reason } = payload;
    const subject = event === 'merge_group' ? '' : ` #${String(payload['number'])}`;
    if (event !== 'merge_group' && event !== 'pull_request') return [];
    return [`${event}.${action}${subject}${reason === undefined ? '' : ` ${reason as string}`}`];
  });
}

describe('joining the queue', () => {
  test('builds a trial commit on a branch of its own and asks for its checks', async () => {
    protectMain(p, QUEUE);
    const one = await openPull('one');
    const base = tipOf(p, 'main');
    const hooks = await told(async () => {
      expect(await enqueue(one, { head: one.head })).toEqual({
        id: expect.any(String) as unknown,
        position: 1,
        state: 'AWAITING_CHECKS',
        jump: false,
        solo: false,
        enqueuer: { login: 'wren' },
        estimatedTimeToMerge: null,
        pullRequest: { number: one.number, isInMergeQueue: true },
      });
    });
    expect(hooks).toEqual([`pull_request.enqueued #${one.number}`, 'merge_group.checks_requested']);
    const { headOid } = entryOf(one);
    expect(queueBranches()).toEqual([`refs/heads/gh-readonly-queue/main/pr-${one.number}-${base}`]);
    const commit = await p.pocket.world.git(p.repository.id).commit(headOid);
    expect(commit?.parents).toEqual([base, one.head]);
    const group = (await p.deliveries()).find(({ event }) => event === 'merge_group')?.payload['merge_group'];
    expect(group).toMatchObject({
      head_sha: headOid,
      head_ref: queueBranches()[0],
      base_sha: base,
      base_ref: 'refs/heads/main',
      head_commit: { id: headOid, tree_id: commit?.tree, author: { name: 'wren' }, committer: { name: 'GitHub' } },
    });
    expect(tipOf(p, 'main')).toBe(base);
  });

  test('is refused where it makes no sense', async () => {
    const one = await openPull('one');
    expect(await errorsOf(enqueue(one))).toEqual([
      'UNPROCESSABLE: Pull request Base branch does not have a merge queue',
    ]);
    protectMain(p, { ...QUEUE, requiredApprovals: 1 });
    expect(await errorsOf(enqueue(one))).toEqual([
      'UNPROCESSABLE: Pull request At least 1 approving review is required by reviewers with write access.',
    ]);
    await p.rest('ada').rest.pulls.createReview({ ...p.at, pull_number: one.number, event: 'APPROVE' });
    expect(await errorsOf(enqueue(one, { head: tipOf(p, 'main') }))).toEqual([
      'UNPROCESSABLE: Head branch was modified. Review and try the merge again.',
    ]);
    expect((await errorsOf(enqueue(one, {}, 'tess')))[0]).toMatch(/^FORBIDDEN/);
    await report(one.head, 'pending');
    expect((await errorsOf(enqueue(one)))[0]).toMatch(
      /^UNPROCESSABLE: Pull request Required status check "test" is pending/,
    );
    await report(one.head, 'success');
    await enqueue(one);
    expect(await errorsOf(enqueue(one))).toEqual(['UNPROCESSABLE: Pull request is already in the queue']);
    await dequeue(one);
    await pushTo(p, 'main', { files: { 'one.txt': 'other' } });
    expect(await errorsOf(enqueue(one))).toEqual(['UNPROCESSABLE: Pull request is not mergeable']);
  });

  test('is the only way in: a direct merge is refused', async () => {
    protectMain(p, QUEUE);
    const one = await openPull('one');
    expect(await refusalOf(p.rest('ada').rest.pulls.merge({ ...p.at, pull_number: one.number }))).toEqual({
      status: 405,
      message: 'Changes must be made through the merge queue',
    });
    const merge = (await p.graphql('ada'))(
      'mutation ($id: ID!) { mergePullRequest(input: { pullRequestId: $id }) { pullRequest { merged } } }',
      { id: one.id },
    );
    expect(await errorsOf(merge)).toEqual(['UNPROCESSABLE: Changes must be made through the merge queue']);
  });

  test('at the front, for those in a hurry', async () => {
    protectMain(p, QUEUE);
    const [one, two, three] = [await openPull('one'), await openPull('two'), await openPull('three')];
    await enqueue(one);
    await enqueue(two);
    const built = entryOf(one).headOid;
    expect(await enqueue(three, { jump: true })).toMatchObject({ position: 1, jump: true });
    expect((await waiting()).map(([number]) => number)).toEqual([three.number, one.number, two.number]);
    expect(entryOf(one).baseOid).toBe(entryOf(three).headOid);
    expect(entryOf(one).headOid).not.toBe(built);
    expect(queueBranches()).toHaveLength(3);
    const four = await openPull('four');
    await enqueue(four, { jump: true });
    expect((await waiting()).map(([number]) => number)).toEqual([four, three, one, two].map(({ number }) => number));
  });

  test('the queue of a branch is described', async () => {
    protectMain(p, QUEUE);
    const one = await openPull('one');
    const graphql = await p.graphql('rita');
    const answer = await graphql(
      `query ($number: Int!) { repository(owner: "ada", name: "sandbox") {
        other: mergeQueue(branch: "other") { url }
        mergeQueue(branch: "main") { url configuration { checkResponseTimeout maximumEntriesToMerge mergeMethod mergingStrategy } entries(first: 1) { totalCount } }
        pullRequest(number: $number) { isMergeQueueEnabled isInMergeQueue mergeQueueEntry { id } mergeQueue { repository { name } } }
      } }`,
      { number: one.number },
    );
    expect(answer).toEqual({
      repository: {
        other: null,
        mergeQueue: {
          url: `${p.pocket.urls.html}/ada/sandbox/queue/main`,
          configuration: {
            checkResponseTimeout: 60,
            maximumEntriesToMerge: 5,
            mergeMethod: 'MERGE',
            mergingStrategy: 'ALLGREEN',
          },
          entries: { totalCount: 0 },
        },
        pullRequest: {
          isMergeQueueEnabled: true,
          isInMergeQueue: false,
          mergeQueueEntry: null,
          mergeQueue: { repository: { name: 'sandbox' } },
        },
      },
    });
  });
});

describe('the queue', () => {
  test('merges in order, together, once the checks of those at the front are green', async () => {
    protectMain(p, QUEUE);
    const [one, two] = [await openPull('one'), await openPull('two')];
    await enqueue(one);
    await enqueue(two);
    const first = entryOf(one).headOid;
    const second = entryOf(two).headOid;
    expect(entryOf(two).baseOid).toBe(first);
    await report(second, 'success');
    expect(await waiting()).toEqual([
      [one.number, 'AWAITING_CHECKS'],
      [two.number, 'MERGEABLE'],
    ]);
    const pushes = () =>
      p.pocket.world.tables.events
        .all()
        .filter((event) => event.name === 'pushed' && event.data.ref === 'refs/heads/main').length;
    const before = pushes();
    const hooks = await told(() => report(first, 'success'));
    expect(hooks).toEqual([
      `pull_request.closed #${one.number}`,
      `pull_request.closed #${two.number}`,
      `pull_request.dequeued #${one.number} MERGE`,
      'merge_group.destroyed merged',
      `pull_request.dequeued #${two.number} MERGE`,
      'merge_group.destroyed merged',
    ]);
    expect(pushes() - before).toBe(1);
    expect(tipOf(p, 'main')).toBe(second);
    expect(queueBranches()).toEqual([]);
    const { data } = await p.rest('rita').rest.pulls.get({ ...p.at, pull_number: one.number });
    expect(data).toMatchObject({
      merged: true,
      merge_commit_sha: first,
      merged_by: { login: 'github-merge-queue[bot]', type: 'Bot' },
    });
  });

  test('lands no more at once than it may', async () => {
    protectMain(p, {
      requiredChecks: QUEUE.requiredChecks ?? [],
      mergeQueue: { method: 'squash', checkTimeoutMs: HOUR, maxEntriesToMerge: 1 },
    });
    const [one, two] = [await openPull('one'), await openPull('two')];
    await enqueue(one);
    await enqueue(two);
    const first = entryOf(one).headOid;
    await report(entryOf(two).headOid, 'success');
    await report(first, 'success');
    const pushes = p.pocket.world.tables.events
      .all()
      .filter((event) => event.name === 'pushed' && event.data.ref === 'refs/heads/main');
    expect(pushes.slice(-2).map((event) => (event.name === 'pushed' ? event.data.after : null))).toEqual([
      first,
      tipOf(p, 'main'),
    ]);
    expect([await stateOf(one), await stateOf(two)]).toEqual(['merged', 'merged']);
    const commit = await p.pocket.world.git(p.repository.id).commit(tipOf(p, 'main'));
    expect(commit).toMatchObject({ parents: [first], message: expect.stringContaining(`(#${two.number})`) as unknown });
  });

  test('throws out what is red and builds the rest anew', async () => {
    protectMain(p, QUEUE);
    const [one, two] = [await openPull('one'), await openPull('two')];
    await enqueue(one);
    await enqueue(two);
    const base = tipOf(p, 'main');
    const hooks = await told(() => report(entryOf(one).headOid, 'failure'));
    expect(hooks).toEqual([
      `pull_request.dequeued #${one.number} CI_FAILURE`,
      'merge_group.destroyed dequeued',
      'merge_group.destroyed invalidated',
      'merge_group.checks_requested',
    ]);
    expect(entryOf(two).baseOid).toBe(base);
    await report(entryOf(two).headOid, 'success');
    expect([await stateOf(one), await stateOf(two)]).toEqual(['open', 'merged']);
    expect(queueBranches()).toEqual([]);
  });

  test('does not wait for checks for ever', async () => {
    protectMain(p, QUEUE);
    const one = await openPull('one');
    await enqueue(one);
    p.clock.advance(HOUR - 1);
    await p.pocket.settle();
    expect(await waiting()).toEqual([[one.number, 'AWAITING_CHECKS']]);
    const hooks = await told(async () => p.clock.advance(1));
    expect(hooks).toEqual([`pull_request.dequeued #${one.number} CI_TIMEOUT`, 'merge_group.destroyed dequeued']);
    expect(await waiting()).toEqual([]);
    expect(await stateOf(one)).toBe('open');
  });

  test('gives a group that was built anew its whole time again', async () => {
    protectMain(p, QUEUE);
    const one = await openPull('one');
    await enqueue(one);
    p.clock.advance(HOUR / 2);
    await pushTo(p, 'main', { files: { 'direct.txt': 'direct' }, by: 'ada' });
    p.clock.advance(HOUR / 2);
    await p.pocket.settle();
    expect(await waiting()).toEqual([[one.number, 'AWAITING_CHECKS']]);
    p.clock.advance(HOUR / 2);
    await p.pocket.settle();
    expect(await waiting()).toEqual([]);
  });

  test('throws out what conflicts with the work ahead of it', async () => {
    protectMain(p, QUEUE);
    const [one, two] = [await openPull('one', { 'same.txt': 'one' }), await openPull('two', { 'same.txt': 'two' })];
    await enqueue(one);
    const hooks = await told(() => enqueue(two));
    expect(hooks).toEqual([
      `pull_request.enqueued #${two.number}`,
      `pull_request.dequeued #${two.number} MERGE_CONFLICT`,
    ]);
    expect(await waiting()).toEqual([[one.number, 'AWAITING_CHECKS']]);
  });

  test('starts again when somebody pushes to base past it', async () => {
    protectMain(p, QUEUE);
    const one = await openPull('one');
    await enqueue(one);
    const before = entryOf(one).headOid;
    const hooks = await told(() => pushTo(p, 'main', { files: { 'direct.txt': 'direct' }, by: 'ada' }));
    expect(hooks).toEqual(['merge_group.destroyed invalidated', 'merge_group.checks_requested']);
    expect(entryOf(one).baseOid).toBe(tipOf(p, 'main'));
    await report(before, 'success');
    expect(await stateOf(one)).toBe('open');
    await report(entryOf(one).headOid, 'success');
    expect(await stateOf(one)).toBe('merged');
  });

  test.each([
    [
      'new commits',
      'UNKNOWN_REMOVAL_REASON',
      (one: Opened) => pushTo(p, one.branch, { files: { 'more.txt': 'more' } }),
    ],
    [
      'closing',
      'UNKNOWN_REMOVAL_REASON',
      (one: Opened) => p.rest('wren').rest.pulls.update({ ...p.at, pull_number: one.number, state: 'closed' }),
    ],
    ['dequeuing', 'MANUAL', (one: Opened) => dequeue(one)],
  ])('lets go of a pull request after %s', async (_, reason, change) => {
    protectMain(p, QUEUE);
    const [one, two] = [await openPull('one'), await openPull('two')];
    await enqueue(one);
    await enqueue(two);
    expect(await told(() => change(one))).toContain(`pull_request.dequeued #${one.number} ${reason}`);
    expect(await waiting()).toEqual([[two.number, 'AWAITING_CHECKS']]);
    expect(entryOf(two).baseOid).toBe(tipOf(p, 'main'));
    expect(queueBranches()).toEqual([`refs/heads/gh-readonly-queue/main/pr-${two.number}-${tipOf(p, 'main')}`]);
  });

  test('lets go when the approval that was needed is dismissed', async () => {
    protectMain(p, { ...QUEUE, requiredApprovals: 1 });
    const one = await openPull('one');
    const { data } = await p
      .rest('ada')
      .rest.pulls.createReview({ ...p.at, pull_number: one.number, event: 'APPROVE' });
    await enqueue(one);
    await p.rest('rita').rest.pulls.createReview({ ...p.at, pull_number: one.number, event: 'COMMENT', body: 'Nice' });
    expect(await waiting()).toHaveLength(1);
    const hooks = await told(() =>
      p.rest('ada').rest.pulls.dismissReview({ ...p.at, pull_number: one.number, review_id: data.id, message: 'Wait' }),
    );
    expect(hooks).toEqual([
      `pull_request.dequeued #${one.number} BRANCH_PROTECTIONS`,
      'merge_group.destroyed dequeued',
    ]);
  });

  test('without required checks merges at once', async () => {
    protectMain(p, { mergeQueue: { method: 'rebase', checkTimeoutMs: HOUR, maxEntriesToMerge: 5 } });
    const one = await openPull('one');
    await enqueue(one, {}, 'app');
    expect(await stateOf(one)).toBe('merged');
    expect(queueBranches()).toEqual([]);
  });

  test('is where a promised merge goes', async () => {
    protectMain(p, QUEUE);
    p.pocket.world.tables.repositories.update(p.repository, { allowAutoMerge: true });
    const one = await openPull('one');
    await report(one.head, 'pending');
    const graphql = await p.graphql('wren');
    await graphql(
      'mutation ($id: ID!) { enablePullRequestAutoMerge(input: { pullRequestId: $id }) { pullRequest { id } } }',
      { id: one.id },
    );
    expect(await waiting()).toEqual([]);
    await report(one.head, 'success');
    expect(await waiting()).toEqual([[one.number, 'AWAITING_CHECKS']]);
    const { data } = await p.rest('rita').rest.pulls.get({ ...p.at, pull_number: one.number });
    expect(data.auto_merge).toBeNull();
  });

  test('is tested by the repository’s own commands', async () => {
    p.pocket.world.tables.repositories.update(p.repository, {
      ci: [{ name: 'test', run: 'sh test.sh', timeoutMs: 20_000 }],
    });
    protectMain(p, QUEUE);
    const head = await pushTo(p, 'one', { files: { 'one.txt': 'one' } });
    const { data } = await p.rest('wren').rest.pulls.create({ ...p.at, title: 'One', head: 'one', base: 'main' });
    await p.pocket.settle();
    const one = { number: data.number, id: data.node_id, branch: 'one', head };
    await enqueue(one);
    await p.pocket.settle();
    expect(await stateOf(one)).toBe('merged');
    expect(tipOf(p, 'main')).not.toBe(head);
  });
});
