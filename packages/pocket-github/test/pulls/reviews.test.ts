import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { refusalOf as refusal } from '../support/api-refusals.js';

let p: TestPocket;
beforeAll(async () => {
  p = await openPocket();
});
afterAll(() => p.close());

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';
const count = { pulls: 0 };

/** A pull request of its own for each test: `notes-N.txt` with five lines. */
async function openPull(by: Person | 'app' = 'wren'): Promise<{ pull_number: number; path: string; branch: string }> {
  const branch = `topic-${++count.pulls}`;
  const path = `notes-${count.pulls}.txt`;
  await pushTo(p, branch, { files: { [path]: TEXT } });
  const { data } = await p.rest(by).rest.pulls.create({ ...p.at, title: 'Notes', head: branch, base: 'main' });
  return { pull_number: data.number, path, branch };
}

const review = (who: Person | 'app', pull_number: number, more: Record<string, unknown>) =>
  p.rest(who).rest.pulls.createReview({ ...p.at, pull_number, ...more });
const reviewsSeenBy = async (who: Person, pull_number: number) =>
  (await p.rest(who).rest.pulls.listReviews({ ...p.at, pull_number })).data;

const entity = (reason: string) => ({ status: 422, message: 'Unprocessable Entity', errors: [reason] });

/** Webhooks of an event since the last call. */
async function told(event: string, task: () => Promise<unknown>) {
  const before = (await p.deliveries()).length;
  await task();
  return (await p.deliveries()).slice(before).filter((delivery) => delivery.event === event);
}

