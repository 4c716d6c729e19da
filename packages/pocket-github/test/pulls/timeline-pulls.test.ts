import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { deleteBranch, pushTo, tipOf } from '../support/branches.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';

let p: TestPocket;
let wren: typeof graphql;

beforeAll(async () => {
  p = await openPocket();
  wren = await p.graphql('wren');
});

afterAll(() => p.close());

const ofPull = (number: number) => ({ ...p.at, pull_number: number });

async function openPull(head: string, more: { base?: string; body?: string; draft?: boolean } = {}) {
  return (await p.rest('wren').rest.pulls.create({ ...p.at, title: `From ${head}`, head, base: 'main', ...more })).data;
}

async function items(id: string, selection = '', args = 'first: 50'): Promise<readonly Record<string, unknown>[]> {
  const query = `query ($id: ID!) { node(id: $id) { ... on PullRequest { timelineItems(${args}) { nodes { __typename ${selection} } } } } }`;
  const { node } = await wren<{ node: { timelineItems: { nodes: Record<string, unknown>[] } } }>(query, { id });
  return node.timelineItems.nodes;
}

const mutate = (name: string, id: string, more = '') =>
  wren(`mutation ($id: ID!) { ${name}(input: { pullRequestId: $id ${more} }) { clientMutationId } }`, { id });

