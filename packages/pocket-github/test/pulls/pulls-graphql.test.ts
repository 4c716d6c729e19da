import { beforeEach, describe, expect, test } from '@jest/globals';
import { askGraphql } from '../support/ask-graphql.js';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const FIELDS = `
  number title state isDraft closed merged mergedAt mergeable mergeStateStatus canBeRebased headRefName headRefOid baseRefName
  baseRefOid additions deletions changedFiles isCrossRepository maintainerCanModify url permalink resourcePath
  reviewDecision viewerDidAuthor mergedBy { login } autoMergeRequest { mergeMethod }
`;

type Json = Record<string, unknown>;

async function mutate<T = Json>(who: Person, name: string, input: Json, fields = FIELDS): Promise<T> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { ${name}(input: $input) { pullRequest { id ${fields} } } }`;
  const client = await p.graphql(who);
  const data = await client<Record<string, { pullRequest: T }>>(document, { input });
  return data[name]?.pullRequest as T;
}

async function query<T = Json>(fields: string, who: Person = 'rita'): Promise<T> {
  const client = await p.graphql(who);
  const data = await client<{ repository: T }>(`{ repository(owner: "ada", name: "sandbox") { ${fields} } }`);
  return data.repository;
}

describe('pull requests by GraphQL', () => {
  let repositoryId: string;
  beforeEach(async () => {
    repositoryId = (await query<{ id: string }>('id')).id;
  });

  const open = (headRefName = 'topic', more: Json = {}) =>
    mutate<{ id: string; number: number }>('wren', 'createPullRequest', {
      repositoryId,
      headRefName,
      baseRefName: 'main',
      title: 'Add a file',
      ...more,
    });

  test('one is opened and read', async () => {
    const head = await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
    const pull = await open('topic', { body: 'Why', draft: true });
    expect(pull).toMatchObject({
      number: 1,
      title: 'Add a file',
      state: 'OPEN',
      isDraft: true,
      mergeable: 'MERGEABLE',
      mergeStateStatus: 'DRAFT',
      headRefName: 'topic',
      headRefOid: head,
      baseRefOid: tipOf(p, 'main'),
      additions: 1,
      changedFiles: 1,
      viewerDidAuthor: true,
      isCrossRepository: false,
      maintainerCanModify: false,
      url: `${p.pocket.urls.html}/ada/sandbox/pull/1`,
      resourcePath: '/ada/sandbox/pull/1',
    });
    const found = await query(`pullRequest(number: 1) {
      headRef { associatedPullRequests(first: 5) { totalCount } }
      commits(last: 1) { totalCount nodes { commit { associatedPullRequests(first: 5) { nodes { number } } } } }
      files(first: 5) { nodes { path additions changeType } }
    }`);
    expect(found).toEqual({
      pullRequest: {
        headRef: { associatedPullRequests: { totalCount: 1 } },
        commits: { totalCount: 1, nodes: [{ commit: { associatedPullRequests: { nodes: [{ number: 1 }] } } }] },
        files: { nodes: [{ path: 'a.txt', additions: 1, changeType: 'ADDED' }] },
      },
    });
  });

  test('what cannot become one is refused in GraphQL’s words', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    expect(await errorsOf(open('main'))).toEqual(['UNPROCESSABLE: No commits between main and main']);
    expect(await errorsOf(open('nowhere'))).toEqual([
      "UNPROCESSABLE: Head sha can't be blank, Base sha can't be blank, No commits between main and nowhere, Head ref must be a branch",
    ]);
    await open();
    expect(await errorsOf(open())).toEqual(['UNPROCESSABLE: A pull request already exists for ada:topic.']);
    const missing = await askGraphql(
      await p.graphql('rita'),
      '{ repository(owner: "ada", name: "sandbox") { pullRequest(number: 9) { id } } }',
    );
    expect(missing).toMatchObject({
      data: { repository: { pullRequest: null } },
      errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a PullRequest with the number of 9.' }],
    });
  });

  test('it is edited, closed, reopened, made a draft and made ready', async () => {
    await pushTo(p, 'dev', { files: { 'd.txt': 'd' } });
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id: pullRequestId } = await open();
    expect(
      await mutate('wren', 'updatePullRequest', { pullRequestId, title: 'Better', baseRefName: 'dev' }),
    ).toMatchObject({
      title: 'Better',
      baseRefName: 'dev',
      baseRefOid: tipOf(p, 'dev'),
    });
    expect(await mutate('tess', 'closePullRequest', { pullRequestId })).toMatchObject({
      state: 'CLOSED',
      closed: true,
      mergeable: 'UNKNOWN',
    });
    expect(await mutate('tess', 'reopenPullRequest', { pullRequestId })).toMatchObject({ state: 'OPEN' });
    expect(await mutate('wren', 'convertPullRequestToDraft', { pullRequestId })).toMatchObject({ isDraft: true });
    expect(await mutate('ada', 'markPullRequestReadyForReview', { pullRequestId })).toMatchObject({ isDraft: false });
    expect(await mutate('wren', 'updatePullRequest', { pullRequestId, state: 'CLOSED' })).toMatchObject({
      state: 'CLOSED',
    });
    expect(await errorsOf(mutate('tess', 'updatePullRequest', { pullRequestId, title: 'Mine' }))).toHaveLength(1);
    const told = (await p.deliveries())
      .filter(({ event }) => event === 'pull_request')
      .map(({ payload }) => payload.action);
    expect(told).toEqual([
      'opened',
      'edited',
      'edited',
      'closed',
      'reopened',
      'converted_to_draft',
      'ready_for_review',
      'closed',
    ]);
  });

  test('it is merged with an expected head', async () => {
    const seen = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id: pullRequestId } = await open();
    const head = await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    const stale = mutate('wren', 'mergePullRequest', { pullRequestId, expectedHeadOid: seen, mergeMethod: 'SQUASH' });
    expect(await errorsOf(stale)).toEqual(['UNPROCESSABLE: Head branch was modified. Review and try the merge again.']);
    const request = {
      pullRequestId,
      expectedHeadOid: head,
      mergeMethod: 'SQUASH',
      commitHeadline: 'Both',
      commitBody: 'Because',
    };
    expect(await mutate('wren', 'mergePullRequest', request)).toMatchObject({
      state: 'MERGED',
      merged: true,
      mergedBy: { login: 'wren' },
    });
    const commit = await p.pocket.world.git(p.repository.id).commit(tipOf(p, 'main'));
    expect(commit?.message.trimEnd()).toBe('Both\n\nBecause');
    expect(await errorsOf(mutate('wren', 'mergePullRequest', request))).toEqual([
      'UNPROCESSABLE: Pull Request is not mergeable',
    ]);
    expect(await errorsOf(mutate('wren', 'reopenPullRequest', { pullRequestId }))).toHaveLength(1);
  });

  test('the branch is updated by merge and by rebase', async () => {
    const first = await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id: pullRequestId } = await open();
    const base = await pushTo(p, 'main', { files: { 'c.txt': 'c' } });
    const { headRefOid } = await mutate<{ headRefOid: string }>('wren', 'updatePullRequestBranch', {
      pullRequestId,
      updateMethod: 'REBASE',
    });
    const git = p.pocket.world.git(p.repository.id);
    expect((await git.commit(headRefOid))?.parents).toEqual([base]);
    const upToDate = mutate('wren', 'updatePullRequestBranch', { pullRequestId, expectedHeadOid: headRefOid });
    expect(await errorsOf(upToDate)).toEqual(['UNPROCESSABLE: There are no new commits on the base branch.']);
    const stale = mutate('wren', 'updatePullRequestBranch', { pullRequestId, expectedHeadOid: first });
    expect(await errorsOf(stale)).toEqual(['UNPROCESSABLE: expected head sha didn’t match current head ref.']);
  });

  test('a repository’s are filtered and ordered', async () => {
    for (const branch of ['one', 'two', 'three']) await pushTo(p, branch, { files: { [`${branch}.txt`]: branch } });
    const [one, two] = [await open('one'), await open('two')];
    p.clock.advance(60_000);
    await open('three');
    await mutate('wren', 'mergePullRequest', { pullRequestId: one.id });
    p.clock.advance(60_000);
    await mutate('wren', 'closePullRequest', { pullRequestId: two.id });
    await p.rest('wren').rest.issues.addLabels({ ...p.at, issue_number: two.number, labels: ['odd'] });
    const numbers = async (args: string) => {
      const found = await query<{ pullRequests: { nodes: { number: number }[] } }>(
        `pullRequests(first: 10, ${args}) { nodes { number } }`,
      );
      return found.pullRequests.nodes.map(({ number }) => number);
    };
    expect(await numbers('states: [OPEN]')).toEqual([3]);
    expect(await numbers('states: [MERGED, CLOSED]')).toEqual([1, 2]);
    expect(await numbers('headRefName: "two"')).toEqual([2]);
    expect(await numbers('baseRefName: "dev"')).toEqual([]);
    expect(await numbers('labels: ["ODD"]')).toEqual([2]);
    expect(await numbers('orderBy: { field: UPDATED_AT, direction: DESC }')).toEqual([2, 3, 1]);
  });

  test('reviewers are replaced, or added with `union`', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { id: pullRequestId } = await open();
    const [ada, rita] = [p.users.ada, p.users.rita];
    const idOf = async (login: string) => {
      const client = await p.graphql('ada');
      return (await client<{ user: { id: string } }>(`{ user(login: "${login}") { id } }`)).user.id;
    };
    const asked = () => p.pocket.world.tables.pulls.all()[0]?.requestedReviewerIds;
    await mutate('wren', 'requestReviews', { pullRequestId, userIds: [await idOf('ada')] });
    await mutate('wren', 'requestReviews', { pullRequestId, userIds: [await idOf('rita')], union: true });
    expect(asked()).toEqual([ada.id, rita.id]);
    await mutate('wren', 'requestReviews', { pullRequestId, userIds: [await idOf('rita')] });
    expect(asked()).toEqual([rita.id]);
  });
});