describe('submitting a review', () => {
  test('an approval is shown with its author, commit and time, and told in small letters', async () => {
    const { pull_number, branch } = await openPull();
    const hooks = await told('pull_request_review', async () => {
      const { status, data } = await review('rita', pull_number, { event: 'APPROVE' });
      expect(status).toBe(200);
      expect(data).toMatchObject({
        state: 'APPROVED',
        body: '',
        user: { login: 'rita' },
        author_association: 'COLLABORATOR',
        commit_id: tipOf(p, branch),
        submitted_at: '2026-01-05T09:00:00Z',
        html_url: expect.stringContaining(`/ada/sandbox/pull/${pull_number}#pullrequestreview-`) as unknown,
      });
    });
    expect(hooks.map(({ payload }) => payload)).toMatchObject([
      {
        action: 'submitted',
        review: { state: 'approved', body: null, user: { login: 'rita' } },
        pull_request: { number: pull_number },
        sender: { login: 'rita' },
      },
    ]);
  });

  test('nobody judges their own work, not even through an App', async () => {
    const mine = await openPull('wren');
    const bots = await openPull('app');
    for (const [who, { pull_number }] of [
      ['wren', mine],
      ['app', bots],
    ] as const) {
      expect(await refusal(review(who, pull_number, { event: 'APPROVE' }))).toEqual(
        entity('Can not approve your own pull request'),
      );
      expect(await refusal(review(who, pull_number, { event: 'REQUEST_CHANGES', body: 'No' }))).toEqual(
        entity('Can not request changes on your own pull request'),
      );
      expect((await review(who, pull_number, { event: 'COMMENT', body: 'Notes to self' })).data.state).toBe(
        'COMMENTED',
      );
    }
    expect((await review('app', mine.pull_number, { event: 'APPROVE' })).data.user?.type).toBe('Bot');
  });

  test('a comment or a request for changes must say something', async () => {
    const { pull_number, path } = await openPull();
    const silent = (verb: string) => ({
      status: 422,
      message: 'Validation Failed',
      errors: [`Could not ${verb} pull request review.`],
    });
    expect(await refusal(review('ada', pull_number, { event: 'COMMENT', body: ' ' }))).toEqual(silent('comment'));
    expect(await refusal(review('ada', pull_number, { event: 'REQUEST_CHANGES' }))).toEqual(silent('request changes'));
    const comments = [{ path, line: 1, body: 'Why?' }];
    expect((await review('ada', pull_number, { event: 'REQUEST_CHANGES', comments })).data.state).toBe(
      'CHANGES_REQUESTED',
    );
  });

  test('a body over 65,536 characters is refused', async () => {
    const { pull_number } = await openPull();
    const { errors } = await refusal(review('ada', pull_number, { event: 'COMMENT', body: 'x'.repeat(65_537) }));
    expect(JSON.stringify(errors)).toContain('is too long (maximum is 65536 characters)');
  });

  test('whoever has reviewed is not asked for a review any more', async () => {
    const { pull_number } = await openPull();
    await p.rest('wren').rest.pulls.requestReviewers({ ...p.at, pull_number, reviewers: ['ada', 'rita'] });
    await review('ada', pull_number, { event: 'COMMENT', body: 'Looking' });
    const { data } = await p.rest('rita').rest.pulls.listRequestedReviewers({ ...p.at, pull_number });
    expect(data.users.map(({ login }) => login)).toEqual(['rita']);
  });

  test('in a locked conversation only people with write access review', async () => {
    const { pull_number } = await openPull();
    await p.rest('ada').rest.issues.lock({ ...p.at, issue_number: pull_number });
    expect((await refusal(review('rita', pull_number, { event: 'APPROVE' }))).status).toBe(403);
    expect((await review('ada', pull_number, { event: 'APPROVE' })).status).toBe(200);
  });

  test('comments out of place refuse the whole review', async () => {
    const { pull_number, path } = await openPull();
    const good = { path, line: 2, body: 'Good' };
    const post = (bad: Record<string, unknown>) =>
      refusal(review('ada', pull_number, { event: 'COMMENT', comments: [good, bad] }));
    expect(await post({ path, line: 99, body: 'x' })).toEqual(entity('Line could not be resolved'));
    expect(await post({ path, line: 2, side: 'LEFT', body: 'x' })).toEqual(entity('Line could not be resolved'));
    expect(await post({ path: 'README.md', line: 1, body: 'x' })).toEqual(entity('Path could not be resolved'));
    expect(await post({ path, line: 2, start_line: 2, body: 'x' })).toEqual(
      entity('Pull request review thread start line must precede the end line.'),
    );
    expect(await refusal(review('ada', pull_number, { event: 'APPROVE', commit_id: tipOf(p, 'main') }))).toEqual(
      entity('Commit is not part of the pull request'),
    );
    expect(await reviewsSeenBy('ada', pull_number)).toEqual([]);
    const { data } = await review('ada', pull_number, {
      event: 'COMMENT',
      comments: [good, { ...good, line: 4, start_line: 3 }],
    });
    const listed = await p.rest('rita').rest.pulls.listCommentsForReview({ ...p.at, pull_number, review_id: data.id });
    expect(listed.data).toMatchObject([
      { path, line: 2, side: 'RIGHT', position: 2, original_position: 2, diff_hunk: '@@ -0,0 +1,5 @@\n+one\n+two' },
      { line: 4, start_line: 3, start_side: 'RIGHT', pull_request_review_id: data.id },
    ]);
  });
});

