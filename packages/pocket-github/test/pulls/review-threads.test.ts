import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { diffRows, hunkDownTo, movedLine, rowOfLine } from '../../src/resources/review-threads/diff-lines.js';
import { pushTo, tipOf } from '../support/branches.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

describe('a diff', () => {
  const PATCH = [
    '@@ -1,4 +1,5 @@',
    ' a',
    '-b',
    '+B',
    '+B2',
    ' c',
    ' d',
    '@@ -20,2 +21,1 @@ fn()',
    ' x',
    '-y',
    '\\ No newline at end of file',
  ].join('\n');
  const rows = diffRows(PATCH);

  test('numbers its lines on both sides and its rows from the first hunk header', () => {
    expect(rows.map(({ position, left, right }) => [position, left, right])).toEqual([
      [0, null, null],
      [1, 1, 1],
      [2, 2, null],
      [3, null, 2],
      [4, null, 3],
      [5, 3, 4],
      [6, 4, 5],
      [7, null, null],
      [8, 20, 21],
      [9, 21, null],
      [10, null, null],
    ]);
    expect(rowOfLine(rows, 'LEFT', 2)?.text).toBe('-b');
    expect(rowOfLine(rows, 'RIGHT', 2)?.text).toBe('+B');
    expect(rowOfLine(rows, 'RIGHT', 10)).toBeUndefined();
  });

  test('shows the hunk of a line down to it', () => {
    const row = rowOfLine(rows, 'RIGHT', 21);
    expect(row && hunkDownTo(rows, row)).toBe('@@ -20,2 +21,1 @@ fn()\n x');
  });

  test.each([
    [1, 1],
    [2, null],
    [3, 4],
    [10, 11],
    [21, null],
    [30, 30],
  ])('takes line %i of the old file to %p of the new one', (line, moved) => {
    expect(movedLine(rows, line)).toBe(moved);
  });
});

let p: TestPocket;
beforeAll(async () => {
  p = await openPocket();
  // One push for all tests: every later push to main would have all open pull requests looked at again.
  await pushTo(p, 'main', {
    files: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`file-${n}.txt`, lines()])),
  });
});
afterAll(() => p.close());

const lines = (...changed: readonly [number, string][]) =>
  Array.from({ length: 20 }, (_, index) => `${new Map(changed).get(index + 1) ?? `line ${index + 1}`}\n`).join('');
const count = { pulls: 0 };

/** A pull request that changes line 10 of a file of twenty lines. */
async function openPull(by: Person = 'wren') {
  const path = `file-${++count.pulls}.txt`;
  const branch = `topic-${count.pulls}`;
  const head = await pushTo(p, branch, { files: { [path]: lines([10, 'ten']) } });
  const { data } = await p.rest(by).rest.pulls.create({ ...p.at, title: 'Ten', head: branch, base: 'main' });
  return { pull_number: data.number, path, branch, commit_id: head, id: data.node_id };
}
type Opened = Awaited<ReturnType<typeof openPull>>;

const comment = (who: Person, { pull_number, path, commit_id }: Opened, more: Record<string, unknown>) =>
  p.rest(who).rest.pulls.createReviewComment({ ...p.at, pull_number, path, commit_id, body: 'Hm', ...more });
const commentsOf = async (pull_number: number) =>
  (await p.rest('rita').rest.pulls.listReviewComments({ ...p.at, pull_number })).data;

async function told(task: () => Promise<unknown>) {
  const before = (await p.deliveries()).length;
  await task();
  const hooks = (await p.deliveries()).slice(before).filter(({ event }) => event.startsWith('pull_request_review'));
  return hooks.map(({ event, payload }) => ({ event, payload }));
}

interface Thread {
  id: string;
  isResolved: boolean;
  isOutdated: boolean;
  line: number | null;
  originalLine: number | null;
}
const threadsOf = async (number: number, who: Person = 'rita'): Promise<Thread[]> => {
  const graphql = await p.graphql(who);
  const answer = await graphql<{ repository: { pullRequest: { reviewThreads: { nodes: Thread[] } } } }>(
    `query ($number: Int!) { repository(owner: "ada", name: "sandbox") { pullRequest(number: $number) {
      reviewThreads(first: 50) { nodes { id isResolved isOutdated line originalLine } }
    } } }`,
    { number },
  );
  return answer.repository.pullRequest.reviewThreads.nodes;
};