describe('the timeline of a pull request', () => {
  test('has commits where they were pushed, reviews, and what became of head and base', async () => {
    const first = await pushTo(p, 'lived', { files: { 'a.txt': 'a' }, message: 'First' });
    await pushTo(p, 'release', { files: { 'r.txt': 'r' } });
    const pull = await openPull('lived', { draft: true });
    await mutate('markPullRequestReadyForReview', pull.node_id);
    await mutate('convertPullRequestToDraft', pull.node_id);
    await mutate('markPullRequestReadyForReview', pull.node_id);
    await p.rest('wren').rest.pulls.requestReviewers({ ...ofPull(pull.number), reviewers: ['ada', 'tess'] });
    await p.rest('wren').rest.pulls.removeRequestedReviewers({ ...ofPull(pull.number), reviewers: ['tess'] });
    const { data: review } = await p
      .rest('ada')
      .rest.pulls.createReview({ ...ofPull(pull.number), event: 'REQUEST_CHANGES', body: 'No' });
    const second = await pushTo(p, 'lived', { files: { 'b.txt': 'b' }, message: 'Second' });
    await p.rest('ada').rest.pulls.dismissReview({ ...ofPull(pull.number), review_id: review.id, message: 'Fine now' });
    await p.rest('wren').rest.pulls.update({ ...ofPull(pull.number), base: 'release' });
    await p.rest('wren').rest.pulls.update({ ...ofPull(pull.number), base: 'main' });
    const third = await pushTo(p, 'lived', { files: { 'c.txt': 'c' }, message: 'Third', onto: first });
    const selection = `
      ... on PullRequestCommit { commit { oid } pullRequest { number } url }
      ... on ReadyForReviewEvent { url pullRequest { number } }
      ... on ReviewRequestedEvent { requestedReviewer { ... on User { login } } }
      ... on ReviewRequestRemovedEvent { requestedReviewer { ... on User { login } } }
      ... on PullRequestReview { body state author { login } }
      ... on ReviewDismissedEvent { dismissalMessage previousReviewState review { body } actor { login } }
      ... on BaseRefChangedEvent { previousRefName currentRefName }
      ... on HeadRefForcePushedEvent { beforeCommit { oid } afterCommit { oid } ref { name } }
    `;
    const commit = (oid: string) => ({
      __typename: 'PullRequestCommit',
      commit: { oid },
      pullRequest: { number: pull.number },
      url: `${pull.html_url}/commits/${oid}`,
    });
    expect(await items(pull.node_id, selection)).toMatchObject([
      commit(first),
      { __typename: 'ReadyForReviewEvent', pullRequest: { number: pull.number } },
      { __typename: 'ConvertToDraftEvent' },
      { __typename: 'ReadyForReviewEvent' },
      { __typename: 'ReviewRequestedEvent', requestedReviewer: { login: 'ada' } },
      { __typename: 'ReviewRequestedEvent', requestedReviewer: { login: 'tess' } },
      { __typename: 'ReviewRequestRemovedEvent', requestedReviewer: { login: 'tess' } },
      { __typename: 'PullRequestReview', body: 'No', state: 'DISMISSED', author: { login: 'ada' } },
      {
        __typename: 'ReviewDismissedEvent',
        dismissalMessage: 'Fine now',
        previousReviewState: 'CHANGES_REQUESTED',
        review: { body: 'No' },
        actor: { login: 'ada' },
      },
      { __typename: 'BaseRefChangedEvent', previousRefName: 'main', currentRefName: 'release' },
      { __typename: 'BaseRefChangedEvent', previousRefName: 'release', currentRefName: 'main' },
      {
        __typename: 'HeadRefForcePushedEvent',
        beforeCommit: { oid: second },
        afterCommit: { oid: third },
        ref: { name: 'lived' },
      },
      commit(third),
    ]);
    const { data } = await p.rest('rita').rest.issues.listEventsForTimeline({ ...p.at, issue_number: pull.number });
    expect(data.map((item) => item.event)).toEqual([
      'committed',
      'ready_for_review',
      'convert_to_draft',
      'ready_for_review',
      'review_requested',
      'review_requested',
      'review_request_removed',
      'reviewed',
      'review_dismissed',
      'head_ref_force_pushed',
      'committed',
    ]);
    expect(data[0]).toMatchObject({ sha: first, message: 'First', author: { name: 'wren' } });
    expect(data[7]).toMatchObject({ state: 'dismissed', user: { login: 'ada' }, body: 'No' });
    expect(data[8]).toMatchObject({
      dismissed_review: { state: 'changes_requested', review_id: review.id, dismissal_message: 'Fine now' },
    });
    const { data: events } = await p.rest('rita').rest.issues.listEvents({ ...p.at, issue_number: pull.number });
    expect(events.map((item) => item.event)).toContain('base_ref_changed');
  });

  test('ends with the merge, which shows up as closer of the issue it closed', async () => {
    const { data: issue } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'Wanted' });
    await pushTo(p, 'closing', { files: { 'closing.txt': 'x' } });
    const pull = await openPull('closing', { body: `Closes #${issue.number}` });
    await p.rest('wren').rest.pulls.merge(ofPull(pull.number));
    await deleteBranch(p, 'closing');
    const merged = tipOf(p, 'main');
    const selection = `
      ... on MergedEvent { commit { oid } mergeRefName mergeRef { name } url }
      ... on ClosedEvent { closer { __typename } stateReason }
      ... on HeadRefDeletedEvent { headRefName headRef { name } }`;
    const types = 'first: 9, itemTypes: [PULL_REQUEST_COMMIT, MERGED_EVENT, CLOSED_EVENT, HEAD_REF_DELETED_EVENT]';
    expect(await items(pull.node_id, selection, types)).toMatchObject([
      { __typename: 'PullRequestCommit' },
      { __typename: 'MergedEvent', commit: { oid: merged }, mergeRefName: 'main', mergeRef: { name: 'main' } },
      { __typename: 'ClosedEvent', closer: null, stateReason: null },
      { __typename: 'HeadRefDeletedEvent', headRefName: 'closing', headRef: null },
    ]);
    const query = `query ($id: ID!) { node(id: $id) { ... on Issue { timelineItems(first: 5) { nodes { __typename
      ... on CrossReferencedEvent { willCloseTarget source { __typename } }
      ... on ClosedEvent { closer { ... on PullRequest { number merged } } stateReason } } } } } }`;
    expect(await wren(query, { id: issue.node_id })).toEqual({
      node: {
        timelineItems: {
          nodes: [
            { __typename: 'CrossReferencedEvent', willCloseTarget: true, source: { __typename: 'PullRequest' } },
            { __typename: 'ClosedEvent', closer: { number: pull.number, merged: true }, stateReason: 'COMPLETED' },
          ],
        },
      },
    });
    const { data: direct } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'Wanted at once' });
    const oid = await pushTo(p, 'main', { files: { 'direct.txt': 'x' }, message: `Fixes #${direct.number}` });
    const { data } = await p.rest('rita').rest.issues.listEvents({ ...p.at, issue_number: direct.number });
    expect(data).toMatchObject([
      { event: 'referenced', commit_id: oid, commit_url: expect.stringContaining(oid) },
      { event: 'closed', commit_id: oid },
    ]);
    const byCommit = `query ($id: ID!) { node(id: $id) { ... on Issue { timelineItems(first: 5) { nodes { __typename
      ... on ReferencedEvent { commit { oid } isDirectReference commitRepository { name } }
      ... on ClosedEvent { closer { ... on Commit { oid } } } } } } } }`;
    expect(await wren(byCommit, { id: direct.node_id })).toEqual({
      node: {
        timelineItems: {
          nodes: [
            {
              __typename: 'ReferencedEvent',
              commit: { oid },
              isDirectReference: true,
              commitRepository: { name: 'sandbox' },
            },
            { __typename: 'ClosedEvent', closer: { oid } },
          ],
        },
      },
    });
  });

  test('tells of auto-merge and the merge queue', async () => {
    p.pocket.world.tables.repositories.update(p.repository, { allowAutoMerge: true });
    protectMain(p, {
      requiredChecks: [{ context: 'test', appId: null }],
      mergeQueue: { method: 'merge', checkTimeoutMs: 3_600_000, maxEntriesToMerge: 5 },
    });
    const head = await pushTo(p, 'queued', { files: { 'queued.txt': 'x' } });
    const pull = await openPull('queued');
    await mutate('enablePullRequestAutoMerge', pull.node_id);
    await mutate('disablePullRequestAutoMerge', pull.node_id);
    await p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha: head, state: 'success', context: 'test' });
    await mutate('enqueuePullRequest', pull.node_id);
    await wren('mutation ($id: ID!) { dequeuePullRequest(input: { id: $id }) { clientMutationId } }', {
      id: pull.node_id,
    });
    const selection = `
      ... on AutoMergeEnabledEvent { enabler { login } pullRequest { number } }
      ... on AutoMergeDisabledEvent { disabler { login } }
      ... on AddedToMergeQueueEvent { enqueuer { login } actor { login } }
      ... on RemovedFromMergeQueueEvent { enqueuer { login } beforeCommit { oid } }`;
    const types =
      'first: 9, itemTypes: [AUTO_MERGE_ENABLED_EVENT, AUTO_MERGE_DISABLED_EVENT, ADDED_TO_MERGE_QUEUE_EVENT, REMOVED_FROM_MERGE_QUEUE_EVENT]';
    expect(await items(pull.node_id, selection, types)).toMatchObject([
      { __typename: 'AutoMergeEnabledEvent', enabler: { login: 'wren' }, pullRequest: { number: pull.number } },
      { __typename: 'AutoMergeDisabledEvent', disabler: { login: 'wren' } },
      { __typename: 'AddedToMergeQueueEvent', enqueuer: { login: 'wren' }, actor: { login: 'wren' } },
      {
        __typename: 'RemovedFromMergeQueueEvent',
        enqueuer: { login: 'wren' },
        beforeCommit: { oid: expect.any(String) },
      },
    ]);
  });
});