describe('a pending review', () => {
  test('is its author’s alone until it is submitted, once', async () => {
    const { pull_number, path } = await openPull();
    const hooks = await told('pull_request_review', async () => {
      const { data } = await review('ada', pull_number, { body: 'Draft', comments: [{ path, line: 1, body: 'Hm' }] });
      expect(data.state).toBe('PENDING');
      expect(data).not.toHaveProperty('submitted_at');
      const at = { ...p.at, pull_number, review_id: data.id };
      expect((await reviewsSeenBy('ada', pull_number)).map(({ state }) => state)).toEqual(['PENDING']);
      expect(await reviewsSeenBy('rita', pull_number)).toEqual([]);
      expect((await refusal(p.rest('rita').rest.pulls.getReview(at))).status).toBe(404);
      expect((await p.rest('rita').rest.pulls.listReviewComments({ ...p.at, pull_number })).data).toEqual([]);
      expect((await p.rest('rita').rest.pulls.get({ ...p.at, pull_number })).data.review_comments).toBe(0);
      const second = review('ada', pull_number, { event: 'APPROVE' });
      expect(await refusal(second)).toEqual(entity('User can only have one pending review per pull request'));
      const submitted = await p.rest('ada').rest.pulls.submitReview({ ...at, event: 'REQUEST_CHANGES', body: 'Final' });
      expect(submitted.data).toMatchObject({ state: 'CHANGES_REQUESTED', body: 'Final' });
      expect(await refusal(p.rest('ada').rest.pulls.submitReview({ ...at, event: 'COMMENT' }))).toMatchObject({
        status: 422,
        errors: ['Could not comment pull request review.'],
      });
      expect(await refusal(p.rest('ada').rest.pulls.deletePendingReview(at))).toEqual(
        entity('Can not delete a non-pending pull request review'),
      );
    });
    expect(hooks).toHaveLength(1);
    expect((await p.rest('rita').rest.pulls.listReviewComments({ ...p.at, pull_number })).data).toHaveLength(1);
  });

  test('can be thrown away with its comments', async () => {
    const { pull_number, path } = await openPull();
    const { data } = await review('ada', pull_number, { comments: [{ path, line: 1, body: 'Hm' }] });
    const at = { ...p.at, pull_number, review_id: data.id };
    expect((await p.rest('ada').rest.pulls.deletePendingReview(at)).data.id).toBe(data.id);
    expect((await refusal(p.rest('ada').rest.pulls.getReview(at))).status).toBe(404);
    expect((await p.rest('ada').rest.pulls.listReviewComments({ ...p.at, pull_number })).data).toEqual([]);
    expect((await review('ada', pull_number, { event: 'APPROVE' })).status).toBe(200);
  });

  test('stays on the commit it was begun on', async () => {
    const { pull_number, branch } = await openPull();
    const begun = tipOf(p, branch);
    const { data } = await review('ada', pull_number, { body: 'Draft' });
    await pushTo(p, branch, { files: { 'more.txt': 'more' } });
    const at = { ...p.at, pull_number, review_id: data.id };
    const submitted = await p.rest('ada').rest.pulls.submitReview({ ...at, event: 'APPROVE' });
    expect(submitted.data.commit_id).toBe(begun);
  });
});

describe('changing a review', () => {
  test('its author and writers edit it, and that is told with the former text', async () => {
    const { pull_number } = await openPull();
    const { data } = await review('rita', pull_number, { event: 'COMMENT', body: 'Frist' });
    const edit = (who: Person, body: string) =>
      p.rest(who).rest.pulls.updateReview({ ...p.at, pull_number, review_id: data.id, body });
    expect((await refusal(edit('mallory', 'No'))).status).toBe(403);
    expect((await refusal(edit('rita', ''))).status).toBe(422);
    const hooks = await told('pull_request_review', () => edit('rita', 'First'));
    expect(hooks.map(({ payload }) => payload)).toMatchObject([
      { action: 'edited', changes: { body: { from: 'Frist' } }, review: { body: 'First' } },
    ]);
    expect((await edit('wren', 'First!')).data.body).toBe('First!');
  });

  test('an approval can be dismissed by writers, once; a comment cannot', async () => {
    const { pull_number } = await openPull();
    const { data } = await review('rita', pull_number, { event: 'APPROVE' });
    const dismiss = (who: Person, review_id: number) =>
      p.rest(who).rest.pulls.dismissReview({ ...p.at, pull_number, review_id, message: 'Outdated' });
    expect((await refusal(dismiss('tess', data.id))).status).toBe(403);
    const hooks = await told('pull_request_review', async () => {
      expect((await dismiss('wren', data.id)).data.state).toBe('DISMISSED');
    });
    expect(hooks.map(({ payload }) => payload)).toMatchObject([
      { action: 'dismissed', review: { state: 'dismissed' } },
    ]);
    expect(await refusal(dismiss('wren', data.id))).toEqual(entity('Can not dismiss a dismissed pull request review'));
    const comment = await review('rita', pull_number, { event: 'COMMENT', body: 'Hm' });
    expect(await refusal(dismiss('wren', comment.data.id))).toEqual(
      entity('Can not dismiss a commented pull request review'),
    );
  });
});