describe('a comment on the diff', () => {
  test('stands on a line and comes with a review of its own', async () => {
    const pull = await openPull();
    const hooks = await told(async () => {
      const { status, data } = await comment('rita', pull, { line: 10, body: 'Why?' });
      expect(status).toBe(201);
      expect(data).toMatchObject({
        path: pull.path,
        line: 10,
        original_line: 10,
        side: 'RIGHT',
        start_line: null,
        subject_type: 'line',
        position: 5,
        commit_id: pull.commit_id,
        original_commit_id: pull.commit_id,
        diff_hunk: '@@ -7,7 +7,7 @@ line 6\n line 7\n line 8\n line 9\n-line 10\n+ten',
        user: { login: 'rita' },
        author_association: 'COLLABORATOR',
        reactions: { total_count: 0 },
      });
      const { data: reviews } = await p.rest('ada').rest.pulls.listReviews({ ...p.at, pull_number: pull.pull_number });
      expect(reviews).toMatchObject([{ id: data.pull_request_review_id, state: 'COMMENTED', body: '' }]);
    });
    expect(hooks).toMatchObject([
      { event: 'pull_request_review', payload: { action: 'submitted', review: { state: 'commented' } } },
      { event: 'pull_request_review_comment', payload: { action: 'created', comment: { body: 'Why?', line: 10 } } },
    ]);
  });

  test('may stand on a removed line, several lines or a whole file', async () => {
    const pull = await openPull();
    expect((await comment('rita', pull, { line: 10, side: 'LEFT' })).data).toMatchObject({ side: 'LEFT', position: 4 });
    expect((await comment('rita', pull, { line: 10, start_line: 8 })).data).toMatchObject({
      start_line: 8,
      start_side: 'RIGHT',
    });
    expect((await comment('rita', pull, { subject_type: 'file' })).data).toMatchObject({
      subject_type: 'file',
      line: null,
    });
  });

  test('must stand on the diff', async () => {
    const pull = await openPull();
    const field = 'pull_request_review_thread.line';
    expect(await refusalOf(comment('rita', pull, { line: 1 }))).toEqual({
      status: 422,
      message: 'Validation Failed',
      errors: [
        { resource: 'PullRequestReviewComment', code: 'custom', field, message: `${field} must be part of the diff` },
        { resource: 'PullRequestReviewComment', code: 'missing_field', field: 'pull_request_review_thread.diff_hunk' },
      ],
    });
    expect(await refusalOf(comment('rita', pull, { line: 1, path: 'README.md' }))).toMatchObject({
      errors: [{ code: 'invalid', field: 'pull_request_review_thread.path' }, {}],
    });
    expect((await refusalOf(comment('rita', pull, {}))).status).toBe(422);
    expect((await refusalOf(comment('rita', pull, { line: 10, body: ' ' }))).status).toBe(422);
    expect((await refusalOf(comment('rita', pull, { line: 10, commit_id: tipOf(p, 'main') }))).status).toBe(422);
    expect(await commentsOf(pull.pull_number)).toEqual([]);
  });

  test('is answered, edited and deleted', async () => {
    const pull = await openPull();
    const { data: first } = await comment('rita', pull, { line: 10 });
    const at = { ...p.at, pull_number: pull.pull_number, comment_id: first.id };
    const reply = await p.rest('wren').rest.pulls.createReplyForReviewComment({ ...at, body: 'Because' });
    const second = await comment('ada', pull, { in_reply_to: reply.data.id, body: 'I see' });
    expect([reply.data.in_reply_to_id, second.data.in_reply_to_id]).toEqual([first.id, first.id]);
    expect(await threadsOf(pull.pull_number)).toHaveLength(1);

    const edit = (who: Person) =>
      p.rest(who).rest.pulls.updateReviewComment({ ...p.at, comment_id: first.id, body: 'Hmm' });
    expect((await refusalOf(edit('mallory'))).status).toBe(403);
    expect(await told(() => edit('rita'))).toMatchObject([
      { payload: { action: 'edited', changes: { body: { from: 'Hm' } } } },
    ]);
    const deleted = await told(() => p.rest('rita').rest.pulls.deleteReviewComment({ ...p.at, comment_id: first.id }));
    expect(deleted).toMatchObject([{ payload: { action: 'deleted', comment: { id: first.id, body: 'Hmm' } } }]);
    expect((await commentsOf(pull.pull_number)).map(({ body }) => body)).toEqual(['Because', 'I see']);
    expect(
      (await refusalOf(p.rest('rita').rest.pulls.getReviewComment({ ...p.at, comment_id: first.id }))).status,
    ).toBe(404);
  });

  test('lists are sorted and cut on request', async () => {
    const pull = await openPull();
    for (const body of ['a', 'b', 'c']) {
      await comment('rita', pull, { line: 10, body });
      p.clock.advance(60_000);
    }
    const since = new Date(p.clock.now() - 2.5 * 60_000).toISOString();
    const list = async (more: Record<string, unknown>) => {
      const { data } = await p
        .rest('rita')
        .rest.pulls.listReviewComments({ ...p.at, pull_number: pull.pull_number, ...more });
      return data.map(({ body }) => body).join('');
    };
    expect([
      await list({}),
      await list({ sort: 'created' }),
      await list({ since }),
      await list({ per_page: 1, page: 2 }),
    ]).toEqual(['abc', 'cba', 'bc', 'b']);
    const all = await p.rest('rita').rest.pulls.listReviewCommentsForRepo({ ...p.at, sort: 'created', per_page: 1 });
    expect(all.data[0]?.body).toBe('c');
  });

  test('cannot be made beside one’s own pending review', async () => {
    const pull = await openPull();
    await p.rest('ada').rest.pulls.createReview({ ...p.at, pull_number: pull.pull_number, body: 'Draft' });
    expect((await refusalOf(comment('ada', pull, { line: 10 }))).errors).toEqual([
      {
        resource: 'PullRequestReview',
        code: 'custom',
        field: 'user_id',
        message: 'user_id can only have one pending review per pull request',
      },
    ]);
  });
});