const STATUS = /* GraphQL */ `
  query ($number: Int!) {
    repository(owner: "ada", name: "sandbox") {
      pullRequest(number: $number) {
        reviewDecision
        latestReviews(first: 10) { nodes { author { login } state } }
        latestOpinionatedReviews(first: 10, writersOnly: true) { nodes { author { login } state } }
        approvals: reviews(first: 10, states: [APPROVED], author: "rita") { totalCount }
        reviewRequests(first: 10) { nodes { asCodeOwner requestedReviewer { ... on User { login } } } }
      }
    }
  }
`;

interface Status {
  repository: {
    pullRequest: {
      reviewDecision: string | null;
      latestReviews: { nodes: { author: { login: string }; state: string }[] };
      latestOpinionatedReviews: { nodes: { author: { login: string }; state: string }[] };
      approvals: { totalCount: number };
      reviewRequests: { nodes: unknown[] };
    };
  };
}

describe('the decision', () => {
  const statusOf = async (number: number) => {
    const graphql = await p.graphql('rita');
    return (await graphql<Status>(STATUS, { number })).repository.pullRequest;
  };

  test('is null where nothing is required, whatever people say', async () => {
    const { pull_number } = await openPull();
    await p.rest('wren').rest.pulls.requestReviewers({ ...p.at, pull_number, reviewers: ['tess'] });
    await review('ada', pull_number, { event: 'APPROVE' });
    await review('rita', pull_number, { event: 'APPROVE' });
    await review('rita', pull_number, { event: 'COMMENT', body: 'Also' });
    expect(await statusOf(pull_number)).toEqual({
      reviewDecision: null,
      latestReviews: {
        nodes: [
          { author: { login: 'ada' }, state: 'APPROVED' },
          { author: { login: 'rita' }, state: 'COMMENTED' },
        ],
      },
      latestOpinionatedReviews: { nodes: [{ author: { login: 'ada' }, state: 'APPROVED' }] },
      approvals: { totalCount: 1 },
      reviewRequests: { nodes: [{ asCodeOwner: false, requestedReviewer: { login: 'tess' } }] },
    });
  });

  test('follows the latest word of each person with write access', async () => {
    protectMain(p, { requirePullRequest: true, requiredApprovals: 1, dismissStaleReviews: true });
    const { pull_number } = await openPull('app');
    const decision = async () => (await statusOf(pull_number)).reviewDecision;
    expect(await decision()).toBe('REVIEW_REQUIRED');
    await review('rita', pull_number, { event: 'APPROVE' });
    expect(await decision()).toBe('REVIEW_REQUIRED');
    await review('wren', pull_number, { event: 'REQUEST_CHANGES', body: 'No' });
    expect(await decision()).toBe('CHANGES_REQUESTED');
    await review('ada', pull_number, { event: 'APPROVE' });
    expect(await decision()).toBe('CHANGES_REQUESTED');
    const again = await review('wren', pull_number, { event: 'APPROVE' });
    await review('wren', pull_number, { event: 'COMMENT', body: 'By the way' });
    expect(await decision()).toBe('APPROVED');
    const dismiss = (who: Person) =>
      p.rest(who).rest.pulls.dismissReview({ ...p.at, pull_number, review_id: again.data.id, message: 'Hm' });
    // On a branch that requires reviews, write access is not enough to dismiss one.
    expect((await refusal(dismiss('wren'))).status).toBe(403);
    await dismiss('ada');
    expect(await decision()).toBe('APPROVED');
  });

  test('approvals fall with a push that changes the diff, and only with such a push', async () => {
    const { pull_number, branch } = await openPull();
    await review('ada', pull_number, { event: 'APPROVE' });
    const main = await pushTo(p, 'main', { files: { 'other.txt': 'other' } });
    const states = async () => (await reviewsSeenBy('ada', pull_number)).map(({ state }) => state);
    await p.rest('wren').rest.pulls.updateBranch({ ...p.at, pull_number });
    expect(await p.pocket.world.git(p.repository.id).isAncestor(main, tipOf(p, branch))).toBe(true);
    expect(await states()).toEqual(['APPROVED']);
    const hooks = await told('pull_request_review', () => pushTo(p, branch, { files: { 'sneaky.txt': 'sneaky' } }));
    expect(await states()).toEqual(['DISMISSED']);
    expect((await statusOf(pull_number)).reviewDecision).toBe('REVIEW_REQUIRED');
    expect(hooks.map(({ payload }) => payload.action)).toEqual(['dismissed']);
  });
});

describe('reviews by GraphQL', () => {
  test('are added, found by node, updated, dismissed', async () => {
    const { pull_number, path, branch } = await openPull('app');
    const graphql = await p.graphql('ada');
    const pull = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number });
    const { addPullRequestReview } = await graphql<{ addPullRequestReview: { pullRequestReview: { id: string } } }>(
      `mutation ($id: ID!, $path: String!) {
        addPullRequestReview(input: { pullRequestId: $id, threads: [{ path: $path, line: 3, body: "Third" }] }) {
          pullRequestReview { id state submittedAt viewerDidAuthor comments(first: 5) { nodes { body line state } } }
          reviewEdge { node { state } }
        }
      }`,
      { id: pull.data.node_id, path },
    );
    expect(addPullRequestReview).toEqual({
      pullRequestReview: {
        id: expect.any(String) as unknown,
        state: 'PENDING',
        submittedAt: null,
        viewerDidAuthor: true,
        comments: { nodes: [{ body: 'Third', line: 3, state: 'PENDING' }] },
      },
      reviewEdge: { node: { state: 'PENDING' } },
    });
    const { id } = addPullRequestReview.pullRequestReview;
    const outsider = await p.graphql('rita');
    const read =
      'query ($id: ID!) { node(id: $id) { ... on PullRequestReview { state commit { oid } authorCanPushToRepository url } } }';
    await expect(outsider(read, { id })).rejects.toThrow('Could not resolve to a node');
    await graphql(
      'mutation ($id: ID!) { submitPullRequestReview(input: { pullRequestReviewId: $id, event: APPROVE }) { pullRequestReview { state } } }',
      { id },
    );
    expect(await outsider(read, { id })).toMatchObject({
      node: { state: 'APPROVED', commit: { oid: tipOf(p, branch) }, authorCanPushToRepository: true },
    });
    await graphql(
      'mutation ($id: ID!) { updatePullRequestReview(input: { pullRequestReviewId: $id, body: "Fine" }) { pullRequestReview { body lastEditedAt editor { login } } } }',
      { id },
    );
    const dismissed = await graphql(
      'mutation ($id: ID!) { dismissPullRequestReview(input: { pullRequestReviewId: $id, message: "Hm" }) { pullRequestReview { state body } } }',
      { id },
    );
    expect(dismissed).toEqual({
      dismissPullRequestReview: { pullRequestReview: { state: 'DISMISSED', body: 'Fine' } },
    });
    const own = graphql(
      'mutation ($id: ID!) { deletePullRequestReview(input: { pullRequestReviewId: $id }) { pullRequestReview { id } } }',
      { id },
    );
    await expect(own).rejects.toThrow('Can not delete a non-pending pull request review');
  });

  test('refuse one’s own pull request with the reason alone', async () => {
    const { pull_number } = await openPull('wren');
    const { data } = await p.rest('wren').rest.pulls.get({ ...p.at, pull_number });
    const graphql = await p.graphql('wren');
    const approve = graphql(
      'mutation ($id: ID!) { addPullRequestReview(input: { pullRequestId: $id, event: APPROVE }) { pullRequestReview { id } } }',
      { id: data.node_id },
    );
    await expect(approve).rejects.toMatchObject({
      errors: [{ type: 'UNPROCESSABLE', message: 'Can not approve your own pull request' }],
    });
  });
});