describe('a thread', () => {
  test('moves with its line, and is outdated for good once the line changed', async () => {
    const pull = await openPull();
    await comment('rita', pull, { line: 10 });
    await pushTo(p, pull.branch, { files: { [pull.path]: `new first line\n${lines([10, 'ten'])}` } });
    expect(await threadsOf(pull.pull_number)).toMatchObject([{ isOutdated: false, line: 11, originalLine: 10 }]);
    expect(await commentsOf(pull.pull_number)).toMatchObject([
      { line: 11, original_line: 10, commit_id: tipOf(p, pull.branch), original_commit_id: pull.commit_id },
    ]);
    await pushTo(p, pull.branch, { files: { [pull.path]: lines([10, 'TEN']) } });
    expect(await threadsOf(pull.pull_number)).toMatchObject([{ isOutdated: true, line: null, originalLine: 10 }]);
    expect(await commentsOf(pull.pull_number)).toMatchObject([
      { line: null, position: null, commit_id: pull.commit_id },
    ]);
    await pushTo(p, pull.branch, { files: { [pull.path]: lines([10, 'ten']) } });
    expect(await threadsOf(pull.pull_number)).toMatchObject([{ isOutdated: true }]);
  });

  test('is outdated when its line is no longer part of the diff', async () => {
    const pull = await openPull();
    await comment('rita', pull, { line: 12 });
    await comment('rita', pull, { subject_type: 'file' });
    await pushTo(p, pull.branch, { files: { [pull.path]: lines(), 'other.txt': 'other' } });
    expect((await threadsOf(pull.pull_number)).map(({ isOutdated }) => isOutdated)).toEqual([true, true]);
  });

  test('stays where it is when other files change', async () => {
    const pull = await openPull();
    await comment('rita', pull, { line: 10, side: 'LEFT' });
    await comment('rita', pull, { line: 10, start_line: 9 });
    await pushTo(p, pull.branch, { files: { 'elsewhere.txt': 'elsewhere' } });
    expect(await threadsOf(pull.pull_number)).toMatchObject([
      { isOutdated: false, line: 10 },
      { isOutdated: false, line: 10 },
    ]);
  });

  test('is resolved by writers and by whoever opened the pull request, and that is told', async () => {
    const pull = await openPull('wren');
    await comment('rita', pull, { line: 10 });
    const [thread] = await threadsOf(pull.pull_number);
    const change = async (who: Person, verb: 'resolve' | 'unresolve') =>
      (await p.graphql(who))(
        `mutation ($id: ID!) { ${verb}ReviewThread(input: { threadId: $id }) { thread { isResolved isCollapsed resolvedBy { login } } } }`,
        { id: thread?.id },
      );
    await expect(change('rita', 'resolve')).rejects.toMatchObject({ errors: [{ type: 'FORBIDDEN' }] });
    const hooks = await told(async () => {
      const resolved = { isResolved: true, isCollapsed: true, resolvedBy: { login: 'ada' } };
      expect(await change('ada', 'resolve')).toEqual({ resolveReviewThread: { thread: resolved } });
      expect(await change('wren', 'resolve')).toEqual({ resolveReviewThread: { thread: resolved } });
    });
    expect(hooks).toMatchObject([
      {
        event: 'pull_request_review_thread',
        payload: { action: 'resolved', thread: { node_id: thread?.id, comments: [{ line: 10 }] } },
      },
    ]);
    const back = await told(() => change('wren', 'unresolve'));
    expect(back.map(({ payload }) => payload.action)).toEqual(['unresolved']);
    expect((await threadsOf(pull.pull_number))[0]?.isResolved).toBe(false);
  });

  const ADD = `mutation ($id: ID!, $path: String!, $line: Int) {
    addPullRequestReviewThread(input: { pullRequestId: $id, path: $path, line: $line, body: "Hm" }) { thread { id line diffSide } }
  }`;

  test('by GraphQL joins the pending review, or begins one', async () => {
    const pull = await openPull();
    const graphql = await p.graphql('ada');
    await graphql(ADD, { id: pull.id, path: pull.path, line: 10 });
    await graphql(ADD, { id: pull.id, path: pull.path, line: 9 });
    expect(await threadsOf(pull.pull_number, 'ada')).toHaveLength(2);
    expect(await threadsOf(pull.pull_number, 'rita')).toEqual([]);
    const { data } = await p.rest('ada').rest.pulls.listReviews({ ...p.at, pull_number: pull.pull_number });
    expect(data.map(({ state }) => state)).toEqual(['PENDING']);
  });

  test('by GraphQL on a line outside the diff is silently nothing, as on GitHub', async () => {
    const pull = await openPull();
    const graphql = await p.graphql('ada');
    expect(await graphql(ADD, { id: pull.id, path: pull.path, line: 1 })).toEqual({
      addPullRequestReviewThread: { thread: null },
    });
    expect(await graphql(ADD, { id: pull.id, path: 'none', line: 1 })).toEqual({
      addPullRequestReviewThread: { thread: null },
    });
    const { data } = await p.rest('ada').rest.pulls.listReviews({ ...p.at, pull_number: pull.pull_number });
    expect(data).toEqual([]);
  });

  const REPLY = `mutation ($id: ID!) {
    addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $id, body: "Re" }) {
      comment { state path outdated replyTo { body } pullRequestReview { state } author { login } }
    }
  }`;

  test('is answered at once, or within one’s pending review', async () => {
    const pull = await openPull();
    await comment('rita', pull, { line: 10 });
    const [thread] = await threadsOf(pull.pull_number);
    const answered = await (await p.graphql('wren'))(REPLY, { id: thread?.id });
    expect(answered).toEqual({
      addPullRequestReviewThreadReply: {
        comment: {
          state: 'SUBMITTED',
          path: pull.path,
          outdated: false,
          replyTo: { body: 'Hm' },
          pullRequestReview: { state: 'COMMENTED' },
          author: { login: 'wren' },
        },
      },
    });
    await p.rest('ada').rest.pulls.createReview({ ...p.at, pull_number: pull.pull_number, body: 'Draft' });
    const held = await (await p.graphql('ada'))(REPLY, { id: thread?.id });
    expect(held).toMatchObject({ addPullRequestReviewThreadReply: { comment: { state: 'PENDING' } } });
    expect(await commentsOf(pull.pull_number)).toHaveLength(2);
  });

  test('comments are updated and deleted by GraphQL too', async () => {
    const pull = await openPull();
    const { data } = await comment('rita', pull, { line: 10 });
    const graphql = await p.graphql('rita');
    const update = `mutation ($id: ID!) { updatePullRequestReviewComment(input: { pullRequestReviewCommentId: $id, body: "Better" }) {
      pullRequestReviewComment { body lastEditedAt userContentEdits(first: 5) { totalCount } }
    } }`;
    expect(await graphql(update, { id: data.node_id })).toMatchObject({
      updatePullRequestReviewComment: {
        pullRequestReviewComment: { body: 'Better', userContentEdits: { totalCount: 2 } },
      },
    });
    await graphql(
      'mutation ($id: ID!) { deletePullRequestReviewComment(input: { id: $id }) { pullRequestReview { state } } }',
      { id: data.node_id },
    );
    expect(await threadsOf(pull.pull_number)).toEqual([]);
  });
});
